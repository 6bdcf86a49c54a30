"""The learner in scikit-learn's shape: fit, partial_fit, predict and predict_proba over pictures.

Everywhere a sample is an exposure: a list of pictures (uint8 arrays) that all show one thing. An X is a list of
exposures, with one label each in y where they are known; a single exposure is an X of one sample. So
``cross_val_score`` and ``GridSearchCV`` work as with any classifier. ``predict_pictures`` names single
pictures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ilap.backbones.contract import Backbone
from ilap.core.decision import Decision
from ilap.core.errors import BadExposure, BadSetting
from ilap.core.exposure import Exposure, Picture, as_exposure
from ilap.core.plural import counted
from ilap.keep.learner import LearnerInFile
from ilap.learner.learner import Learner
from ilap.learner.names import checked
from ilap.learner.naming import class_name


class ExposureClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Sorts exposures into classes that nobody named, and says of which class others are.

    ``classes_`` are, in the order of predict_proba's columns, the classes' ids; once labels were given, the
    labels, and names such as "class 3" for classes that have none. Tentative groups are not among them:
    ``learner_.predict`` names these too. ``decision_`` is the last answer,
    ``decisions_`` are those of the last call, ``learner_`` is the learner itself.
    """

    def __init__(
        self,
        preset: str = "fast",
        *,
        seed: int = 0,
        risk: float | None = None,
        backbone: str | Backbone | None = None,
        settings: Mapping[str, Any] | None = None,
        path: str | Path | None = None,
        warm_start: bool = False,
    ) -> None:
        """``settings`` are any other changes to the preset (settings.py). With a ``path`` the learner lives in
        that file, labels are the names of its classes, and ``close`` lets go of it. With ``warm_start`` fit
        forgets nothing, so that a Pipeline can learn exposure by exposure."""
        self.preset = preset
        self.seed = seed
        self.risk = risk
        self.backbone = backbone
        self.settings = settings
        self.path = path
        self.warm_start = warm_start

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803
        """Forget, then learn one exposure or a list of them; y is one label for each, or nothing."""
        parts = exposures(X)
        labels = labels_for(parts, y, nested=parts is X)
        if not (self.warm_start and hasattr(self, "learner_")):
            self._start()
        if self.path is not None and not self.warm_start and self.learner_.state.seen:
            self.close()
            raise BadSetting(
                f"{self.path} holds a learner already, which fit would forget: use partial_fit or "
                f"warm_start=True to go on with it, or another path."
            )
        self.decisions_ = [self._learn(part, label) for part, label in zip(parts, labels, strict=True)]
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None) -> Self:  # noqa: N803
        """Go on with one exposure or a list of them. y, where it is known, is a label for each (or one label
        for every picture of a single exposure): nothing is then detected. ``classes`` is there for
        scikit-learn; classes come as they are met."""
        parts = exposures(X)
        labels = labels_for(parts, y, nested=parts is X)
        if not hasattr(self, "learner_"):
            self._start()
        self.decisions_ = [self._learn(part, label) for part, label in zip(parts, labels, strict=True)]
        return self

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The likeliest class of every exposure."""
        best: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(1)]
        return best

    def predict_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: N803
        """The probability of every class, a row an exposure, should it be one of them. Where the detector gives
        no probabilities, the mean over the pictures."""
        check_is_fitted(self, "learner_")
        return np.stack([self._shares(part) for part in exposures(X)])

    def predict_pictures(self, pictures: Sequence[Picture]) -> NDArray[Any]:
        """The likeliest class of every picture, each by itself."""
        best: NDArray[Any] = self.classes_[self.predict_pictures_proba(pictures).argmax(1)]
        return best

    def predict_pictures_proba(self, pictures: Sequence[Picture]) -> NDArray[np.float64]:
        """The probability of every class, a row a picture."""
        check_is_fitted(self, "learner_")
        return self.learner_.predict(pictures, tentative=False).probabilities

    def _shares(self, exposure: Any) -> NDArray[np.float64]:
        """The probability of every class that one exposure is of it."""
        pictures = as_exposure(exposure).pictures
        alone: NDArray[np.float64] = self.predict_pictures_proba(pictures).mean(0)
        found = self.learner_.detect(exposure).probabilities
        known = None if found is None else found[1:]
        return alone if known is None or not known.sum() else known / known.sum()

    @property
    def decision_(self) -> Decision:
        """The last answer: new, known or unsure, and why."""
        check_is_fitted(self, "decisions_")
        last: Decision = self.decisions_[-1]
        return last

    @property
    def classes_(self) -> NDArray[Any]:
        """What predict answers with."""
        check_is_fitted(self, "learner_")
        ids = list(self.learner_.classes)
        if not self.labels_:
            return np.array(ids, np.int64)
        labels = [self.labels_.get(class_id, class_name(class_id, {})) for class_id in ids]
        if len({type(label) for label in labels}) == 1:
            return np.array(labels)
        mixed = np.empty(len(labels), object)
        mixed[:] = labels
        return mixed

    def close(self) -> None:
        """Let go of the learner's file; the estimator is then as before fit."""
        for name in ("decisions_", "labels_"):
            self.__dict__.pop(name, None)
        if isinstance(learner := self.__dict__.pop("learner_", None), LearnerInFile):
            learner.close()

    def _start(self) -> None:
        """A learner that knows nothing, or the one of the file."""
        self.close()
        changes = dict(self.settings or {})
        if self.risk is not None:
            changes["risk"] = self.risk
        known: dict[str, Any] = {"seed": self.seed, "backbone": self.backbone, **changes}
        self.labels_: dict[int, Any] = {}
        if self.path is None:
            self.learner_: Learner | LearnerInFile = Learner(self.preset, **known)
        else:
            in_file = LearnerInFile(self.path, self.preset, **known)
            self.learner_, self.labels_ = in_file, dict(in_file.names)

    def _learn(self, pictures: Any, label: Any) -> Decision:
        """Learn one exposure, and its label where it has one."""
        learner = self.learner_
        if label is None:
            return learner.observe(pictures)
        if isinstance(learner, LearnerInFile):
            label = checked(str(label), None, {})
        known = [k for k, own in self.labels_.items() if own == label and k in learner.classes]
        decision = learner.teach(pictures, known[0] if known else None)
        if not known and decision.class_id is not None:
            if isinstance(learner, LearnerInFile):
                learner.rename(decision.class_id, label)
            self.labels_[decision.class_id] = label
        return decision

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        tags.input_tags.two_d_array = False
        tags.input_tags.three_d_array = True
        return tags


def is_picture(thing: Any) -> bool:
    """Whether this is one picture, by its shape.

    >>> is_picture(np.zeros((8, 8))), is_picture(np.zeros((8, 8, 3))), is_picture(np.zeros((5, 8, 8)))
    (True, True, False)
    """
    return isinstance(thing, np.ndarray) and (
        thing.ndim == 2 or (thing.ndim == 3 and thing.shape[2] in (1, 3, 4))
    )


def exposures(X: Any) -> Sequence[Any]:  # noqa: N803
    """One exposure as a list of one; a list of exposures as it is."""
    some = isinstance(X, (list, tuple)) or (isinstance(X, np.ndarray) and X.ndim > 0)
    several = some and len(X) and not is_picture(X[0])
    return X if several and isinstance(X[0], (Exposure, np.ndarray, list, tuple)) else [X]


def labels_for(parts: Sequence[Any], y: Any, nested: bool) -> list[Any]:
    """A label for every exposure, None where there is none."""
    if y is None:
        return [None] * len(parts)
    found = list(np.asarray(y, dtype=object).ravel())
    if any(isinstance(label, float) and math.isnan(label) for label in found):
        raise BadExposure("A label is not a number: leave y out for what nobody knows.")
    if not nested and len(set(found)) > 1:
        raise BadExposure("All pictures of an exposure show one thing: give one label, not several.")
    given = found[:1] if not nested else found
    if len(given) != len(parts):
        some = f"X has {counted(len(parts), 'exposure')} and y {counted(len(given), 'label')}"
        raise BadExposure(f"{some}: give one for each.")
    return [label.item() if isinstance(label, np.generic) else label for label in given]
