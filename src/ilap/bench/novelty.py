"""Detectors against each other, on the same stream and the same model (paper 4.2).

Every exposure is scored before the update, by all detectors of a model, from the time that two classes are
known: before that, what speaks through a softmax has nothing to say. Updates take the true label, so that all
detectors see the same model. In the *closed loop* the update takes the detector's own decision instead, so
that each has a learner of its own, which is told the first two classes and nothing after.

The log has one line an exposure. A line holds which pictures were shown, so the stream is stored with the run.
A cell that was not finished is begun anew.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from ilap import metrics, registry
from ilap.backbones.load import load_frozen
from ilap.bench.cell import dataset, frozen
from ilap.bench.stream import Plan, Stream, plan
from ilap.classify.contract import Classifier
from ilap.exposure import VALIDATION_SHARE, Exposure, Samples, validation_mask
from ilap.learner import Learner
from ilap.memory import Memory
from ilap.settings import Settings, resolve

KNOWN = 2  # classes that have to be known before an exposure is scored

Line = dict[str, Any]


@dataclass(frozen=True)
class Model:
    """A classifier and the detectors that look at it: each a row of the table, with the settings in which it
    differs. A row's detector is that of its name, unless the settings name another."""

    name: str
    preset: str
    changes: Mapping[str, Any]
    rows: Mapping[str, Mapping[str, Any]]

    def settings(self, row: str = "") -> Settings:
        """Those of the model, or of one of its rows."""
        own = {"detector": row, **self.rows[row]} if row else {}
        return resolve(self.preset, {**self.changes, **own})


@dataclass(frozen=True)
class NoveltyCell:
    """One data set, one model, one seed. In the closed loop ``row`` is whose decisions are followed."""

    data: str
    model: Model
    seed: int
    plan: Plan
    row: str = ""
    threshold: float | None = field(default=None)

    @property
    def name(self) -> str:
        """Readable and its own: another name for every other setting."""
        sign = hashlib.sha256(json.dumps(asdict(self), sort_keys=True, default=str).encode()).hexdigest()[:8]
        loop = f" {self.row} closed" if self.row else ""
        return re.sub("[^A-Za-z0-9.]+", "-", f"{self.data} {self.model.name}{loop} {self.seed}") + f"-{sign}"

    def stream(self) -> Stream:
        """The stream that the seed gives, the same for all models."""
        return plan(dataset(self.data), self.plan, self.seed, self.seed)

    def path(self, folder: Path) -> Path:
        """Where its log lies."""
        return folder / f"{self.name}.jsonl"


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


def read(path: Path) -> list[Line]:
    """The whole lines of a log; none where there is none."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def open_loop(cell: NoveltyCell, stream: Stream) -> Iterator[Line]:
    """Score by all rows of the model, then learn the true label."""
    settings = cell.model.settings()
    backbone = frozen(settings) if settings.is_frozen else None
    classifier: Classifier = registry.find("classifier", settings.classifier)(settings, cell.seed, backbone)
    held_out = max(1, round(settings.exemplars * VALIDATION_SHARE))
    memory = Memory(settings.exemplars - held_out, held_out)
    chosen = {row: cell.model.settings(row) for row in cell.model.rows}
    detectors = {row: registry.find("detector", own.detector)(own) for row, own in chosen.items()}
    ids: dict[int, int] = {}
    for number, (exposure, truth) in enumerate(stream):
        rows = classifier.samples(exposure.pictures)
        samples = Samples(number, rows, validation_mask(len(rows)), exposure.pictures)
        seed = int(np.random.SeedSequence([cell.seed, number]).generate_state(1)[0])
        line: Line = {"number": number, "truth": truth, "novel": truth not in ids, "known": len(ids)}
        found = {}
        if len(ids) >= KNOWN:
            line |= forward_pass(classifier, settings, exposure)
            for row, detector in detectors.items():
                started = time.perf_counter()
                finding = detector(classifier, samples, memory, seed)
                seconds = time.perf_counter() - started
                found[row] = {"score": finding.score, "kind": finding.kind, "seconds": round(seconds, 5)}
        started = time.perf_counter()
        class_id = ids.setdefault(truth, len(ids))
        classifier = classifier.learn(samples, class_id, memory, seed)
        memory = memory.remember(class_id, samples, classifier.features)
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


def closed_loop(cell: NoveltyCell, stream: Stream) -> Iterator[Line]:
    """Score by one row and learn what it decides, once two classes were told."""
    settings = cell.model.settings(cell.row)
    if cell.threshold is not None:
        settings = replace(settings, threshold=cell.threshold)
    changes = {**asdict(settings)}
    if settings.is_frozen:
        changes["backbone"] = frozen(settings)
    learner = Learner(cell.model.preset, seed=cell.seed, **changes)
    seen: set[int] = set()
    ids: dict[int, int] = {}
    truth_of: dict[int, int] = {}
    for number, (exposure, truth) in enumerate(stream):
        line: Line = {"number": number, "truth": truth, "novel": truth not in seen, "known": len(seen)}
        told = len(seen) < KNOWN
        seen.add(truth)
        decision = learner.teach(exposure, ids.get(truth)) if told else learner.observe(exposure)
        right = metrics.decision_is_right(decision, truth, truth_of)
        if decision.class_id is not None:
            ids.setdefault(truth, decision.class_id)
            if decision.kind == "new":
                truth_of[decision.class_id] = truth
        for class_id in decision.discarded:
            truth_of.pop(class_id, None)
        found = {cell.row: {"score": decision.score, "kind": decision.kind, "right": right}}
        learned = {"update": decision.seconds, "classes": len(learner.classes)}
        yield line | learned | {"found": {} if told else found}
