"""What every detector, classifier and learner has to keep, as checks that anybody can run on a method of their
own:

    from ilap.checks import check_detector
    check_detector("mine")          # found as ilap finds it: a file of ILAP_PATH, or an entry point

    python -m ilap.checks detector mine

Each check is a function that asserts; the first that fails says what was not kept. They use the embedded digits
and take some seconds.
"""

from ilap.checks.classifiers import CLASSIFIER_CHECKS, LEARNER_CHECKS, check_classifier
from ilap.checks.detectors import DETECTOR_CHECKS, check_detector
from ilap.checks.learners import BENCH_CHECKS, check_learner

__all__ = [
    "BENCH_CHECKS",
    "CLASSIFIER_CHECKS",
    "DETECTOR_CHECKS",
    "LEARNER_CHECKS",
    "check_classifier",
    "check_detector",
    "check_learner",
]
