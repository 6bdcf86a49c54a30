"""ilap: sorts unlabelled batches of pictures into classes by the confusion that each would cause."""

from ilap.decision import Decision
from ilap.exposure import Exposure
from ilap.learner import Learner

__all__ = ["Decision", "Exposure", "Learner"]
__version__ = "0.1.0"
