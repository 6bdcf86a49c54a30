"""``ilap import``: labels that exist already, as a person's word about many exposures at once.

A label is a name: the class that is called so gets the exposures. Where none is, a class without a name that
holds most of them gets the name, so that what ilap sorted with them stays with them; else a class is founded.
*class 3* and *group 3* mean the id, as everywhere. An exposure with two labels is told and left as it is.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from ilap.core.crop import parted
from ilap.core.errors import BadCorrection
from ilap.core.plural import counted
from ilap.keep.learner import LearnerInFile
from ilap.keep.store import view
from ilap.learner import corrections
from ilap.learner.log import DISCARDED
from ilap.learner.names import checked
from ilap.learner.state import State
from ilap.learner.tentative import groups, places
from ilap.sources.labels import Labelled, read_labels

FURTHEST = 1000  # ids beyond those given up to which the id of a table is taken


@dataclass(frozen=True)
class Contradiction:
    """An exposure that has several labels."""

    exposure: int
    name: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class LabelledClass:
    """A label, the class that it means from now on, and the exposures that it placed."""

    label: str
    class_id: int
    founded: bool
    exposures: tuple[int, ...]


@dataclass(frozen=True)
class Imported:
    """What an import did, or would do where there is no ``event``. ``unmatched`` are labels of what the learner
    does not know, by where they stand; ``ambiguous`` those of what several exposures are called; ``moved`` are
    exposures that are elsewhere than before, the others were confirmed."""

    event: int | None
    classes: tuple[LabelledClass, ...]
    discarded: tuple[int, ...]
    moved: tuple[int, ...]
    contradictions: tuple[Contradiction, ...]
    unmatched: tuple[str, ...]
    ambiguous: tuple[str, ...]
    without_label: int

    @property
    def said(self) -> str:
        """The first sentence."""
        count = sum(len(one.exposures) for one in self.classes)
        fresh = sum(one.founded for one in self.classes)
        parts = [f"{counted(count, 'exposure')} in {counted(len(self.classes), 'class')}, {fresh} of them new"]
        parts += [f"{len(self.discarded)} discarded"] if self.discarded else []
        parts += [f"{len(self.moved)} moved, the others confirmed"]
        event = "nothing was written" if self.event is None else f"event {self.event}"
        return f"{'; '.join(parts)} ({event})"


def import_labels(learner: LearnerInFile, path: str | Path, dry_run: bool = False) -> Imported:
    """Take all labels of a table or tree as a person's word: one event, which undo takes back."""
    given = read_labels(Path(path))
    finder = Finder(learner, Path(path).parent)
    said: dict[int, set[str | None]] = defaultdict(set)
    ids: dict[str, Counter[int]] = defaultdict(Counter)
    unmatched, ambiguous, silent = list[str](), list[str](), 0
    for one in given:
        if not one.label and not one.discarded:
            silent += 1
            continue
        found = finder.exposures(one)
        if len(found) != 1:
            (ambiguous if found else unmatched).append(f"{one.where}: {one.picture or one.exposure}")
            continue
        said[found[0]].add(None if one.discarded else one.label)
        if one.class_id is not None:
            ids[one.label][one.class_id] += 1
    names = view.names(learner.file.connection)
    contradictions = [
        Contradiction(n, names[n], tuple(sorted(label or "(discarded)" for label in labels)))
        for n, labels in sorted(said.items())
        if len(labels) > 1
    ]
    clear = {n: next(iter(labels)) for n, labels in sorted(said.items()) if len(labels) == 1}
    if not clear:
        raise BadCorrection(f"No label of {path} is about one exposure of {learner.path}: nothing was written.")
    labelled: dict[str, list[int]] = defaultdict(list)
    for n, label in clear.items():
        if label is not None:
            labelled[label].append(n)
    hints = {label: own.most_common(1)[0][0] for label, own in ids.items()}
    target = targets(learner.state, learner.names, labelled, hints)
    goes = {n: DISCARDED if label is None else target[label] for n, label in clear.items()}
    called = {
        k: label if learner.names.get(k) == label else checked(label, k, learner.names)
        for label, k in target.items()
        if by_id(label) is None
    }
    correction = corrections.labelled(learner.names, goes, called, learner.place_of)
    done = Imported(
        None,
        tuple(
            LabelledClass(label, target[label], target[label] not in learner.state.members, tuple(own))
            for label, own in sorted(labelled.items())
        ),
        tuple(n for n, place in goes.items() if place == DISCARDED),
        tuple(change.exposure for change in correction.changes if change.before != change.after),
        tuple(contradictions),
        tuple(unmatched),
        tuple(ambiguous),
        silent,
    )
    return done if dry_run else replace(done, event=learner.correct(correction))


class Finder:
    """Which exposure a label is about: by path, by content, by the end of a path that only one has. Relative
    paths are seen from here, then from the table's folder."""

    def __init__(self, learner: LearnerInFile, folder: Path) -> None:
        connection = learner.file.connection
        self.folder = folder
        self.by_path: dict[str, set[int]] = defaultdict(set)
        self.by_content: dict[str, set[int]] = defaultdict(set)
        self.by_end: dict[str, set[tuple[str, int]]] = defaultdict(set)
        self.by_name: dict[str, set[int]] = defaultdict(set)
        for number, path, digest in view.origins(connection):
            for content in {digest, parted(digest)[0]}:
                self.by_content[content].add(number)
            for file in {path, parted(path)[0]} if path else ():
                self.by_path[file].add(number)
                self.by_end[os.path.basename(file)].add((Path(file).as_posix(), number))
        for row in view.exposures(connection):
            for name in filter(None, (row.name, row.folder)):
                self.by_name[name].add(row.number)
                self.by_end[os.path.basename(name)].add((Path(name).as_posix(), row.number))

    def exposures(self, one: Labelled) -> list[int]:
        """Those that are meant: one, unless the label is about none or not clear."""
        if one.picture:
            found = self._at(one.picture, self.by_path) or self._of_content(one) or self._ending(one.picture)
            if len(found) > 1:  # several animals in one picture
                found = found & self.by_content.get(one.sha256, found)
        else:
            found = self._at(one.exposure, self.by_name) or self._ending(one.exposure)
        return sorted(found)

    def _at(self, path: str, known: Mapping[str, set[int]]) -> set[int]:
        """What lies at a path or is called so."""
        here = (path, os.path.abspath(path), os.path.abspath(self.folder / path))
        return next((known[own] for own in here if own in known), set())

    def _of_content(self, one: Labelled) -> set[int]:
        """What has the same content, as the table says or as the file has it."""
        digest = one.sha256
        if not digest:
            files = [file for file in (Path(one.picture), self.folder / one.picture) if file.is_file()]
            digest = sha256(files[0].read_bytes()).hexdigest() if files else ""
        return self.by_content.get(digest, set())

    def _ending(self, path: str) -> set[int]:
        """What has a path that ends so, folder by folder."""
        end = Path(path).as_posix().lstrip("/")
        return {
            number
            for whole, number in self.by_end.get(os.path.basename(end), ())
            if not os.path.isabs(path) and f"/{whole}".endswith(f"/{end}")
        }


def by_id(label: str) -> int | None:
    """The id that a label means, if it is no name.

    >>> by_id("class 3"), by_id("group 12"), by_id("3")
    (3, 12, None)
    """
    found = re.fullmatch(r"(?:class|group) (\d{1,9})", label)
    return int(found[1]) if found else None


def targets(
    state: State, names: Mapping[int, str], labelled: Mapping[str, Sequence[int]], hints: Mapping[str, int]
) -> dict[str, int]:
    """The class of every label; ``hints`` are the ids that classes had in the table."""
    known = {*state.members, *groups(state)}
    now = places(state)
    holds = {label: Counter(now[n] for n in own if n in now) for label, own in labelled.items()}
    found: dict[str, int] = {}

    def free(place: int) -> bool:
        """Whether an id is one that no label has yet, of a class without a name or of none."""
        never = place not in known and state.founded <= place < state.founded + FURTHEST
        return place not in found.values() and (never or (place in known and place not in names))

    for label in labelled:
        called = [k for k, name in names.items() if name == label and k in known]
        if len(called) > 1:
            raise BadCorrection(f"Several classes are called {label}, {called}: rename or merge them first.")
        if called:
            found[label] = called[0]
        elif (number := by_id(label)) is not None and (number in known or free(number)):
            found[label] = number
    for label, number in hints.items():
        fits = label in labelled and (number not in known or number in holds[label])
        if fits and label not in found and free(number):
            found[label] = number
    most = sorted((-count, place, label) for label, own in holds.items() for place, count in own.items())
    for _, place, label in most:
        if label not in found and by_id(label) is None and free(place):
            found[label] = place
    return found | fresh(state, [label for label in labelled if label not in found], found.values())


def fresh(state: State, labels: Iterable[str], taken: Iterable[int]) -> dict[str, int]:
    """Ids for classes that are founded."""
    first = max([state.founded, *(place + 1 for place in taken)])
    return {label: first + i for i, label in enumerate(labels)}
