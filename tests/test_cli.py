from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import ILAP, ilap
from ilap.core.presets import PRESETS


def in_a_process(*arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    command = [ILAP, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def test_help_answers_at_once() -> None:
    in_a_process("--help")  # the first run compiles
    started = time.perf_counter()
    done = in_a_process("--help")
    assert time.perf_counter() - started < 2
    assert "demo" in done.stdout


def test_the_demo_reports_one_json_object_and_writes_a_page(tmp_path: Path) -> None:
    out = tmp_path / "new folder" / "page.html"
    done = in_a_process("demo", "--json", "--out", str(out))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["decisions_right"] >= 0.95 * report["exposures"] == 0.95 * 30  # at once, since it is told
    assert report["right_at_end"] >= report["decisions_right"]
    assert report["unsure_at_end"] <= 1
    assert report["unique_classes"] == report["true_classes"] == 10
    assert report["accuracy"] >= 0.95
    assert len(report["records"]) == 30
    assert report["records"][0]["decision"]["kind"] == "new"
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert len(done.stderr.splitlines()) >= 31


def test_the_demo_ends_with_a_table(tmp_path: Path) -> None:
    out = str(tmp_path / "page.html")
    done = ilap("demo", "--exposure-size", "10", "--repeats", "2", "--seed", "3", "--out", out)
    assert done.returncode == 0, done.stderr
    for words in ("decisions right", "classes found", "accuracy", "seconds an exposure"):
        assert words in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--theta", "2"], "theta is 2.0, but it is a share"),
        (["--lambda", "1"], "imbalance is 1.0, but it is a share"),
        (["--data", "letters"], "There is no data set 'letters': take one of cifar10"),
        (["--preset", "slow"], "There is no preset 'slow'"),
        (["--exposure-size", "100"], "take smaller or fewer exposures"),
        (["--repeats", "0"], "take 1 or more"),
        (["--set", "epoch=3"], "There is no setting 'epoch': take one of risk"),
        (["--set", "epochs=many"], "'many' is no value for epochs"),
        (
            ["--preset", "paper", "--set", "device=nowhere", "--backbone", "small"],
            "There is no device 'nowhere'",
        ),
        (["--out", "/dev/null/page.html"], "cannot be written"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(arguments: list[str], sentence: str) -> None:
    done = ilap("demo", "--json", *arguments)
    assert done.returncode != 0
    assert done.stdout == ""
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_process_that_goes_wrong_ends_with_a_sentence_and_no_traceback() -> None:
    done = in_a_process("demo", "--data", "letters")
    assert done.returncode == 1
    assert done.stderr.startswith("ilap: There is no data set 'letters'")
    assert "Traceback" not in done.stderr


def test_presets_are_listed_and_printed_in_full() -> None:
    listed = ilap("presets")
    assert listed.returncode == 0
    for name in PRESETS:
        assert name in listed.stdout
    full = ilap("presets", "paper")
    values = dict(line.split(maxsplit=1) for line in full.stdout.splitlines() if len(line.split()) == 2)
    expected = {"confusion.imbalance": "0.5", "confusion.theta": "0.6", "network.epochs": "15"}
    assert expected.items() <= values.items()
    assert "0.001 for both" in full.stdout
    assert json.loads(ilap("presets", "paper-noci", "--json").stdout)["confusion.imbalance"] == 0.0
    assert set(json.loads(ilap("presets", "--json").stdout)) == set(PRESETS)
    assert "There is no preset 'slow'" in ilap("presets", "slow").stderr


def test_any_setting_can_be_changed_from_the_command_line(tmp_path: Path) -> None:
    done = ilap(
        *(
            "demo",
            "--preset",
            "paper",
            "--backbone",
            "small",
            "--exposure-size",
            "10",
            "--repeats",
            "1",
            "--json",
        ),
        *(
            "--set",
            "epochs=1",
            "--set",
            "resolution=16",
            "--set",
            "batch=8",
            "--out",
            str(tmp_path / "page.html"),
        ),
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["exposures"] == 10
    assert "<td>network.epochs</td><td>1</td>" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_ctrl_c_ends_with_a_word_and_no_traceback(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    command = [ILAP, "demo", "--out", str(out)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    ) as process:
        assert process.stderr is not None
        while "new 0" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in rest
    assert "Traceback" not in rest
    assert not out.exists()
