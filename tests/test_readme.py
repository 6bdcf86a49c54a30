from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_ten_lines_run_as_they_stand(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 10
    exec(compile(program, "README.md", "exec"), {})
    *decisions, named = capsys.readouterr().out.splitlines()
    assert len(decisions) == 20
    assert sum(line.split()[1] == "new" for line in decisions) == 10
    assert named.startswith("[")


def test_what_it_points_to_is_there() -> None:
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", README) if "://" not in target]
    assert targets
    for target in targets:
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("command", ["make demo", "make test"])
def test_its_commands_are_in_the_makefile(command: str) -> None:
    assert command in README
    assert re.search(rf"^{command.split()[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
