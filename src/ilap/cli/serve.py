"""The command that serves a learner to browsers and scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ilap.cli.app import AsJson, LearnerPath, app, complain, print_json
from ilap.cli.learn import ByName, ByTime, Fps, cutting_of, kept_if_learned
from ilap.core.terminal import say

PORT = 8420


@app.command()
def serve(
    learner: LearnerPath,
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 opens it to other machines.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = PORT,
    no_open: Annotated[bool, typer.Option("--no-open", help="Open no browser.")] = False,
    read_only: Annotated[bool, typer.Option("--read-only", help="Show all, change nothing.")] = False,
    watch: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Learn from this folder as bursts appear in it; may be repeated."),
    ] = None,
    by_time: ByTime = None,
    by_name: ByName = None,
    fps: Fps = 1.0,
    root: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER",
            help="Let the page and the API learn from folders in this one; may be repeated.",
            show_default="the folders that the learner knows",
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="A file with the token for scripts, made if it is not there. ILAP_TOKEN does the same.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Answer questions on a page in the browser.

    Prints an address that lets one browser in; scripts use the API at /api/v1 with a token. Nothing is sent to
    any other machine. While it runs no other command can change the learner; all that only read still work.
    Ctrl-C ends it. It needs an extra: pip install 'ilap[serve]'.

    With --watch it learns: a burst is taken in when its files have not changed for five seconds; --by-time,
    --by-name and --fps are those of ilap learn. A learner that is not there yet is made if --watch or --root is
    given.
    """
    from ilap.core.extras import needed_for

    with needed_for("ilap serve"):
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    from ilap.keep.learner import LearnerInFile
    from ilap.serve.access import LOOPBACK
    from ilap.serve.server import serve, token_of
    from ilap.sources.bursts import source as folder_at

    if read_only and watch:
        raise typer.BadParameter("take --watch or --read-only, not both")
    how = cutting_of(by_time, by_name, fps)
    roots, folders = ([folder_at(path) for path in given or []] for given in (root, watch))
    token = token_of(token_file)
    if host not in LOOPBACK:
        complain(
            f"{host} lets other machines reach this server; whoever has the address or the token can see the "
            f"pictures and change the learner, and what is sent is not encrypted"
        )

    def ready(address: str) -> None:
        if as_json:
            print_json({"address": address, "learner": str(learner), "read_only": read_only})
        else:
            say(address, "Ctrl-C ends it")
        if not no_open:
            import threading
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    made = not learner.exists()
    with (
        kept_if_learned(learner, made and bool(folders or roots)),
        LearnerInFile(learner, writable=not read_only, create=bool(folders or roots)) as opened,
    ):
        serve(
            opened,
            ready,
            host=host,
            port=port,
            token=token,
            read_only=read_only,
            roots=roots,
            watch=folders,
            how=how,
        )
