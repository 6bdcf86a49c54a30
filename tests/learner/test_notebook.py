"""What Python shows of a learner, a decision and a class: a few words, and in a notebook pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from ilap import Exposure, Learner
from ilap.checks.digits import Exposures, Pixels

pytestmark = pytest.mark.filterwarnings("ignore:There is no prior")
PICTURE = '<img style="height:64px;margin:1px" src="data:image/jpeg;base64,'


def test_a_learner_says_in_a_few_words_what_it_knows(
    exposures: Exposures, pixels: Pixels, tmp_path: Path
) -> None:
    learner = Learner(backbone=pixels)
    assert repr(learner) == "Learner(0 exposures: 0 sure in 0 classes, 0 tentative)"
    learner.teach(exposures[0][0])
    assert repr(learner) == "Learner(1 exposure: 1 sure in 1 class, 0 tentative)"
    with Learner.open(tmp_path / "a.ilap", backbone=pixels) as kept:
        expected = f"LearnerInFile({str(tmp_path / 'a.ilap')!r}, 0 exposures: 0 sure in 0 classes, 0 tentative)"
        assert repr(kept) == expected


def test_a_decision_and_a_class_are_one_short_line(exposures: Exposures, pixels: Pixels) -> None:
    learner = Learner(backbone=pixels)
    first, taught = learner.observe(exposures[0][0]), learner.teach(exposures[1][0])
    assert repr(first) == "Decision(exposure 0: new, class 0, 100.0% sure)"
    assert repr(taught) == "Decision(exposure 1: new, class 1, by a person)"
    unsure = learner.observe(exposures[7][0].pictures[:1])
    assert unsure.kind == "unsure"
    assert repr(unsure).startswith(f"Decision(exposure 2: unsure, class {unsure.place}?, ")
    assert (
        repr(learner.classes)
        == "{0: KnownClass(1 exposure, 30 pictures), 1: KnownClass(1 exposure, 30 pictures)}"
    )


@pytest.mark.parametrize("in_file", [False, True])
def test_in_a_notebook_they_have_pictures(
    exposures: Exposures, pixels: Pixels, tmp_path: Path, in_file: bool
) -> None:
    learner = Learner.open(tmp_path / "a.ilap", backbone=pixels) if in_file else Learner(backbone=pixels)
    decision = learner.observe(Exposure(exposures[0][0].pictures, name="burst"))
    learner.teach(exposures[1][0])
    learner.rename(1, "<b>one</b>")
    assert decision._repr_html_().count(PICTURE) == (8 if in_file else 3)
    assert "Decision(exposure 0: new" in decision._repr_html_()
    assert learner.classes[1]._repr_html_().count(PICTURE) == (4 if in_file else 3)
    page = learner._repr_html_()
    assert page.count("<tr>") == 2
    assert page.count(PICTURE) >= 6
    assert "&lt;b&gt;one&lt;/b&gt;" in page
    if in_file:
        learner.close()
        assert PICTURE not in decision._repr_html_()
