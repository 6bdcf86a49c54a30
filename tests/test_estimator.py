from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from ilap import Exposure, Learner
from ilap.checks.digits import Pixels
from ilap.core.errors import BadExposure, BadSetting
from ilap.core.exposure import Picture
from ilap.data.contract import Dataset
from ilap.estimator import ExposureClassifier

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")

Digits = dict[int, list[Exposure]]


def test_exposure_by_exposure_it_is_the_learner(exposures: Digits, digits: Dataset, pixels: Pixels) -> None:
    learner = Learner(backbone=pixels)
    estimator = ExposureClassifier(backbone=pixels)
    for label in (0, 1, 0, 2):
        pictures = list(exposures[label][1 if 0 in learner.classes else 0].pictures)
        assert estimator.partial_fit(pictures) is estimator
        decision = learner.observe(pictures)
        assert (estimator.decision_.kind, estimator.decision_.class_id) == (decision.kind, decision.class_id)
    named = learner.predict_samples(learner.samples(digits.test.pictures[:50]), tentative=False)
    assert estimator.classes_.tolist() == list(named.classes)
    assert (estimator.predict_pictures_proba(digits.test.pictures[:50]) == named.probabilities).all()
    assert (estimator.predict_pictures(digits.test.pictures[:50]) == named.class_ids).all()


def test_fit_forgets_and_takes_one_exposure_or_several(exposures: Digits, pixels: Pixels) -> None:
    one, two = (np.stack(exposures[label][0].pictures) for label in (0, 1))
    estimator = ExposureClassifier(backbone=pixels, risk=0.9, settings={"caution": 0})
    assert len(estimator.fit([one, two]).classes_) == 2
    assert [decision.kind for decision in estimator.decisions_] == ["new", "new"]
    assert len(estimator.fit([list(one), list(two)]).classes_) == 2
    assert len(estimator.fit(exposures[0][:1] + exposures[1][:1]).classes_) == 2
    assert len(estimator.fit(np.stack([one, two])).classes_) == 2
    for single in (one, list(one), exposures[0][0]):
        assert len(estimator.fit(single).classes_) == 1
    estimator.set_params(warm_start=True)
    assert len(estimator.fit(two).classes_) == 2


def test_labels_teach_and_are_what_it_answers_with(exposures: Digits, pixels: Pixels) -> None:
    estimator = ExposureClassifier(backbone=pixels, risk=0.9, settings={"caution": 0})
    estimator.fit([exposures[label][0] for label in (7, 3, 7)], [7, 3, 7])
    assert estimator.classes_.tolist() == [7, 3]
    assert estimator.score([exposures[3][1], exposures[7][1]], [3, 7]) == 1
    pictures = [*exposures[3][1].pictures, *exposures[7][1].pictures]
    assert (estimator.predict_pictures(pictures) == [3] * 30 + [7] * 30).mean() > 0.95
    estimator.partial_fit(exposures[5][0])
    assert list(estimator.classes_) == [7, 3, "class 2"]
    estimator.partial_fit(exposures[3][2], ["three"] * 30)
    assert estimator.decision_.kind == "new"
    with pytest.raises(BadExposure, match="give one label, not several"):
        estimator.partial_fit(exposures[3][3], [3, 4])
    with pytest.raises(BadExposure, match="2 exposures and y 1 label:"):
        estimator.fit(exposures[3][:2], ["three"])


def test_it_is_an_estimator_like_any_other(exposures: Digits, pixels: Pixels) -> None:
    estimator = ExposureClassifier(seed=3, risk=0.01, backbone=pixels, settings={"exemplars": 50})
    assert is_classifier(estimator)
    with pytest.raises(NotFittedError):
        estimator.predict(exposures[0][0].pictures)
    estimator.fit(exposures[0][0])
    copy = clone(estimator)
    assert copy.get_params()["risk"] == 0.01
    assert copy.get_params()["settings"] == {"exemplars": 50}
    assert not hasattr(copy, "learner_")
    assert copy.set_params(risk=0.1).risk == 0.1
    assert copy.fit(exposures[0][0]).learner_.settings.loop.exemplars == 50
    assert "ExposureClassifier(" in repr(copy)


def halved(pictures: list[Picture]) -> list[Picture]:
    """Large pictures scaled to what the learner takes."""
    return [picture[::2, ::2] for picture in pictures]


def test_it_is_the_last_step_of_a_pipeline(exposures: Digits, pixels: Pixels) -> None:
    def large(label: int, part: int) -> list[Picture]:
        return [np.kron(p, np.ones((2, 2), np.uint8)) for p in exposures[label][part].pictures]

    pipeline = make_pipeline(
        FunctionTransformer(halved),
        ExposureClassifier(backbone=pixels, warm_start=True, risk=0.4, settings={"caution": 0}),
    )
    kinds = [pipeline.fit(large(label, part))[-1].decision_.kind for part in (0, 1) for label in (0, 1)]
    assert kinds == ["new", "new", "known", "known"]
    assert pipeline.predict_proba(large(1, 2)).shape == (1, 2)
    assert pipeline.predict(large(1, 2)).tolist() == [1]
    assert isinstance(clone(pipeline), Pipeline)


def test_in_a_file_it_goes_on_and_labels_are_names(exposures: Digits, pixels: Pixels, tmp_path: Path) -> None:
    path = tmp_path / "digits.ilap"
    first = ExposureClassifier(backbone=pixels, path=path, risk=0.9, settings={"caution": 0})
    first.fit(exposures[0][0], "nought")
    first.partial_fit(exposures[1][0])
    first.close()
    again = ExposureClassifier(backbone=pixels, path=path)
    with pytest.raises(BadSetting, match="which fit would forget"):
        again.fit(exposures[0][1])
    again.partial_fit(exposures[0][1], "nought")
    assert again.classes_.tolist() == ["nought", "class 1"]
    assert again.predict([exposures[0][2], exposures[1][2]]).tolist() == ["nought", "class 1"]
    assert again.predict_pictures(exposures[0][2].pictures[:3]).tolist() == ["nought"] * 3
    again.close()
    with Learner.open(path, backbone=pixels) as learner:
        assert learner.names == {0: "nought"}
        assert learner.classes[0].exposures == (0, 2)


def test_the_package_offers_it_without_importing_scikit_learn_first() -> None:
    lines = [
        "import sys, ilap",
        "assert 'sklearn' not in sys.modules",
        "assert ilap.ExposureClassifier.__name__ == 'ExposureClassifier'",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# scikit-learn's own checks

LEARNS = "it learns from rows of floats first, and an exposure is a list of uint8 pictures"
NAMES = "it names rows of floats after it has learned them, and only pictures can be either"
WORDS = "it asks for scikit-learn's words on arrays that are refused, and is told what an exposure is instead"
LABELS = "it gives rows of several labels as one X, and all pictures of an exposure show one thing"
COLUMNS = "it counts columns, and pictures of any size have none"

EXPECTED_FAILURES = {
    "check_classifier_data_not_an_array": "it gives objects that are neither lists nor arrays, as X and as y",
    "check_classifiers_classes": NAMES,
    "check_classifiers_one_label": LEARNS,
    "check_classifiers_regression_target": "it wants measurements refused, and any word or number is a label",
    "check_classifiers_train": NAMES,
    "check_complex_data": WORDS,
    "check_dict_unchanged": NAMES,
    "check_dont_overwrite_parameters": LEARNS,
    "check_dtype_object": LEARNS,
    "check_estimator_sparse_array": LABELS,
    "check_estimator_sparse_matrix": LABELS,
    "check_estimator_sparse_tag": LABELS,
    "check_estimators_dtypes": "it wants every type of number taken, and pictures are uint8",
    "check_estimators_empty_data_messages": WORDS,
    "check_estimators_fit_returns_self": LEARNS,
    "check_estimators_nan_inf": WORDS,
    "check_estimators_overwrite_params": LEARNS,
    "check_estimators_partial_fit_n_features": LABELS,
    "check_estimators_pickle": LEARNS,
    "check_f_contiguous_array_estimator": LEARNS,
    "check_fit2d_1feature": WORDS,
    "check_fit2d_1sample": WORDS,
    "check_fit2d_predict1d": NAMES,
    "check_fit_check_is_fitted": LEARNS,
    "check_fit_idempotent": NAMES,
    "check_fit_score_takes_y": LEARNS,
    "check_methods_sample_order_invariance": NAMES,
    "check_methods_subset_invariance": NAMES,
    "check_n_features_in": COLUMNS,
    "check_n_features_in_after_fitting": COLUMNS,
    "check_pipeline_consistency": NAMES,
    "check_positive_only_tag_during_fit": "it gives negative floats, and pictures are uint8",
    "check_readonly_memmap_input": LEARNS,
    "check_supervised_y_2d": LEARNS,
}
"""By the check's name, why it cannot pass."""

HAVE_TO_PASS = {
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimators_unfitted",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_valid_tag_types",
}
"""Checks that feed no X, or one that may be refused."""


class Flat(ExposureClassifier):
    """The same under a false flag: scikit-learn passes over whatever says that it takes no rows of numbers."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        return tags


@cache
def checked() -> list[dict[str, Any]]:
    """What all checks gave."""
    results: list[dict[str, Any]] = check_estimator(
        Flat(backbone=Pixels()), expected_failed_checks=EXPECTED_FAILURES, on_fail=None, on_skip=None
    )
    return results


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and those that led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def test_scikit_learns_checks_pass_but_for_those_that_are_named() -> None:
    failed = {result["check_name"]: result["exception"] for result in checked() if result["status"] == "failed"}
    assert not failed
    assert {result["check_name"] for result in checked() if result["status"] == "passed"} >= HAVE_TO_PASS


def test_a_check_that_passes_is_not_expected_to_fail() -> None:
    passed = {result["check_name"] for result in checked() if result["status"] == "passed"}
    assert not passed & set(EXPECTED_FAILURES)


def test_checks_fail_because_no_exposure_was_given_and_for_nothing_else() -> None:
    failed = [result for result in checked() if result["status"] == "xfail"]
    assert {result["check_name"] for result in failed} >= {"check_fit_idempotent", "check_estimators_pickle"}
    for result in failed:
        if result["check_name"] != "check_classifier_data_not_an_array":
            own = [error for error in causes(result["exception"]) if isinstance(error, BadExposure)]
            assert own, result["check_name"]


def test_what_the_checks_ask_with_arrays_holds_with_exposures(exposures: Digits, pixels: Pixels) -> None:
    shown = [exposures[label][0] for label in (0, 1, 2)]
    others = [exposures[label][part] for label in (0, 1, 2) for part in (1, 2)]
    estimator = ExposureClassifier(backbone=pixels, risk=0.02)
    told = estimator.get_params()
    assert estimator.fit(shown) is estimator
    assert estimator.get_params() == told
    before = dict(vars(estimator))
    named = estimator.predict_proba(others)
    assert named.shape == (6, len(estimator.classes_))
    assert {name: id(value) for name, value in vars(estimator).items()} == {
        name: id(value) for name, value in before.items()
    }
    assert (estimator.predict_proba(others[::-1])[::-1] == named).all()
    alone = np.concatenate([estimator.predict_proba(other) for other in others])
    np.testing.assert_allclose(alone, named, atol=1e-12)
    assert (pickle.loads(pickle.dumps(estimator)).predict_proba(others) == named).all()
    assert (estimator.fit(shown).predict_proba(others) == named).all()


def test_exposures_are_cross_validated_and_searched_like_any_samples(exposures: Digits, pixels: Pixels) -> None:
    """``fit`` and ``predict`` speak of exposures, so scikit-learn can part them as it likes."""
    shown = [exposures[label][part] for label in (1, 3, 4) for part in range(4)]
    labels = [label for label in (1, 3, 4) for _ in range(4)]
    estimator = ExposureClassifier(backbone=pixels)
    assert cross_val_score(estimator, shown, labels, cv=2).mean() > 0.9
    named = cross_val_predict(estimator, shown, labels, cv=2, method="predict_proba")
    assert named.shape == (12, 3)
    np.testing.assert_allclose(named.sum(1), 1)
    search = GridSearchCV(estimator, {"risk": [0.01, 0.1], "seed": [0, 1]}, cv=2).fit(shown, labels)
    assert search.best_score_ > 0.9
    assert (search.predict([exposures[3][0], exposures[4][1]]) == [3, 4]).all()
    stacked = np.stack([np.stack(one.pictures) for one in shown])
    assert cross_val_score(estimator, stacked, labels, cv=2).mean() > 0.9


def test_its_tags_say_what_it_takes() -> None:
    tags = get_tags(ExposureClassifier())
    assert tags.estimator_type == "classifier"
    assert not tags.target_tags.required
    assert not tags.input_tags.two_d_array
    assert tags.input_tags.three_d_array
    assert tags.requires_fit
