"""The house in numbers: how large it is, and the walk of one exposure through it.

    python tools/walk.py

A learner in a file has learned bursts of three digits. One burst more comes by ``ilap learn``, and every file
of the package whose functions are called on the way, from reading its pictures to the last row that is written,
is noted in the order of the first call. A change of folder is one between two neighbours of that list; files of
core/, the words that all the others speak, are left out of that count.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import tempfile
import threading
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from PIL import Image
from typer.testing import CliRunner

import ilap
from ilap.cli.app import app
from ilap.data.digits import create as digits

ROOT = Path(ilap.__file__).parent
BEGIN = "sources/read.py"  # where the walk begins


def sizes() -> dict[str, Any]:
    """Files, lines, and the longest function."""
    files = sorted(ROOT.rglob("*.py"))
    lines = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    functions = [
        (node.end_lineno - node.lineno + 1, f"{file.relative_to(ROOT)}: {node.name}")
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None
    ]
    longest = max(functions)
    return {
        "files": len(files),
        "lines": sum(lines.values()),
        "lines_of_code": sum(code_lines(file.read_text(encoding="utf-8")) for file in files),
        "median_file": int(np.median(list(lines.values()))),
        "longest_file": max((count, str(file.relative_to(ROOT))) for file, count in lines.items()),
        "median_function": int(np.median([count for count, _ in functions])),
        "longest_function": longest,
        "top_level_files": len([file for file in files if file.parent == ROOT]),
    }


def code_lines(source: str) -> int:
    """Lines that hold code: no blank lines, comments, docstrings and imports.

    >>> code_lines("import os\\n\\n# a\\ndef f():\\n    'What.'\\n    return 1\\n")
    2
    """
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        text = node.value if isinstance(node, ast.Expr) else None
        docstring = isinstance(text, ast.Constant) and isinstance(text.value, str)
        if isinstance(node, ast.Import | ast.ImportFrom) or (isinstance(node, ast.Expr) and docstring):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") and at not in left_out for at, line in lines
    )


def save(folder: Path, label: int, first: int) -> None:
    """A burst of twenty pictures of one digit."""
    folder.mkdir(parents=True)
    data = digits().train
    own = np.flatnonzero(data.labels == label)[first : first + 20]
    for place, row in enumerate(own):
        Image.fromarray(data.pictures[int(row)]).save(folder / f"{place:02}.png")


def walk() -> list[str]:
    """The files that one exposure goes through, in the order of the first call."""
    seen: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        body = frame.f_code.co_name == "<module>" or frame.f_code.co_name[:1].isupper()  # of a module or class
        if event == "call" and name.startswith(str(ROOT)) and not body:
            file = str(Path(name).relative_to(ROOT))
            if file not in seen and (seen or file == BEGIN):
                seen.append(file)

    with tempfile.TemporaryDirectory() as folder:
        source, learner = Path(folder) / "source", Path(folder) / "a.ilap"
        command = ["learn", str(learner), str(source)]
        for label in range(3):
            save(source / f"digit {label}", label, 0)
        assert CliRunner().invoke(app, command).exit_code == 0
        save(source / "one more", 1, 20)
        threading.setprofile(note)
        sys.setprofile(note)
        try:
            done = CliRunner().invoke(app, command)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        assert done.exit_code == 0, done.output
    return seen


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    order = walk()
    folders = [folder for file in order if (folder := str(Path(file).parent)) != "core"]
    told = {
        **sizes(),
        "walk_files": len(order),
        "walk_folders": len(set(folders)),
        "walk_changes_of_folder": sum(a != b for a, b in pairwise(folders)),
        "walk": order,
    }
    if given.json:
        print(json.dumps(told))
        return
    for name, value in told.items():
        print(f"{name:<24}{' '.join(value) if name == 'walk' else value}")


if __name__ == "__main__":
    main()
