"""The rule: every constant that a decision of the exact classifier depends on, as one value.

None of them is a setting, and none is tuned per data set. Behind each stands where it comes from:

    derived    follows from a formula or from a definition
    measured   chosen by trials on the sets that are named (docs/decisions.md has the trials)
    by hand    set once by judgement, never varied in a trial that was written down
    cost       bounds time or memory; a larger value decides the same or slightly better

"all sets" are digits, MNIST, Fashion-MNIST, CIFAR-10, CIFAR-100 and COIL-20: well separated classes, and
objects on a turntable. Real bursts were not among them.

``VERSION`` is written into every learner's file and every log. It counts up with any change that can change a
decision, here or in the code that uses these numbers.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field

VERSION = 4


@dataclass(frozen=True)
class NoPriorRule:
    """backbones/prior.py: what stands in for a prior where a backbone has none."""

    separation: float = 80.0  # squared distance of a class to its nearest neighbour; measured, ImageNet
    variance: float = 100.0  # of class means, over all directions; measured, ImageNet


@dataclass(frozen=True)
class MetricRule:
    """exact/metric.py: the covariance within a class."""

    trust: float = 500.0  # pictures that the prior counts as; measured, all sets: 2,000 names fewer right


@dataclass(frozen=True)
class ClassPriorRule:
    """exact/class_prior.py: how far apart classes lie before any is known."""

    share: float = 0.6  # of ImageNet's variances between classes; measured, all sets
    floor: float = 0.08  # in every direction besides; measured, all sets (.02 and .12 are no better)
    blur: float = 1.5  # noise of one picture's mean, against which directions are weighted; measured, all sets
    leading: int = 256  # directions in which classes differ by more than the floor; cost


@dataclass(frozen=True)
class NoiseRule:
    """exact/noise.py: how much of a distance is noise."""

    usual_error: float = 0.09  # relative variance of an exposure's noise around the stream's; by hand
    few_pairs: float = 10.0  # pairs of pictures that tell tr2 as well as one earlier exposure does; by hand
    first_ratio: float = 3.0  # tr2 / tr^2 times the total weight, before any exposure has told it; by hand


@dataclass(frozen=True)
class PairsRule:
    """exact/cosine.py, surroundings.py: what two exposures tell of each other. The weights that were fitted are
    in exact/calibration.json."""

    blur: float = 0.3  # noise against which directions are weighted, that of five pictures' mean; by hand
    least_free: float = 0.12  # of a squared length, however much of it is noise; by hand
    lowest: float = -1.5  # cosines are cut here, as noise can make them any size; by hand
    highest: float = 2.0  # and here; by hand
    most_variance: float = 4.0  # of a cosine; by hand
    compared: int = 200  # exposures that an exposure is compared with at most; cost
    steps: float = 2.0  # steps' worth of belief in independent pictures; by hand
    hold: float = 8.0  # exposures until which a centred cosine is trusted by half; measured, all families
    early: float = 5.0  # exposures until which distances count by half; by hand
    pooled: float = 4.0  # exposures' worth of belief in what is usual of a stream; by hand
    varied: float = 2.0  # residuals' worth of belief that pictures vary as in ImageNet's classes; by hand
    pooled_spread: float = 5.0  # the same of how all cosines spread; by hand


@dataclass(frozen=True)
class BandsRule:
    """exact/bands.py and session.py: how exposures vary, and which share of it is that of sessions."""

    edges: tuple[int, ...] = (4, 8, 16, 32, 64, 128)  # bands end here, and where the prior's do; by hand
    centre: float = 0.5  # exposures at the prior's mean that the stream's centre is pooled with; by hand
    beyond: float = 0.25  # how far directions beyond the prior's are believed; measured, all families
    exposures: float = 30.0  # exposures' worth of belief in the prior's variances; measured, all families
    residuals: float = 50.0  # residuals' worth of belief in the prior's noise; by hand
    least: float = 0.05  # of the prior's variance, however little is seen; by hand
    turns: int = 2  # in which variances and lengths are found; by hand
    lowest: float = -4.0  # log odds of the share of sessions are looked for from here; by hand
    highest: float = 2.0  # to here; by hand
    finest: float = 1.0  # and in such steps, then by a parabola; cost
    dependence: float = 20.0  # divides their log likelihood; measured, all families: 100 errs more
    usual: float = 0.5  # before anything was seen; measured, all families: it matters little
    follow: float = 0.95  # von Neumann's ratio below which pictures follow each other; by hand
    bursts: float = -0.5  # then u is at least this where exposures are joined; measured, arcs, cattle, turning
    weighed: int = 180  # exposures by which the share is weighed; cost
    random: float = -1.4  # log odds of the share where pictures are said to be drawn at random; measured
    evidence: float = 14.0  # divides the log odds of the model of sessions there; measured
    enough: int = 20  # pictures of an exposure from which on it does so; measured: few pictures err
    few: int = 4  # fewer exposures tell nothing of it; by hand


@dataclass(frozen=True)
class EffectRule:
    """exact/effect.py: how streams differ from what the belief was fitted on."""

    offset: float = 0.7  # spread of an offset of log odds between streams; measured between families: .53
    slope: float = 0.25  # the same of the logarithm of their slope; measured between families: .20
    slips: float = 0.02  # share of answers that are wrong; by hand
    asked: int = 60  # exposures that people placed from which it is learned; cost


@dataclass(frozen=True)
class StrangersRule:
    """exact/strangers.py and learner/step.py: pictures that do not belong."""

    enough: int = 15  # pictures among which one can be told to be a stranger; measured on MNIST and CIFAR-10
    sure: float = 0.95  # probability of another class; by hand
    rounds: int = 2  # strangers spoil the mean that tells them; by hand
    majority: float = 0.5  # derived
    two_things: float = 0.3  # share of strangers from which on the exposure shows two things; by hand
    few: float = 0.05  # share up to which they change no decision; by hand
    whole: float = 0.5  # how much pictures look drawn from all of a class, below which none are told; derived
    gather: int = 12  # exposures that tell this; by hand
    follow: float = 0.8  # von Neumann's ratio below which pictures follow each other; by hand


@dataclass(frozen=True)
class AnswerRule:
    """detect/calibrated.py: from probabilities to an answer."""

    largest_score: float = 50.0  # log odds are cut here; derived: beyond, a double tells no more
    doubt: float = 2.5  # detect/confusion.py: spreads by which an exact drop may be underestimated; by hand


@dataclass(frozen=True)
class RiskRule:
    """learner/step.py: which answers are taken, and what waits."""

    retries: int = 2  # unsure exposures asked about again when something was learned; measured, all sets
    rounds: int = 3  # times that all unsure ones are asked about again at the end; cost


@dataclass(frozen=True)
class NamingRule:
    """exact/exact.py, exact/typicality.py: single pictures, and classes that are kept up."""

    temperature: float = 6.0  # divides one picture's evidence; measured, digits, MNIST, CIFAR-10, CIFAR-100
    none: float = 0.05  # share of the pictures of known classes that may be called none of these; by hand
    compared: int = 2000  # learned pictures that a new one is compared with; cost
    kept: int = 20  # pictures kept of an exposure for that; cost
    counted: int = 40  # from so many on they are counted, fewer are taken to be normal; by hand
    measurable: int = 5  # pictures that tell an accuracy; by hand
    neighbours: int = 20  # classes whose accuracy is measured again after one of them has learned; cost
    takes: float = 0.01  # share of a neighbour's pictures below which it is named as before; by hand
    close: float = 0.15  # noise against which directions are weighted there; by hand
    shortlist: int = 100  # classes that are looked at closely; cost
    leading: int = 128  # directions in which these are chosen; cost


@dataclass(frozen=True)
class ReviewRule:
    """exact/review.py: what is proposed to a person."""

    classes: int = 200  # that are asked about, those nearest to another; cost
    exposures: int = 5  # of a class that are asked about again; cost
    likely: float = 0.5  # probability from which on something is proposed; derived


@dataclass(frozen=True)
class Rule:
    """All of it."""

    no_prior: NoPriorRule = field(default_factory=NoPriorRule)
    metric: MetricRule = field(default_factory=MetricRule)
    class_prior: ClassPriorRule = field(default_factory=ClassPriorRule)
    noise: NoiseRule = field(default_factory=NoiseRule)
    pairs: PairsRule = field(default_factory=PairsRule)
    bands: BandsRule = field(default_factory=BandsRule)
    effect: EffectRule = field(default_factory=EffectRule)
    strangers: StrangersRule = field(default_factory=StrangersRule)
    answer: AnswerRule = field(default_factory=AnswerRule)
    risk: RiskRule = field(default_factory=RiskRule)
    naming: NamingRule = field(default_factory=NamingRule)
    review: ReviewRule = field(default_factory=ReviewRule)
    version: int = VERSION

    @property
    def name(self) -> str:
        """Version and constants in short: two rules of one name decide alike.

        >>> Rule().name.partition("-")[0] == str(VERSION)
        True
        """
        constants = json.dumps(asdict(self), sort_keys=True)
        return f"{self.version}-{hashlib.sha256(constants.encode()).hexdigest()[:8]}"


RULE = Rule()
"""The rule that is in force."""
