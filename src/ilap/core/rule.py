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

VERSION = 1


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
class LikelihoodRule:
    """exact/likelihood.py: how likely a distance is within a class, and between two."""

    strays: float = 0.05  # share of repeats that lie farther than noise explains; by hand
    stray_width: float = 2.5  # how many times farther; by hand
    spread: float = 0.4  # of the logarithm of class distances; measured: .31 to .48 on six sets
    early_spread: float = 0.3  # more while few classes are known; measured, MNIST, CIFAR-10, Fashion-MNIST
    near: float = 0.005  # share of classes much nearer to another than the mean; by hand
    nearest: float = 0.1  # how near, as a share of the mean; by hand
    far: float = 0.1  # share of much farther ones while few classes are known; by hand
    far_always: float = 0.01  # and later; by hand
    farthest: float = 30.0  # how far, in means; by hand
    patience: float = 2.0  # classes' worth of belief in what was known before the stream; measured, all sets
    least_mean: float = 0.05  # of the expected distance of classes, however near those known lie; by hand
    least_new: float = 0.05  # lowest and highest chance of a new class before looking; by hand
    most_new: float = 0.7


@dataclass(frozen=True)
class BurstRule:
    """exact/bursts.py: exposures whose pictures hang together."""

    enough: int = 4  # pictures that can tell a burst; by hand
    ordered_burst: float = 0.65  # von Neumann's ratio of what surely is a burst; measured, COIL-20
    ordered_none: float = 0.85  # and of what surely is none; measured, COIL-20
    tree_burst: float = 0.85  # the same by the spanning tree, where there is no order; measured, COIL-20
    tree_none: float = 1.0  # measured, COIL-20 and MNIST
    tree: float = 0.62  # n independent pictures' shortest edge: .62 n^-.15 of their variance; measured
    tree_fall: float = -0.15  # measured on seven sets of lite0's features
    tree_weight: float = 3.0  # pictures that a tree's length is worth; by hand
    doubt: float = 2.0  # pictures' worth of belief in no burst; by hand
    most_trust: float = 10.0  # and at most in what the stream showed before; by hand
    ordered_usual: float = 1.0  # the ratio of independent pictures; derived
    tree_usual: float = 1.2  # and their tree; by hand
    touch: float = 2.5  # nearest pictures of two bursts of one thing, in steps; measured, COIL-20
    touch_spread: float = 1.1  # of its logarithm; measured, COIL-20
    apart: float = 12.0  # the same of two things, before any were seen; measured, COIL-20
    apart_spread: float = 0.27  # measured, COIL-20
    apart_early_spread: float = 0.5  # more while few classes are known; by hand
    independent: float = 0.85  # two things lie no farther apart, in usual distances; measured, seven sets
    beyond: float = 0.5  # spreads beyond the usual distance from which on farther tells no more; by hand
    close: float = 0.15  # noise against which a single picture's directions are weighted; by hand
    closest: int = 20  # classes whose pictures are compared one by one; cost
    farther: float = 20.0  # log odds against the others; by hand
    kept: int = 20  # pictures kept of an exposure for these comparisons; cost


@dataclass(frozen=True)
class SecondLookRule:
    """exact/second_look.py: is a class two?"""

    blur: float = 4.0  # as above, for groups of exposures; measured, MNIST, CIFAR-10, Fashion-MNIST
    all_ways: int = 8  # exposures up to which all ways to part them are weighed; cost


@dataclass(frozen=True)
class StrangersRule:
    """exact/strangers.py and learner/step.py: pictures that do not belong."""

    enough: int = 15  # pictures among which one can be told to be a stranger; measured on MNIST and CIFAR-10
    sure: float = 0.95  # probability of another class; by hand
    rounds: int = 2  # strangers spoil the mean that tells them; by hand
    majority: float = 0.5  # derived
    two_things: float = 0.3  # share of strangers from which on the exposure shows two things; by hand
    few: float = 0.05  # share up to which they change no decision; by hand


@dataclass(frozen=True)
class AnswerRule:
    """detect/calibrated.py: from probabilities to an answer."""

    in_question: float = 0.02  # probability of a class from which on it gets a second look; by hand
    split_error: float = 0.05  # a class falls in two if that is wrong with at most this probability; by hand
    bridge: float = 3.0  # log odds above which a burst surely touches a class; by hand
    burst: float = 0.5  # from which on an exposure is likelier a burst than not; derived
    largest_score: float = 50.0  # log odds are cut here; derived: beyond, a double tells no more
    doubt: float = 2.5  # detect/confusion.py: spreads by which an exact drop may be underestimated; by hand


@dataclass(frozen=True)
class RiskRule:
    """learner/risk.py and learner/step.py: which answers are taken, and what waits."""

    recent: int = 200  # decisions that count towards the share; by hand
    credit: int = 20  # decisions without doubt that a learner starts with; measured, COIL-20 and CIFAR-10
    at_most: float = 0.5  # derived: a likelier mistake than not is none to take
    retries: int = 2  # unsure exposures asked about again when something was learned; measured, all sets
    waiting: int = 200  # that wait at most; cost


@dataclass(frozen=True)
class NamingRule:
    """exact/exact.py, exact/typicality.py: single pictures, and classes that are kept up."""

    temperature: float = 6.0  # divides one picture's evidence; measured, digits, MNIST, CIFAR-10, CIFAR-100
    none: float = 0.05  # share of the pictures of known classes that may be called none of these; by hand
    compared: int = 2000  # learned pictures that a new one is compared with; cost
    counted: int = 40  # from so many on they are counted, fewer are taken to be normal; by hand
    measurable: int = 5  # pictures that tell an accuracy; by hand
    neighbours: int = 20  # classes whose accuracy is measured again after one of them has learned; cost
    takes: float = 0.01  # share of a neighbour's pictures below which it is named as before; by hand
    shortlist: int = 100  # classes that are looked at closely; cost
    leading: int = 128  # directions in which these are chosen; cost


@dataclass(frozen=True)
class ReviewRule:
    """exact/review.py: what is proposed to a person."""

    classes: int = 200  # that are asked about, those nearest to another; cost
    exposures: int = 5  # of a class that are asked about again; cost
    likely: float = 0.5  # probability from which on something is proposed; derived
    burst: float = 0.5  # a class is judged as bursts if its exposures are likelier bursts than not; derived


@dataclass(frozen=True)
class Rule:
    """All of it."""

    no_prior: NoPriorRule = field(default_factory=NoPriorRule)
    metric: MetricRule = field(default_factory=MetricRule)
    class_prior: ClassPriorRule = field(default_factory=ClassPriorRule)
    noise: NoiseRule = field(default_factory=NoiseRule)
    likelihood: LikelihoodRule = field(default_factory=LikelihoodRule)
    bursts: BurstRule = field(default_factory=BurstRule)
    second_look: SecondLookRule = field(default_factory=SecondLookRule)
    strangers: StrangersRule = field(default_factory=StrangersRule)
    answer: AnswerRule = field(default_factory=AnswerRule)
    risk: RiskRule = field(default_factory=RiskRule)
    naming: NamingRule = field(default_factory=NamingRule)
    review: ReviewRule = field(default_factory=ReviewRule)
    version: int = VERSION

    @property
    def name(self) -> str:
        """Version and constants in short: two rules of one name decide alike.

        >>> Rule().name.partition("-")[0]
        '1'
        """
        constants = json.dumps(asdict(self), sort_keys=True)
        return f"{self.version}-{hashlib.sha256(constants.encode()).hexdigest()[:8]}"


RULE = Rule()
"""The rule that is in force."""
