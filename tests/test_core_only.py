"""The wheel without any extra: whatever sorts pictures works, and what needs more says what to install.

Nothing is downloaded: the dependencies are those of this environment, and whatever does not belong to the core
cannot be imported.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from PIL import Image

from ilap.core.extras import EXTRA_OF
from ilap.data import digits

ROOT = Path(__file__).parent.parent
SOURCES = ("src", "pyproject.toml", "README.md", "LICENSE", "NOTICE")

GATE = """
import sys
from importlib.machinery import PathFinder

class Gate(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] not in {blocked}:
            return PathFinder.find_spec(name, path, target)

sys.meta_path[:] = [Gate if finder is PathFinder else finder for finder in sys.meta_path]
"""

DRIVER = """
import contextlib, io, json, sys

done = []
for words in json.load(sys.stdin):
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            if words[0] == "python":
                exec(words[1], {})
            else:
                from ilap.cli import main

                sys.argv = ["ilap", *words]
                main()
        except SystemExit as end:
            code = end.code
        except Exception as error:
            code = f"{type(error).__name__}: {error}"
    done.append([code, out.getvalue(), err.getvalue()])
json.dump(done, sys.stdout)
"""

WORKS = [
    "--version",
    "learn a.ilap pictures --json",
    "show a.ilap",
    "review a.ilap",
    "ask a.ilap",
    "answer a.ilap 0=1 different",
    "rename a.ilap 0 zero",
    "undo a.ilap",
    "list a.ilap",
    "history a.ilap",
    "regroup a.ilap",
    "check a.ilap",
    "combine a.ilap a.ilap --out b.ilap",
    "compact a.ilap",
    "report a.ilap",
    "identify a.ilap pictures",
    "export a.ilap --to csv --out a.csv",
    "import a.ilap a.csv --dry-run",
    "export a.ilap --to links --out links",
    "export a.ilap --to coco --out coco.json",
    "export a.ilap --to label-studio --out tasks.json",
    "export a.ilap --to camtrap-dp --out camtrap",
    "demo --exposure-size 5 --repeats 1 --json",
    "bench --data digits --learner fast,cosine,oracle --exposure-size 10 --repeats 1 --seeds 1 --jobs 1 --json",
    "presets",
    "presets fast",
]
NEEDS = {
    "export a.ilap --to onnx --out a.onnx": "train",
    "export a.ilap --to parquet --out a.parquet": "parquet",
    "demo --preset paper --backbone small": "train",
    "demo --set resolution=64": "train",
    "bench --data digits --learner bic": "train",
    "paper table2": "paper",
    "calibrate": "paper",
    "serve a.ilap": "serve",
}
IN_PYTHON = {
    "import ilap; ilap.Learner('paper')": "train",
    "import ilap; ilap.ExposureClassifier": "sklearn",
}
TEN_LINES = "import ilap; print(ilap.Learner().observe(next(ilap.sample_stream())[0]).kind)"


@dataclass(frozen=True)
class Done:
    """What became of a command."""

    code: int | str
    out: str
    err: str


def belongs_to_core() -> set[str]:
    """The distributions that ``pip install ilap`` brings, by what each asks for."""
    found, todo = set[str](), ["ilap"]
    while todo:
        name = todo.pop()
        try:
            asked = requires(name) or []
        except PackageNotFoundError:  # for another platform
            continue
        found.add(plain(name))
        names = (re.match(r"[\w.-]+", line) for line in asked if "extra ==" not in line)
        todo += [match[0] for match in names if match and plain(match[0]) not in found]
    return found


def plain(name: str) -> str:
    """A distribution's name as it is compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Done]:
    """What became of every command, in an environment of the wheel and the core's dependencies."""
    folder = tmp_path_factory.mktemp("core")
    source, site, gate, here = (folder / name for name in ("source", "site", "gate", "elsewhere"))
    source.mkdir(), gate.mkdir(), here.mkdir()
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]
    build = [*pip, "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", str(folder), str(source)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", str(site), str(wheel)], check=True)

    core = belongs_to_core()
    blocked = {
        package
        for package, owners in packages_distributions().items()
        if not {plain(owner) for owner in owners} & core
    } - {"pip", "setuptools"}
    (gate / "sitecustomize.py").write_text(GATE.format(blocked=sorted(blocked | set(EXTRA_OF))))

    data = digits.create().train
    for number in range(12):
        burst = here / "pictures" / f"burst {number:02}"
        burst.mkdir(parents=True)
        shown = [p for p, label in zip(data.pictures, data.labels, strict=True) if label == number % 4]
        for place, picture in enumerate(shown[8 * number : 8 * number + 8]):
            Image.fromarray(picture).save(burst / f"{place}.png")

    commands = [line.split() for line in [*WORKS, *NEEDS]]
    commands += [["python", program] for program in [*IN_PYTHON, TEN_LINES]]
    ran = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps(commands),
        env={
            "PYTHONPATH": f"{gate}:{site}",
            "ILAP_CACHE": str(folder / "cache"),
            "PATH": "",
            "HOME": str(folder),
        },
        cwd=here,
        capture_output=True,
        text=True,
        check=True,
    )
    outcome = [Done(*row) for row in json.loads(ran.stdout)]
    return dict(zip([*WORKS, *NEEDS, *IN_PYTHON, TEN_LINES], outcome, strict=True))


@pytest.mark.parametrize("command", WORKS)
def test_what_does_not_train_works_with_the_core_alone(done: dict[str, Done], command: str) -> None:
    assert done[command].code in (0, None), done[command]
    assert done[command].out


def test_it_sorts_pictures(done: dict[str, Done]) -> None:
    report = json.loads(done[WORKS[1]].out)
    assert report["pictures"] == 96
    places = {row["exposure"]: row["place"] for row in report["decisions"]}
    bursts = [[places[number] for number in range(12) if number % 4 == digit] for digit in range(4)]
    assert sum(own.count(max(own, key=own.count)) for own in bursts) >= 10
    assert len({max(own, key=own.count) for own in bursts}) == 4


@pytest.mark.parametrize(("command", "extra"), NEEDS.items())
def test_what_needs_an_extra_says_so_in_one_sentence(done: dict[str, Done], command: str, extra: str) -> None:
    code = done[command].code
    assert isinstance(code, str), done[command]
    assert code.startswith("ilap: ")
    assert code.endswith(f"pip install 'ilap[{extra}]'.")
    assert "\n" not in code


@pytest.mark.parametrize(("program", "extra"), IN_PYTHON.items())
def test_python_says_the_same(done: dict[str, Done], program: str, extra: str) -> None:
    code = done[program].code
    assert isinstance(code, str)
    assert re.fullmatch(rf"MissingExtra: .+: pip install 'ilap\[{extra}\]'\.", code)


def test_the_learner_in_memory_needs_no_extra(done: dict[str, Done]) -> None:
    assert done[TEN_LINES] == Done(0, "new\n", "")
