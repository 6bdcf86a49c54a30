from __future__ import annotations

from html.parser import HTMLParser

import pytest

from ilap import Learner
from ilap.backbones.stored import Cached
from ilap.bench import page
from ilap.bench.learners.preset import Preset
from ilap.bench.run import Run
from ilap.bench.stream import make
from ilap.data.contract import Dataset


@pytest.fixture(scope="module")
def run(lite0: Cached, digits: Dataset) -> Run:
    run = Run(Preset(Learner(backbone=lite0)), make(digits, exposure_size=20, repeats=2, seed=0))
    assert len(list(run)) == 20
    return run


def test_every_exposure_leaves_a_record(run: Run) -> None:
    assert [record.decision.exposure for record in run.records] == list(range(20))
    assert sum(record.novel for record in run.records) == 10
    assert all(record.accuracy <= record.accuracy_seen + 1e-9 for record in run.records)


def test_the_summary_is_that_of_the_records(run: Run) -> None:
    summary = run.summary()
    assert summary["exposures"] == 20
    assert summary["decisions_right"] == sum(record.right for record in run.records) >= 8
    assert summary["right_at_end"] >= 17
    assert summary["sure_at_end"] > 0.8
    assert summary["wrong_of_sure"] == 0
    assert summary["unique_classes"] > 7
    assert summary["accuracy"] > 0.75
    assert summary["auroc"] > 0.5  # early scores are hardly above those of repeats
    assert summary["seconds_per_exposure"] > 0


def test_learned_classes_stand_for_the_truth_of_their_founding_exposure(run: Run) -> None:
    for class_id, known in run.learner.classes.items():
        assert run.truth_of[class_id] == run.records[known.exposures[0]].truth


def test_the_last_record_says_where_every_exposure_is(run: Run) -> None:
    assert all(record.places is None for record in run.records[:-1])
    assert run.records[-1].places == {n: k for k, own in run.learner.classes.items() for n in own.exposures}


def test_a_learner_that_knows_the_places_better_is_asked_at_the_end(lite0: Cached, digits: Dataset) -> None:
    class Offline(Preset):
        def places(self) -> dict[int, int]:
            return dict.fromkeys(range(20), 3)

    work = Run(Offline(Learner(backbone=lite0)), make(digits, exposure_size=20, repeats=2, seed=0))
    assert list(work)[-1].places == dict.fromkeys(range(20), 3)
    assert work.summary()["ari"] == 0


def test_without_test_pictures_nothing_is_named_and_the_page_does_without(
    lite0: Cached, digits: Dataset
) -> None:
    work = Run(Preset(Learner(backbone=lite0)), make(digits.untested(), exposure_size=20, repeats=2, seed=0))
    assert {record.accuracy for record in work} == {None}
    html = page.render(work, {})
    assert "Accuracy" not in html
    assert "named right" not in html


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.sources: list[str] = []
        self.cells = 0
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.sources += [str(given[name]) for name in ("src", "href") if name in given]
        self.cells += "cell" in (given.get("class") or "").split()
        if tag not in ("meta", "img", "line", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "polyline"):
            assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_from_outside(run: Run) -> None:
    html = page.render(run, {"exposure_size": 20, "note": "<script>"})
    links = Links()
    links.feed(html)
    assert links.open == []
    assert links.cells == 20
    assert links.sources
    assert all(source.startswith("data:image/png;base64,") for source in links.sources)
    assert "<script>" not in html
    assert html.count('class="card class"') == len(run.learner.classes)
