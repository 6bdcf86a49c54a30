"""A learner in a file: it decides as any other (learner/learner.py), over a store that is a file.

Everything that it does is one transaction: the exposure with its pictures' features, the steps that came of it
and what they changed. So whenever the process is killed, the file holds all of an exposure or nothing of it.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ilap.backbones.contract import Backbone
from ilap.core.errors import BadSetting
from ilap.core.settings import resolve, restored
from ilap.exact.exact import Exact
from ilap.keep import adapt
from ilap.keep.store import events, exposures, state
from ilap.keep.store.file import MEMORY, LearnerFile, checkpoint_of, remove
from ilap.keep.store.store import InFile
from ilap.learner import notebook
from ilap.learner.adapting import Adaptation, PicturesOf, Watch
from ilap.learner.learner import Learner
from ilap.learner.step import begin

if TYPE_CHECKING:
    from ilap.network.adapt import Recipe


class LearnerInFile(Learner):
    """The learner. ``ilap.open_learner`` makes one."""

    def __init__(
        self,
        path: str | Path,
        preset: str = "fast",
        *,
        seed: int = 0,
        backbone: str | Backbone | None = None,
        writable: bool = True,
        create: bool = True,
        **changes: Any,
    ) -> None:
        """Open a file, or make one with these settings. One that exists keeps its own: of them only the risk
        can be changed."""
        if isinstance(backbone, str):
            changes["backbone"], backbone = backbone, None
        there = os.path.exists(Path(path).expanduser())
        self.file = LearnerFile(path, writable=writable, create=create and writable)
        try:
            with self.file.snapshot() as connection:
                kept, kept_seed = (state.meta(connection, key) for key in ("settings", "seed"))
            settings = resolve(preset, changes) if kept is None else restored(kept, changes, self.path)
            if settings.classifier.name != "exact":
                raise BadSetting(
                    f"A learner in a file needs the classifier exact, not {settings.classifier.name}: "
                    f"take fast."
                )
            seed = seed if kept is None else kept_seed
            loop, self._empty = begin(settings, seed, backbone)
            features = features_of(self._empty.exact)
            if kept is None:
                notes = {"settings": settings.plain(), "seed": seed, "backbone": features}
                with self.file.transaction() as connection:
                    for key, value in notes.items():
                        state.set_meta(connection, key, value)
            with self.file.snapshot() as connection:
                made_by = state.meta(connection, "backbone")
                if made_by != features:
                    raise BadSetting(
                        f"{self.path} was learned with the features of {made_by['key']} and another prior than "
                        f"that of {features['key']} here: use the version of ilap that made it, or learn again."
                    )
                self.dtype = made_by["dtype"]
                store = InFile(self.file, self.dtype)
                self._begin(settings, seed, loop, state.load(connection, self._empty, self.dtype), store)
                self._event = events.last(connection)
        except BaseException:
            self.file.close()
            if not there and self.path != MEMORY:
                remove(Path(self.path))
            raise

    def __repr__(self) -> str:
        """In a few words."""
        return f"LearnerInFile({self.path!r}, {notebook.summary(self.state)})"

    @property
    def path(self) -> str:
        """Where the file is."""
        return self.file.path

    def reload(self) -> None:
        """Take up the state that the file holds, as opening it would."""
        with self.file.snapshot() as connection:
            self._load(connection)

    def _load(self, connection: sqlite3.Connection) -> None:
        self.file.verify(connection)
        self.state = state.load(connection, self._empty, self.dtype)
        self.names, self._event = state.names(connection), events.last(connection)

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Everything that is read inside is of one moment, what the learner knows as well: where another
        process has written to the file since the state was loaded, it is loaded again first."""
        if self.file.connection.in_transaction:  # inside another one, or inside a write
            yield self.file.connection
            return
        with self.file.snapshot() as connection:
            if not self.file.writable and events.last(connection) != self._event:
                self._load(connection)
            yield connection

    def adapt(
        self,
        minutes: float | None = 5,
        pictures_of: PicturesOf | None = None,
        recipe: Recipe | None = None,
        watch: Watch = lambda done, steps: None,
        checkpoint: Path | None = None,
    ) -> Adaptation:
        """Train a network on the classes as they are now, and keep it if it names held-out pictures better than
        the frozen features alone (learner/adapting.py). Pictures are read again from their files. Stopped or
        killed, the same call goes on from the last checkpoint, which lies beside the file."""
        if self.path != MEMORY:
            checkpoint = checkpoint or checkpoint_of(Path(self.path))
        read = partial(adapt.pictures_of, self.file.connection)
        return super().adapt(minutes, pictures_of or read, recipe, watch, checkpoint)

    def close(self) -> None:
        """Let go of the file."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def name_of_exposure(self, number: int) -> str:
        """What an exposure is called: its folder, mostly."""
        return exposures.name_of(self.file.connection, number)


def beginnings(preset: str = "fast") -> dict[str, Any]:
    """What the file of a new learner notes of itself."""
    settings = resolve(preset, {})
    _, empty = begin(settings, 0)
    return {"settings": settings.plain(), "seed": 0, "backbone": features_of(empty.exact)}


def features_of(exact: Exact) -> dict[str, Any]:
    """What the features are made by."""
    prior = exact.model.prior
    digest = hashlib.sha256(np.ascontiguousarray(prior.projection).tobytes()).hexdigest()
    return {
        "key": exact.backbone.key,
        "prior": digest,
        "dim": prior.dim,
        "dtype": np.dtype(prior.dtype).name,
    }
