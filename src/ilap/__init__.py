"""ilap: sorts unlabelled batches of pictures into classes by the confusion that each would cause."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ilap.core.decision import Decision
from ilap.core.exposure import Exposure
from ilap.core.version import __version__
from ilap.learner import learner

if TYPE_CHECKING:
    from ilap.estimator import ExposureClassifier
    from ilap.keep.learner import LearnerInFile

__all__ = ["Decision", "Exposure", "ExposureClassifier", "Learner", "__version__", "open_learner"]


def open_learner(path: str | Path, preset: str = "fast", **settings: Any) -> "LearnerInFile":
    """A learner that lives in a file, which is made if it is not there (keep/learner.py)."""
    from ilap.keep.learner import LearnerInFile

    return LearnerInFile(path, preset, **settings)


class Learner(learner.Learner):
    """A learner in memory (learner/learner.py); ``open`` gives one that lives in a file."""

    open = staticmethod(open_learner)


def __getattr__(name: str) -> Any:
    """The estimator brings scikit-learn, which is imported only where it is asked for."""
    if name == "ExposureClassifier":
        from ilap.estimator import ExposureClassifier

        return ExposureClassifier
    raise AttributeError(f"module 'ilap' has no attribute {name!r}")
