"""The command line in this process: what ``main`` prints and exits with, without the seconds that a process
takes to start."""

from __future__ import annotations

import contextlib
import io
import sys
import sysconfig
import warnings
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from ilap.cli import main

ILAP = str(Path(sysconfig.get_path("scripts")) / ("ilap.exe" if sys.platform == "win32" else "ilap"))
"""The command as it was installed, for what needs a process of its own."""


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def ilap(*arguments: str) -> Done:
    """Run a command as a shell would."""
    out, err = io.StringIO(), io.StringIO()
    code: int | str | None = 0
    with (
        mock.patch.object(sys, "argv", ["ilap", *arguments]),
        mock.patch.object(warnings, "showwarning", warnings.showwarning),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as exit:
            code = exit.code
    if isinstance(code, str):  # as Python does when it ends with words
        return Done(1, out.getvalue(), f"{err.getvalue()}{code}\n")
    return Done(code or 0, out.getvalue(), err.getvalue())
