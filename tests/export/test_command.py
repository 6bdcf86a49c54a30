from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pictures_in_file import Kept


def ilap(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from ilap.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_it_says_in_one_line_what_was_written(kept: Kept, tmp_path: Path) -> None:
    out = tmp_path / "new folder" / "out.csv"
    done = ilap("export", str(kept.file), "--to", "csv", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{out}: 206 pictures, 4 classes\n"
    with out.open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 206


def test_or_in_json(kept: Kept, tmp_path: Path) -> None:
    out = tmp_path / "tree"
    done = ilap("export", str(kept.file), "--to", "links", "--out", str(out), "--copy", "--json")
    assert json.loads(done.stdout) == {
        "kind": "links",
        "path": str(out),
        "pictures": 181,
        "classes": 4,
        "left_out": 25,
        "advice": "",
    }
    assert not any(path.is_symlink() for path in out.rglob("*"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none.ilap", "--to", "csv", "--out", "out"], "There is no learner"),
        (["animals.ilap", "--to", "pdf", "--out", "out"], "There is no export 'pdf': take one of camtrap-dp"),
        (["animals.ilap", "--to", "csv", "--out", "animals.ilap"], "is the learner itself"),
        (["animals.ilap", "--to", "links", "--out", "my pictures"], "name a new folder"),
    ],
)
def test_what_is_wrong_is_one_sentence(kept: Kept, arguments: list[str], sentence: str) -> None:
    names = ("none.ilap", "animals.ilap", "out", "my pictures")
    placed = [str(kept.file.parent / word) if word in names else word for word in arguments]
    done = ilap("export", *placed)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert not os.path.lexists(kept.file.parent / "out")


def test_no_backbone_is_loaded_for_a_table(kept: Kept, tmp_path: Path) -> None:
    lines = [
        "import sys",
        "from ilap.export import export",
        f"export({str(kept.file)!r}, 'csv', {str(tmp_path / 'out.csv')!r})",
        "assert not {'torch', 'onnxruntime'} & set(sys.modules), 'heavy'",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
