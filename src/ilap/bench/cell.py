"""A cell of a benchmark: one learner, one data set, one seed. It is carried out in a process of its own."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import threading
import time
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from filelock import FileLock

from ilap import preset_file
from ilap.backbones.load import load_backbone
from ilap.backbones.stored import Stored
from ilap.bench import log
from ilap.bench.run import Run
from ilap.bench.stream import Plan, Stream, plan
from ilap.data.contract import Dataset
from ilap.data.load import load as load_data
from ilap.learners.contract import Task
from ilap.learners.load import load as load_learner
from ilap.settings import Settings


@dataclass(frozen=True)
class Cell:
    """What to run. Class order, picture draw and learner have seeds of their own, all ``seed`` by default."""

    data: str
    learner: str
    seed: int
    plan: Plan
    changes: Mapping[str, Any] = field(default_factory=dict)
    order_seed: int | None = None
    picture_seed: int | None = None
    learner_seed: int | None = None

    @property
    def name(self) -> str:
        """Readable and its own: another name for every other setting, and for what else a preset file says."""
        fields = asdict(self)
        if preset_file.is_file(self.learner):
            fields["learner"] = preset_file.read(self.learner)
        spec = json.dumps(fields, sort_keys=True, default=str)
        sign = hashlib.sha256(spec.encode()).hexdigest()[:8]
        readable = re.sub("[^A-Za-z0-9.]+", "-", f"{self.data} {Path(self.learner).stem} {self.seed}")
        return f"{readable}-{sign}"

    def stream(self) -> Stream:
        """The stream that the seeds give."""
        order = self.seed if self.order_seed is None else self.order_seed
        pictures = self.seed if self.picture_seed is None else self.picture_seed
        return plan(dataset(self.data), self.plan, order, pictures)


@lru_cache(maxsize=2)
def dataset(name: str) -> Dataset:
    """A data set, read once a process."""
    return load_data(name)


def frozen(settings: Settings) -> Stored:
    """A backbone whose features are kept on disk."""
    return stored(settings.backbone, settings.resolution, settings.taps)


@lru_cache(maxsize=4)
def stored(name: str, resolution: int | None, taps: tuple[int, ...] | None) -> Stored:
    """One for all learners of a process."""
    return Stored(load_backbone(name, resolution, taps))


def carry_out(cell: Cell, folder: Path) -> None:
    """Run a cell to its end, from where it stopped if it was begun before, writing a line an exposure."""
    path = folder / f"{cell.name}.jsonl"
    with FileLock(path.with_suffix(".lock")):
        stream = cell.stream()
        done, size = log.read(path)
        if len(done) == len(stream):
            return
        seed = cell.seed if cell.learner_seed is None else cell.learner_seed
        learner = load_learner(cell.learner, Task(stream, seed, cell.changes, frozen))
        run = Run(learner, stream, [entry.record for entry in done])
        with path.open("ab") as file:
            file.truncate(size)
            for record in run:
                shown = stream.pictures[len(run.records) - 1]
                log.add(file, log.Entry(cell.data, cell.learner, cell.seed, record, shown, dict(learner.facts)))


def begin_process() -> None:
    """One thread of linear algebra a process, however many there are, so that results do not depend on that;
    and no process outlives the one that began it."""
    import torch
    from threadpoolctl import threadpool_limits

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # said by the process that began this one
    threadpool_limits(1)
    torch.set_num_threads(1)
    threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()


def end_with_parent(parent: int) -> None:
    """A benchmark that is killed takes its processes with it: they would write where it writes again."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
