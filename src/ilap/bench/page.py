"""A run as one self-contained HTML page: what was decided, how it went, and what each class looks like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader

from ilap.bench.follow import Followed
from ilap.bench.run import Run
from ilap.core.page_parts import PALETTE, colour, png_uri

SHOWN = 12  # exemplars of a class
THUMBNAIL = 96


@dataclass(frozen=True)
class Curve:
    """A line over exposures, as SVG coordinates in a box of 100 x 100 that is stretched to fit."""

    label: str
    colour: str
    points: str
    last: str


def curve(label: str, values: Sequence[float], top: float, colour: str, last: str) -> Curve:
    """Values between 0 and ``top`` as a line."""
    step = 100 / max(len(values) - 1, 1)
    points = " ".join(f"{i * step:.2f},{100 - 100 * value / top:.2f}" for i, value in enumerate(values))
    return Curve(label, colour, points, last)


def gallery(run: Run) -> list[dict[str, Any]]:
    """Every class with its most typical pictures and the exposures it was learned from."""
    names = run.stream.dataset.names
    exposures = {}
    groups = []
    for class_id, known in run.learner.classes.items():
        pictures = []
        for number, row in known.exemplars[:SHOWN]:
            if number not in exposures:
                exposures[number] = run.stream.exposure(number)
            pictures.append(png_uri(exposures[number].pictures[row], THUMBNAIL))
        truths = [run.records[number].truth for number in known.exposures]
        groups.append(
            {
                "id": class_id,
                "colour": colour(class_id),
                "pictures": pictures,
                "size": known.pictures,
                "exposures": len(known.exposures),
                "truth": names[truths[0]],
                "pure": len(set(truths)) == 1,
                "mixture": ", ".join(sorted({names[truth] for truth in truths})),
            }
        )
    return groups


def timeline(run: Run) -> list[dict[str, Any]]:
    """One cell an exposure, with a picture of it and what was decided: at once, or when it had waited."""
    names, followed = run.stream.dataset.names, Followed()
    judged = [one for record in run.records for one in followed.take(record.decision, record.truth)]
    settled = {one.exposure: one for one in judged if one.sure and not one.at_once}
    cells = []
    for record in run.records:
        later = settled.get(record.decision.exposure) if record.decision.kind == "unsure" else None
        decision = record.decision if later is None else later.answer
        cells.append(
            {
                "number": decision.exposure + 1,
                "kind": decision.kind,
                "class_id": decision.class_id,
                "colour": "#999" if decision.class_id is None else colour(decision.class_id),
                "right": record.right if later is None else later.right,
                "waited": later is not None,
                "truth": names[record.truth],
                "reason": decision.reason,
                "discarded": decision.discarded,
                "picture": png_uri(run.stream.exposure(decision.exposure).pictures[0], THUMBNAIL),
            }
        )
    return cells


def render(run: Run, settings: dict[str, Any]) -> str:
    """The page."""
    records = run.records
    true_classes = len(set(run.stream.truths))
    most = max(true_classes, *(record.learned_classes for record in records))
    shown = [len({r.truth for r in records[: i + 1]}) for i in range(len(records))]
    summary = run.summary()
    accuracy = [record.accuracy for record in records if record.accuracy is not None]
    seen = [record.accuracy_seen for record in records if record.accuracy_seen is not None]
    learned = [record.learned_classes for record in records]
    environment = Environment(
        loader=PackageLoader("ilap.bench"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("run.html").render(
        dataset=run.stream.dataset.name,
        summary=summary,
        settings=settings,
        share=np.mean([record.right for record in records]),
        timeline=timeline(run),
        gallery=gallery(run),
        accuracy=[
            curve("all", accuracy, 1.0, PALETTE[0], f"{accuracy[-1]:.1%}"),
            curve("shown so far", seen, 1.0, PALETTE[2], f"{seen[-1]:.1%}"),
        ]
        if accuracy
        else [],
        classes=[
            curve("there", shown, most, PALETTE[7], str(shown[-1])),
            curve("found", learned, most, PALETTE[5], str(learned[-1])),
        ],
        most=most,
    )
