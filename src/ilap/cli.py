"""The command line: parses, calls, prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ilap.errors import IlapError
from ilap.settings import DESCRIPTIONS, PRESETS, parse, resolve

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Sorts unlabelled batches of pictures into classes by the confusion that each would cause.",
)


@app.callback()
def root() -> None:
    """Keeps ``ilap demo`` a sub-command while it is the only one."""


@app.command()
def demo(
    data: Annotated[str, typer.Option(help="Data set.")] = "digits",
    preset: Annotated[str, typer.Option(help="Settings to start from.")] = "fast",
    exposure_size: Annotated[int, typer.Option(help="Pictures in an exposure.")] = 40,
    repeats: Annotated[int, typer.Option(help="Exposures of every class.")] = 3,
    seed: Annotated[int, typer.Option(help="Seed of the stream and of the learner.")] = 0,
    backbone: Annotated[str | None, typer.Option(help="What turns pictures into features.")] = None,
    theta: Annotated[float | None, typer.Option(help="Drop of accuracy above which a class is known.")] = None,
    imbalance: Annotated[float | None, typer.Option("--lambda", help="Class imbalance of the trial.")] = None,
    assignments: Annotated[
        list[str] | None, typer.Option("--set", help="Any other setting, as name=value (see ilap presets).")
    ] = None,
    out: Annotated[Path, typer.Option(help="Where to write the page.")] = Path("ilap-demo.html"),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object; progress goes to stderr.")
    ] = False,
) -> None:
    """Sort a stream of exposures whose classes are known to us but not to the learner, and show how it went."""
    from ilap.bench import demo

    changes = dict(parse(assignment) for assignment in assignments or [])
    given = {"backbone": backbone, "theta": theta, "imbalance": imbalance}
    changes.update({name: value for name, value in given.items() if value is not None})
    with interruptible():
        report = demo.run(data, preset, exposure_size, repeats, seed, changes, out)
    if as_json:
        print(json.dumps(report))
    else:
        demo.print_table(report)


@app.command()
def presets(
    name: Annotated[str | None, typer.Argument(help="The preset to print in full.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the presets, or print one in full. Every value can be changed with --set name=value."""
    from dataclasses import asdict

    from ilap.backbones.contract import FEATURE_RATE, HEAD_RATE, RANDOM_RATE

    if name is None and not as_json:
        print("\n".join(f"{preset:<14}{DESCRIPTIONS[preset]}" for preset in PRESETS))
        return
    chosen = {preset: asdict(resolve(preset, {})) for preset in ([name] if name else PRESETS)}
    if as_json:
        print(json.dumps(chosen[name] if name else chosen))
        return
    for preset, settings in chosen.items():
        print(f"{preset}: {DESCRIPTIONS[preset]}\n")
        print("\n".join(f"{key:<16}{value}" for key, value in settings.items()))
    print(
        f"\nNone is the backbone's own. Learning rates: head {HEAD_RATE:g} and features {FEATURE_RATE:g} where "
        f"weights are trained, {RANDOM_RATE:g} for both where they start at random (small, weights=random)."
    )


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C ends the command with a word and the code that shells expect."""
    try:
        yield
    except KeyboardInterrupt:
        print("ilap: interrupted; nothing was written", file=sys.stderr)
        raise typer.Exit(130) from None


def main() -> None:
    """Run; whatever is wrong is said in one sentence."""
    try:
        app()
    except IlapError as error:
        sys.exit(f"ilap: {error}")
    except OSError as error:
        sys.exit(f"ilap: {error.strerror or error}: {error.filename or 'see the file system'}")
