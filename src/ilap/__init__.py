"""ilap: sorts unlabelled batches of pictures into classes by the confusion that each would cause."""

from typing import TYPE_CHECKING, Any

from ilap.decision import Decision
from ilap.exposure import Exposure
from ilap.learner import Learner

if TYPE_CHECKING:
    from ilap.estimator import ExposureClassifier

__all__ = ["Decision", "Exposure", "ExposureClassifier", "Learner"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """The estimator brings scikit-learn, which is imported only where it is asked for."""
    if name == "ExposureClassifier":
        from ilap.estimator import ExposureClassifier

        return ExposureClassifier
    raise AttributeError(f"module 'ilap' has no attribute {name!r}")
