"""Whether one thread of linear algebra, the default, is right: commands with one and with all threads, beside
busy loops and without.

    python benchmarks/threads.py PICTURES

PICTURES is a folder of bursts. Wall seconds, one run each, in turns; machines are shared, so ratios count.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ILAP = [sys.executable, "-c", "from ilap.cli import main; main()"]
THREADS = {
    "default": {},
    "one": {"OPENBLAS_NUM_THREADS": "1"},
    "all": {"OPENBLAS_NUM_THREADS": str(os.cpu_count())},
}


def seconds(command: list[str], settings: dict[str, str]) -> float:
    """Of a command, which has to succeed."""
    started = time.perf_counter()
    plain = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    subprocess.run([*ILAP, *command], env={**plain, **settings}, check=True, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--busy", type=int, default=2, help="loops beside it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for busy in (0, given.busy):
            loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
            try:
                rows: dict[str, list[str]] = {name: [] for name in ("demo", "learn", "show", "review")}
                for name, settings in THREADS.items():
                    learner = f"{folder}/{busy}-{name}.ilap"
                    commands = {
                        "demo": ["demo", "--json", "--out", f"{folder}/demo.html"],
                        "learn": ["learn", learner, str(given.pictures)],
                        "show": ["show", learner],
                        "review": ["review", learner],
                    }
                    for command, words in commands.items():
                        rows[command].append(f"{name} {seconds(words, settings):.1f} s")
            finally:
                for loop in loops:
                    loop.kill()
            for command, told in rows.items():
                print(f"{busy} busy loops, {command}: {', '.join(told)}", flush=True)


if __name__ == "__main__":
    main()
