"""What is written about the commands, and about the project, is so."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ilap import __version__
from ilap.bench.learners.load import told_of
from ilap.cli.app import changes_of, split
from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.core.presets import PRESETS
from ilap.core.settings import parse, resolve

ROOT = Path(__file__).parent.parent
GENERATOR = ROOT / "tools" / "make_commands.py"
COMMANDS = ROOT / "docs" / "commands.md"
RESULTS = ROOT / "docs" / "results.md"
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
HOOKS = ROOT / ".pre-commit-config.yaml"
CITATION = ROOT / "CITATION.cff"
OWN = [WORKFLOW, HOOKS, CITATION]
WRITTEN = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BY_HAND = [file for file in WRITTEN if file != COMMANDS]

PLACEHOLDERS = {
    "D": "digits",
    "E": "20",
    "I": "0.1",
    "L": "fast",
    "R": "3",
    "S": "0",
    "name=value": "risk=0.1",
}
"""What stands for a value in a command, and a value."""


def generator() -> ModuleType:
    """tools/make_commands.py, which is no part of the package."""
    spec = importlib.util.spec_from_file_location("make_commands", GENERATOR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make_commands = generator()
KNOWN: dict[str, Any] = make_commands.commands()


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def pieces(markdown: str) -> Iterator[str]:
    """What is written as code, in its order: the lines of blocks, fenced or indented, and what stands between
    backticks, which may go on in the next line."""
    prose: list[str] = []
    fenced, before = False, ""
    for line in [*markdown.splitlines(), "```"]:
        block = fenced or (line.startswith("    ") and (not before.strip() or before.startswith("    ")))
        if line.startswith("```") or block:
            yield from spans(prose)
            prose = []
        if line.startswith("```"):
            fenced = not fenced
        elif block:
            yield line.strip()
        else:
            prose.append(line)
        before = line
    yield from spans(prose)


def spans(lines: list[str]) -> Iterator[str]:
    """What stands between backticks, a paragraph or a table's row at a time."""
    for paragraph in re.split(r"\n(?=\s*\n|\|)", "\n".join(lines)):
        for found in re.findall(r"`([^`]+)`", paragraph):
            yield " ".join(found.split())


def words_of(piece: str) -> list[str]:
    """A command line's words, without variables before it and comments after it; none where it is no such
    line."""
    line = re.sub(r"^([A-Z_]+=\S+\s+)+", "", piece)
    if not line.startswith(("ilap ", "--")):
        return []
    return [PLACEHOLDERS.get(word, word) for word in shlex.split(line, comments=True)]


@dataclass(frozen=True)
class Line:
    """A command as it is written: its name and what it is told."""

    name: str
    told: tuple[str, ...]

    def __str__(self) -> str:
        return shlex.join(["ilap", self.name, *self.told])

    @property
    def is_whole(self) -> bool:
        """Whether it is more than a command's name or a pointer to its help."""
        return bool(self.told) and "--help" not in self.told

    def has(self, option: str) -> bool:
        """Whether the command has an option of this name."""
        return self.name in KNOWN and any(option in parameter.opts for parameter in KNOWN[self.name].params)

    def parsed(self) -> dict[str, Any]:
        """What the command would be called with."""
        context = KNOWN[self.name].make_context(f"ilap {self.name}", list(self.told), resilient_parsing=False)
        return dict(context.params)


def lines_of(markdown: str) -> Iterator[Line]:
    """All commands of a page. Options that stand alone are said to the last command before them that has such
    an option, or, where none has it, to the last one, which then cannot be given so."""
    before: list[Line] = []
    for piece in pieces(markdown):
        match words_of(piece):
            case ["ilap", name, *told] if not name.startswith("-"):
                line = Line(name, tuple(told))
                yield line
                before += [line] if line.is_whole else []
            case [option, value, *values] if option.startswith("--") and before:
                meant = next((line for line in reversed(before) if line.has(option)), before[-1])
                yield Line(meant.name, (*meant.told, option, value, *values))


def whole_lines(*files: Path) -> list[Line]:
    """The commands of these pages that could be run, each once."""
    return list(dict.fromkeys(line for file in files for line in lines_of(read(file)) if line.is_whole))


def assignments(markdown: str) -> list[str]:
    """Whatever is set by --set in code, also outside of commands."""
    found = (
        PLACEHOLDERS.get(word, word) for piece in pieces(markdown) for word in re.findall(r"--set (\S+)", piece)
    )
    return list(dict.fromkeys(found))


def test_the_extractor_sees_commands_where_people_write_them() -> None:
    page = """
Run `ilap demo --seed S`, then `ilap
review`; `python x.py` is another's.

    ILAP_DATA=... ilap bench --data D --exposure-size E      # E = 10
    python benchmarks/classes.py

| `ilap demo --json` with | right |
|---|---|
| `--preset paper --set criterion=plain` | 3 |
| `fast --set detector=confusion` | 4 |

```
ilap learn a.ilap "my pictures"   # or ilap unknown
from ilap import Learner
```
"""
    assert list(map(str, lines_of(page))) == [
        "ilap demo --seed 0",
        "ilap review",
        "ilap bench --data digits --exposure-size 20",
        "ilap demo --json",
        "ilap demo --json --preset paper --set criterion=plain",
        "ilap learn a.ilap 'my pictures'",
    ]
    assert assignments(page) == ["criterion=plain", "detector=confusion"]


# The page of commands


def test_the_page_of_commands_is_what_the_commands_say() -> None:
    assert read(COMMANDS) == make_commands.text(KNOWN), "run python tools/make_commands.py (without ILAP_PATH)"


def test_every_command_is_on_the_page_once() -> None:
    headings = re.findall(r"^### ilap (\S+)$", read(COMMANDS), re.MULTILINE)
    assert len(headings) > 20
    assert sorted(headings) == sorted(KNOWN)


def test_a_command_that_nobody_put_in_a_group_comes_last() -> None:
    headings = re.findall(r"^##+ (.+)$", make_commands.text({**KNOWN, "zoom": KNOWN["show"]}), re.MULTILINE)
    assert headings[-2:] == ["Further commands", "ilap zoom"]
    assert "Further commands" not in read(COMMANDS)


@pytest.mark.parametrize("name", KNOWN)
def test_every_command_argument_and_option_says_what_it_is_for(name: str) -> None:
    assert KNOWN[name].help
    assert KNOWN[name].params
    for parameter in KNOWN[name].params:
        assert parameter.help, f"{name}: {parameter.name}"


def test_the_page_is_the_same_on_every_machine(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a_set_of_my_own.py").write_text("def create():\n    pass\n", encoding="utf-8")
    here = {**os.environ, "ILAP_PATH": str(tmp_path), "COLUMNS": "30", "TERMINAL_WIDTH": "30"}
    command = [sys.executable, str(GENERATOR), "--check"]
    done = subprocess.run(command, env=here, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_page_that_is_out_of_date_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = generator()
    page = tmp_path / "commands.md"
    monkeypatch.setattr(module, "FILE", page)
    monkeypatch.setattr(sys, "argv", ["make_commands.py", "--check"])
    for content in (None, "old"):
        if content:
            page.write_text(content, encoding="utf-8")
        with pytest.raises(SystemExit, match="is out of date: run python tools/make_commands"):
            module.main()
    assert page.read_text(encoding="utf-8") == "old"
    monkeypatch.setattr(sys, "argv", ["make_commands.py"])
    module.main()
    monkeypatch.setattr(sys, "argv", ["make_commands.py", "--check"])
    module.main()
    assert "### ilap learn" in page.read_text(encoding="utf-8")


def test_the_examples_of_the_generator_hold() -> None:
    ran = doctest.testmod(make_commands)
    assert ran.attempted
    assert not ran.failed


# Commands in all pages


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: file.name)
def test_commands_that_are_mentioned_exist(file: Path) -> None:
    mentioned = {line.name for line in lines_of(read(file))}
    assert mentioned <= set(KNOWN)


def test_enough_commands_are_found_to_be_checked() -> None:
    assert len({line.name for file in BY_HAND for line in lines_of(read(file))}) >= 15
    assert len(whole_lines(RESULTS)) >= 15
    assert len(whole_lines(*BY_HAND)) >= 25
    assert len(assignments(read(RESULTS))) >= 5


@pytest.mark.parametrize("line", whole_lines(*BY_HAND), ids=str)
def test_commands_can_be_given_as_they_are_written(line: Line) -> None:
    assert line.parsed()


RESEARCH = [line for line in whole_lines(*BY_HAND) if line.name in ("demo", "bench", "calibrate", "paper")]


@pytest.mark.parametrize("line", RESEARCH, ids=str)
def test_learners_and_data_that_are_written_exist_and_take_the_settings(line: Line) -> None:
    told = line.parsed()
    own = {name: told.get(name) for name in ("backbone", "risk", "theta", "imbalance")}
    changes = changes_of(list(told.get("assignments") or ()), **own)
    learners = split(told.get("preset") or told["learner"])
    data = [name for name in split(told["data"]) if ":" not in name]
    assert learners or data or line.name == "paper"
    for learner in learners:
        if not learner.endswith(".json"):
            assert told_of(learner, changes)
    for name in data:
        assert registry.name_of("data set", name) == name


@pytest.mark.parametrize(
    "assignment", list(dict.fromkeys(one for file in WRITTEN for one in assignments(read(file))))
)
def test_whatever_is_set_can_be_set(assignment: str) -> None:
    def takes(preset: str) -> bool:
        try:
            return bool(resolve(preset, dict([parse(assignment)])))
        except BadSetting:
            return False

    assert any(map(takes, PRESETS)), assignment


# The project's own files


def pinned() -> str:
    """The version in pyproject.toml."""
    version: str = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["version"]
    return version


def test_one_version_everywhere() -> None:
    assert __version__ == pinned()
    assert re.findall(r"^version: (\S+)$", read(CITATION), re.MULTILINE) == [pinned()]


def test_the_citation_names_the_licence_and_the_paper() -> None:
    text = read(CITATION)
    project = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]
    assert f"license: {project['license']}\n" in text
    assert project["description"] in text
    arxiv = re.findall(r"arxiv\.org/abs/([0-9.]+)", read(ROOT / "README.md"))
    assert [f'"arXiv:{number}"' in text for number in arxiv] == [True]


def checks() -> list[str]:
    """What ``make check`` runs."""
    (recipe,) = re.findall(r"^check:.*\n((?:\t.*\n)+)", read(ROOT / "Makefile"), re.MULTILINE)
    return [line.strip().removeprefix("$(BIN)/") for line in recipe.splitlines()]


def test_workflow_and_hooks_check_what_make_check_does() -> None:
    assert len(checks()) >= 4
    steps = re.findall(r"- run: (.+)", read(WORKFLOW))
    assert set(checks()) < set(steps)
    hooks = re.findall(r"entry: (.+)", read(HOOKS))
    plain = {re.sub(r" (--check|\.)(?= |$)", "", check) for check in checks()}
    assert {hook.removesuffix(" --force-exclude") for hook in hooks} == plain


def test_the_workflow_runs_the_tests_wherever_the_package_is_meant_to_run() -> None:
    text = read(WORKFLOW)
    assert "run: python -m pytest\n" in text
    (systems,) = re.findall(r"os: \[(.+)\]", text)
    assert [system.split("-")[0] for system in systems.split(", ")] == ["ubuntu", "macos", "windows"]
    (versions,) = re.findall(r"python: \[(.+)\]", text)
    oldest = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["requires-python"].removeprefix(">=")
    assert versions.replace('"', "").split(", ")[0] == oldest


def test_the_workflow_may_only_read_and_uses_nobody_elses_code() -> None:
    text = read(WORKFLOW)
    assert set(re.findall(r"uses: (\S+?)@v\d+$", text, re.MULTILINE)) == {
        "actions/checkout",
        "actions/setup-python",
    }
    assert text.count("uses:") == len(re.findall(r"uses: \S+@v\d+$", text, re.MULTILINE))
    assert "permissions:\n  contents: read\n" in text
    assert "cancel-in-progress: true" in text
    assert "secrets" not in text
    assert set(re.findall(r"language: (\S+)", read(HOOKS))) == {"system"}
    assert re.findall(r"repo: (\S+)", read(HOOKS)) == ["local"]
    for file in OWN:
        assert "://" not in read(file), file.name


ENTRY = re.compile(r"""(?P<indent>(  )*)(- )*([\w-]+:( (?P<value>[^#]+))?|(?P<item>[^\s#:][^#:]*))( \#.*)?""")


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.name)
def test_yaml_is_plain_enough_to_be_read_by_eye(file: Path) -> None:
    depth = 0
    for line in filter(str.strip, read(file).splitlines()):
        if line.startswith("#"):
            continue
        found = ENTRY.fullmatch(line)
        assert found, line
        assert len(found["indent"]) <= depth + 2, f"{line!r} lies deeper than what it belongs to"
        value = found["value"] or ""
        assert value.startswith(('"', "${{")) or ": " not in value, f"{line!r} wants quotes"
        depth = len(found["indent"]) + 2 * line[len(found["indent"]) :].startswith("- ")


def test_yaml_is_yaml() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not among what the tests need")
    assert all(isinstance(yaml.safe_load(read(file)), dict) for file in OWN)
