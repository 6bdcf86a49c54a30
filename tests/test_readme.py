from __future__ import annotations

import re
from pathlib import Path

import pytest

from ilap.checks import check_detector

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_ten_lines_run_as_they_stand(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 10
    exec(compile(program, "README.md", "exec"), {})
    *decisions, named = capsys.readouterr().out.splitlines()
    assert len(decisions) == 30
    assert not [line for line in decisions if line.split()[1] not in ("new", "known", "unsure")]
    assert named.startswith("10 [")


def test_what_it_points_to_is_there() -> None:
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", README) if "://" not in target]
    assert targets
    for target in targets:
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("command", ["make demo", "make test"])
def test_its_commands_are_in_the_makefile(command: str) -> None:
    assert command in README
    assert re.search(rf"^{command.split()[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_the_detector_that_contributors_are_shown_keeps_what_it_has_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "detect").mkdir()
    (tmp_path / "detect" / "far.py").write_text(program, encoding="utf-8")
    monkeypatch.setenv("ILAP_PATH", str(tmp_path))
    check_detector("far", threshold=0.8)
