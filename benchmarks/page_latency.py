"""How long a person waits on the page of ``ilap serve``, in a real browser.

    PYTHONPATH=tools python benchmarks/page_latency.py --pace 2 --identities 100 1000 10000

Synthetic features with the prior's variances: identities, each a class of one exposure, and a second exposure
of each that waits. Measured are, in ms: from a key to the next question on the screen, at a pace of one answer
in ``--pace`` seconds and as fast as questions come, all of them right; the same of an arrow key, which asks
nobody, for comparison; from the key I to the first identities on the screen, twice; and in seconds until
``ilap serve`` prints its address. Needs the extra dev, and Chromium.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from exposures import PICTURES, SESSIONS, exposure
from ilap import Exposure
from ilap.exact.metric import Metric
from ilap.exact.statistics import NO_CLASS, Statistics, Traits, residuals_of, sums_of
from ilap.keep.learner import LearnerInFile
from ilap.keep.store.state import checkpoint
from ilap.learner.answers import question_of
from ilap.learner.log import ILAP, NOWHERE, UNSURE, Change
from ilap.learner.store import Entry
from screens import ALONE, CHROMIUM, screen
from synthetic import exact_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIDE = 24  # pixels of a picture
AT_ONCE = 200  # exposures whose scatter is added up at once
WATCH = """
const next = (fits) => new Promise((done) => {
  const painted = () => setTimeout(() => done(performance.now()));
  const look = () => fits() ? requestAnimationFrame(painted) : setTimeout(look, 1);
  look();
});
window.untilNext = () => {
  const asked = () => document.querySelector("#screen").dataset.question;
  const before = asked();
  return new Promise((done) => addEventListener("keydown", () => {
    const began = performance.now();
    next(() => asked() && asked() !== before).then((ended) => done(ended - began));
  }, { capture: true, once: true }));
};
window.untilTiles = () => new Promise((done) => addEventListener("keydown", () => {
  const began = performance.now();
  next(() => document.querySelector(".identity")).then((ended) => done(ended - began));
}, { capture: true, once: true }));
"""


def make(path: Path, identities: int) -> None:
    """A learner's file with so many identities, written as one event."""
    rng = np.random.default_rng(0)
    with LearnerInFile(path) as learner:
        state, exact = learner.state, exact_of(learner)
        dim, rule = exact.model.prior.dim, exact.model.rule.class_prior
        spread = rule.share * exact.model.prior.between + rule.floor
        traits = Traits(log_tr=0.0, log_ratio=float(np.log(3 / dim)))
        sure, unsure, memory, waiting = dict[int, Statistics](), dict[int, Statistics](), state.memory, []
        centres = rng.normal(size=(identities, dim)) * np.sqrt((1 - SESSIONS) * spread)
        scatter, residuals, rule_name = np.zeros((dim, dim)), list[np.ndarray](), learner.rule
        with learner.store.transaction() as connection:
            for number in range(2 * identities):
                samples = exposure(number, centres[number % identities], spread, rng)
                pictures = rng.integers(0, 256, (PICTURES, SIDE, SIDE, 3), np.uint8)
                learner.store.add(Exposure(list(pictures), name=f"burst {number:05}"), samples, rule_name)
                residuals.append(residuals_of(samples))
                if len(residuals) == AT_ONCE or number == 2 * identities - 1:
                    rows = np.concatenate(residuals)
                    scatter, residuals = scatter + rows.T @ rows, []
                place = number if number < identities else NO_CLASS
                own = Statistics(place, sums_of(samples), traits, samples.rows)
                if number < identities:
                    sure[number], memory = own, memory.remember(number, samples, exact.features)
                else:
                    unsure[number] = own
                    waiting.append(samples)
            metric = Metric(scatter, 2 * identities * (PICTURES - 1), prior_known=True)
            model = replace(exact.model.with_metric(metric), exposures=sure, unsure=unsure)
            model = replace(model, by_class=model.summed(sure, set(sure)))
            after = replace(
                state,
                classifier=replace(exact, model=model),
                memory=memory,
                sizes=(PICTURES,) * (2 * identities),
                members={number: (number,) for number in sure},
                waiting=tuple(waiting),
                tentative={number: number - identities for number in unsure},
                founded=identities,
            )
            changes = [Change(n, NOWHERE, n) for n in sure] + [Change(n, NOWHERE, UNSURE) for n in unsure]
            told = {n: {"kind": "new", "class": n, "error": 0.01, "p_new": 0.99, "p_known": {}} for n in sure}
            event = learner.store.write(Entry(ILAP, "learn", {}, changes, told), state, after)
            checkpoint(connection, metric, event)


def answer(page: Page, identities: int) -> str:
    """The key of the right answer to the question on the screen."""
    asked = question_of(page.get_attribute("#screen", "data-question") or "")
    alike = [number % identities == asked.exposure % identities for number in asked.shown]
    if asked.kind == "which":
        return str(alike.index(True) + 1) if any(alike) else "n"
    return ("f" if alike[0] else "j") if asked.kind == "same" else "f" if all(alike) else "k"


def waits(page: Page, identities: int | None, count: int, pace: float) -> list[float]:
    """The times from a key to the next question: of an answer, or where there are no identities of an arrow."""
    found = []
    for _ in range(count):
        began = time.monotonic()
        key = "ArrowRight" if identities is None else answer(page, identities)
        page.evaluate("window.result = untilNext(), 0")
        page.keyboard.press(key)
        found.append(float(page.evaluate("window.result")))
        time.sleep(max(0.0, pace - (time.monotonic() - began)))
    return found


def note(found: dict[str, float], name: str, some: list[float]) -> None:
    """The median and the 95th percentile of some times."""
    found[f"{name}, median"] = float(np.median(some))
    found[f"{name}, 95th"] = float(np.percentile(some, 95))


def measure(file: Path, identities: int, keys: int, pace: float) -> dict[str, float]:
    """All of it, of one learner."""
    from playwright.sync_api import sync_playwright

    began = time.monotonic()
    run = "from ilap.cli import main; main()"
    command = [sys.executable, "-c", run, "serve", str(file), "--no-open", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().split()[0]
    found = {"s to the address": time.monotonic() - began}
    try:
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=CHROMIUM, args=ALONE)
            page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
            page.set_default_timeout(300_000)
            page.add_init_script(WATCH)
            page.goto(address)
            page.locator("#screen:not([data-question=''])[aria-busy=false]").wait_for()
            note(found, "arrow", waits(page, None, 8, 0.2))
            note(found, "paced", waits(page, identities, keys, pace))
            page.locator("#screen[aria-busy=false]").wait_for()
            for name in ("identities", "identities again"):
                page.evaluate("window.result = untilTiles(), 0")
                page.keyboard.press("i")
                found[name] = float(page.evaluate("window.result"))
                screen(page, "q", "questions")
            note(found, "at once", waits(page, identities, keys, 0.0))
            browser.close()
    finally:
        server.terminate()
        server.wait()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--identities", type=int, nargs="*", default=[100, 1000, 10000])
    parser.add_argument("--keys", type=int, default=40, help="answers of each kind")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two answers")
    parser.add_argument("--keep", type=Path, help="folder in which the learners are kept")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = given.keep or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        for count in given.identities:
            file = kept / f"{count}.ilap"
            if not file.exists():
                make(file, count)
            found = measure(file, count, given.keys, given.pace)
            print(
                f"{count:>6}  " + "  ".join(f"{name} {value:.3g}" for name, value in found.items()), flush=True
            )


if __name__ == "__main__":
    main()
