"""The command line: parses, calls, prints. A file here is a group of commands."""

from __future__ import annotations

import sys
import warnings

from ilap.cli import (  # noqa: F401
    ask,
    correct,
    export,
    identify,
    keep,
    learn,
    paper,
    regroup,
    report,
    research,
    show,
)
from ilap.cli.app import app
from ilap.core.errors import IlapError


def say(message: Warning | str, *rest: object) -> None:
    """A warning is one sentence too."""
    print(f"ilap: {message}", file=sys.stderr)


def main() -> None:
    """Run; whatever is wrong is said in one sentence."""
    warnings.showwarning = say  # type: ignore[assignment]
    if sys.platform == "win32":  # where names of files may be in any script, and the console's is one
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(encoding="utf-8")
    try:
        app()
    except IlapError as error:
        sys.exit(f"ilap: {error}")
    except OSError as error:
        sys.exit(f"ilap: {error.strerror or error}: {error.filename or 'see the file system'}")
