"""``ilap calibrate``: lambda and theta for one's own labelled pictures, as a preset file (paper 3.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ilap.bench import processes
from ilap.core import presets
from ilap.core.errors import BadSetting
from ilap.core.settings import resolve
from ilap.paper import style
from ilap.paper.calibration import Calibration, choose, curves, streamed
from ilap.paper.figures.figure2 import HEADER, UP, draw, facts_of, rows_of

FILE = "preset.json"
SAFE = 0.9  # the share of new classes that should be found
NARROW = 0.2  # a gap that tells little
SHARES = ("repeats_known", "new_found", "repeats_known_twice", "new_found_twice")


def calibrate(
    data: str,
    preset: str,
    exposure_size: int,
    seeds: Sequence[int],
    changes: Mapping[str, Any],
    out: Path,
    jobs: int | None,
) -> dict[str, Any]:
    """Measure the curves, choose, and write the preset file with the figure and its numbers beside it."""
    if presets.is_file(preset):
        raise BadSetting(
            "A preset file is calibrated already: start from a preset's name, with --set for the rest."
        )
    changes = {**changes, "detector": "confusion"}
    resolve(preset, changes)  # errors before the work, not in it
    work = [Calibration(data, preset, seed, exposure_size, changes) for seed in seeds]
    streamed(data, exposure_size, seeds[0])
    logs = processes.run(work, out, jobs)
    found = curves(logs)
    chosen = choose(found)
    figure = style.figure(style.COLUMN / 2, 2.7)
    axes = style.plain(figure.subplots(), r"class imbalance $\lambda$", UP, data)
    axes.set(xlim=(-0.02, 0.97), ylim=(-0.03, 1.05))
    draw(axes, found, chosen)
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    files = style.save(figure, HEADER, rows_of(data, preset, found, logs), out / "curves")
    facts = facts_of(found, chosen, logs)
    settings = {**changes, "imbalance": chosen.imbalance, "theta": chosen.theta}
    about = {"data": data, "exposure_size": exposure_size, "seeds": list(seeds), **facts}
    presets.write(out / FILE, preset, settings, about)
    return {
        "preset": str(out / FILE),
        "from": preset,
        "lambda": chosen.imbalance,
        "theta": chosen.theta,
        "gap": chosen.gap,
        "gap_without": round(facts["gap_without"], 4),
        **{name: facts[name] for name in SHARES},
        "curves": [dict(zip(HEADER, row, strict=True)) for row in rows_of(data, preset, found, logs)],
        "files": [str(file) for file in files],
    }


def sentences(report: Mapping[str, Any]) -> list[str]:
    """What is said on the terminal."""
    lines = [
        f"lambda {report['lambda']:.2f}, theta {report['theta']:.3f}: repeated classes drop by "
        f"{report['gap']:.2f} more than others, without imbalance by {report['gap_without']:.2f}.",
        f"At these, {report['repeats_known']:.0%} of the repeats and {report['new_found']:.0%} of the new "
        "classes of the trials are decided right; where every class was taught twice, "
        f"{report['repeats_known_twice']:.0%} and {report['new_found_twice']:.0%}.",
        f"{report['preset']}: use it as --preset or --learner.",
    ]
    if report["gap"] < NARROW:
        lines.insert(1, "The gap is narrow: take larger exposures, or another preset or backbone.")
    if min(report["new_found"], report["new_found_twice"]) < SAFE:
        lines.insert(
            1, "New classes break others at this lambda: a smaller one may serve a stream's beginning better."
        )
    return lines
