"""ilap: sorts unlabelled batches of pictures into identities, and keeps learning.

``Learner`` and what else is named here are imported where they are first used, so that ``import ilap`` and
``ilap --help`` take no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ilap.core.version import __version__

if TYPE_CHECKING:
    from ilap.api import Learner, open_learner, sample_stream
    from ilap.core.decision import Decision
    from ilap.core.exposure import Exposure
    from ilap.estimator import ExposureClassifier

__all__ = [
    "Decision",
    "Exposure",
    "ExposureClassifier",
    "Learner",
    "__version__",
    "open_learner",
    "sample_stream",
]

HOMES = {
    "Decision": "ilap.core.decision",
    "Exposure": "ilap.core.exposure",
    "ExposureClassifier": "ilap.estimator",
    "Learner": "ilap.api",
    "open_learner": "ilap.api",
    "sample_stream": "ilap.api",
}


def __getattr__(name: str) -> Any:
    """What this package offers, from where it lies."""
    if name not in HOMES:
        raise AttributeError(f"module 'ilap' has no attribute {name!r}")
    from ilap.core.extras import needed_for

    with needed_for(f"ilap.{name}"):
        return getattr(import_module(HOMES[name]), name)
