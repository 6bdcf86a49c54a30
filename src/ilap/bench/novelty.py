"""Detectors against each other, on the same stream and the same model (paper 4.2).

Every exposure is scored before the update, by all detectors of a model, from the time that two classes are
known: before that, what speaks through a softmax has nothing to say. Updates take the true label, so that all
detectors see the same model. The closed loop, in which updates take the detector's own decision, is in
closed_loop.py.

A line of the log holds which pictures were shown, so the stream is stored with the run. A cell that was not
finished is begun anew.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock

from ilap import registry
from ilap.backbones.load import load_frozen
from ilap.bench.closed_loop import closed_loop
from ilap.bench.novelty_cell import KNOWN, Line, NoveltyCell, read
from ilap.bench.stream import Stream
from ilap.bench.taught import untaught
from ilap.classify.contract import Classifier
from ilap.exposure import Exposure
from ilap.settings import Settings


def carry_out(cell: NoveltyCell, folder: Path) -> None:
    """Run a cell to its end, unless it was before."""
    path = cell.path(folder)
    with FileLock(path.with_suffix(".lock")):
        stream = cell.stream()
        if len(read(path)) == len(stream):
            return
        with path.open("w", encoding="utf-8") as file:
            for line in closed_loop(cell, stream) if cell.row else open_loop(cell, stream):
                shown = list(stream.pictures[line["number"]])
                file.write(json.dumps({"data": cell.data, "seed": cell.seed, **line, "pictures": shown}) + "\n")
                file.flush()


def open_loop(cell: NoveltyCell, stream: Stream) -> Iterator[Line]:
    """Score by all rows of the model, then learn the true label."""
    settings = cell.model.settings()
    model = untaught(settings, cell.seed)
    chosen = {row: cell.model.settings(row) for row in cell.model.rows}
    detectors = {row: registry.find("detector", own.detector)(own) for row, own in chosen.items()}
    ids: dict[int, int] = {}
    for number, (exposure, truth) in enumerate(stream):
        samples, seed = model.samples(exposure, number)
        line: Line = {"number": number, "truth": truth, "novel": truth not in ids, "known": len(ids)}
        found = {}
        if len(ids) >= KNOWN:
            line |= forward_pass(model.classifier, settings, exposure)
            for row, detector in detectors.items():
                started = time.perf_counter()
                finding = detector(model.classifier, samples, model.memory, seed)
                seconds = time.perf_counter() - started
                found[row] = {"score": finding.score, "kind": finding.kind, "seconds": round(seconds, 5)}
        started = time.perf_counter()
        model = model.learn(samples, ids.setdefault(truth, len(ids)), seed)
        update = round(time.perf_counter() - started, 5)
        yield line | {"update": update, "found": found}


def forward_pass(classifier: Classifier, settings: Settings, exposure: Exposure) -> dict[str, float]:
    """Seconds of one forward pass, from pictures to probabilities, and of the part that all detectors share:
    what the classifier takes in. Features that are stored on disk are computed anew for this."""
    rows = classifier.samples(exposure.pictures)
    started = time.perf_counter()
    if settings.is_frozen:
        load_frozen(settings).features(exposure.pictures)
    else:
        classifier.samples(exposure.pictures)
    taken_in = time.perf_counter()
    classifier.probabilities(rows)
    return {"taking_in": round(taken_in - started, 5), "forward": round(time.perf_counter() - started, 5)}
