"""The command line: parses, calls, prints. A file here is a group of commands."""

from __future__ import annotations

import io
import os
import sys
import warnings

from ilap.cli import (  # noqa: F401
    audit,
    correct,
    identify,
    keep,
    labels,
    learn,
    listing,
    paper,
    research,
    serve,
    show,
)
from ilap.cli.app import app, complain
from ilap.core.errors import IlapError
from ilap.core.names import READABLE
from ilap.core.terminal import printable


def say(message: Warning | str, *rest: object) -> None:
    """A warning is one sentence too."""
    complain(str(message))


def main() -> None:
    """Run; whatever is wrong is said in one sentence. Linear algebra has one thread unless the environment says
    otherwise: matrices are small here, and where cores are busy more threads wait for each other several times
    as long as they work."""
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # read when numpy is imported, which is later
    warnings.showwarning = say  # type: ignore[assignment]
    for stream in (sys.stdout, sys.stderr):  # names of files may be in any script, or none
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8" if sys.platform == "win32" else None, errors=READABLE)
    try:
        app()
    except IlapError as error:
        sys.exit(f"ilap: {printable(error)}")
    except OSError as error:
        sentence = f"{error.strerror or error}: {error.filename or 'see the file system'}"
        sys.exit(f"ilap: {printable(sentence)}")
