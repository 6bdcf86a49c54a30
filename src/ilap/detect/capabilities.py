"""What detectors may need of a classifier beyond what all give, and the error where it cannot be had.

Every classifier has the capabilities probabilities, features and trial (core/classifier.py). Some have more:

    logits       what lies before the softmax. ``exact`` has none: its scores lack a part that all classes share
    gradients    of the logits at the pixels, through the whole network
    maps         activations of the layers inside
    confidence   a confidence branch that was trained along
    belief       how likely an exposure is each class and how likely a new one, in closed form
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

from ilap.core.classifier import Array, Classifier
from ilap.core.errors import BadSetting
from ilap.core.exposure import Samples
from ilap.core.rule import Rule
from ilap.exact.belief import Belief

if TYPE_CHECKING:  # a heavy library, for its types
    from torch import Tensor

ADVICE = {
    "logits": ("logits", "take classifier=network"),
    "gradients": ("gradients at the pixels", "take classifier=network with trainable=all or a stage's name"),
    "maps": ("feature maps", "take classifier=network with trainable=all or a stage's name"),
    "confidence": ("a confidence branch", "take classifier=confident"),
    "belief": ("probabilities of all answers", "take classifier=exact"),
}


class GivesLogits(Classifier, Protocol):
    """A classifier with a head."""

    def logits(self, samples: NDArray[Any]) -> Array:
        """For every sample a number for every class, before the softmax."""


class GivesGradients(Classifier, Protocol):
    """A classifier through which torch can go back to the pixels."""

    def pixels(self, exposure: Samples) -> Tensor:
        """The exposure's pictures, from 0 to 255, as the network takes them."""

    def from_pixels(self, pictures: Tensor) -> Tensor:
        """Logits, with gradients."""


class GivesMaps(Classifier, Protocol):
    """A classifier with layers to look into."""

    def maps(self, samples: NDArray[Any], reduce: Callable[[Tensor], Tensor]) -> list[NDArray[Any]]:
        """Of every layer what ``reduce`` makes of its maps (n, channels, places), one row a sample."""


class GivesConfidence(Classifier, Protocol):
    """A classifier that says how sure it is."""

    def confidences(self, samples: NDArray[Any]) -> Array:
        """For every sample a number between 0 and 1."""


class GivesBelief(Classifier, Protocol):
    """A classifier that weighs every answer."""

    @property
    def rule(self) -> Rule:
        """The constants by which it does."""

    def belief(self, exposure: Samples) -> Belief | None:
        """How likely the exposure is each class, and how likely a new one; None where nothing is known."""


def missing(needs: frozenset[str], classifier: Classifier) -> list[str]:
    """What a classifier cannot give of what is needed."""
    return sorted(needs - classifier.capabilities)


def require(detector: str, needs: frozenset[str], classifier: Classifier) -> Any:
    """The classifier itself, as what it then is, or an error where it cannot give what a detector needs."""
    for need in missing(needs, classifier):
        what, advice = ADVICE.get(need, (need, "take another classifier"))
        name = type(classifier).__name__.lower()
        raise BadSetting(f"{detector} needs {what}, which this classifier ({name}) cannot give: {advice}.")
    return classifier
