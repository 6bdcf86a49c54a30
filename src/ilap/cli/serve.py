"""The command that serves a learner to browsers and scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ilap.cli.app import AsJson, LearnerPath, app, complain, print_json
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
    """
    from ilap.core.extras import needed_for

    with needed_for("ilap serve"):
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    from ilap.keep.learner import LearnerInFile
    from ilap.serve.access import LOOPBACK
    from ilap.serve.server import serve, token_of

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

    with LearnerInFile(learner, writable=not read_only, create=False) as opened:
        serve(opened, ready, host=host, port=port, token=token, read_only=read_only)
