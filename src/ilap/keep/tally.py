"""How much of a learner is sure and how much is tentative, in numbers and in one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from ilap.keep.learner import LearnerInFile


@dataclass(frozen=True)
class Tally:
    """Exposures that are sure, with their classes, and tentative ones, some of them in ``groups``, the others
    tentatively in classes."""

    sure: int
    classes: int
    tentative: int
    groups: int
    in_groups: int

    @property
    def said(self) -> str:
        """The sentence.

        >>> Tally(20, 4, 5, 2, 3).said
        '20 exposures sure, in 4 classes; 5 tentative: 3 in 2 groups, 2 in classes'
        >>> Tally(1, 1, 0, 0, 0).said
        '1 exposure sure, in 1 class; none tentative'
        """
        sure = f"{counted(self.sure, 'exposure')} sure, in {counted(self.classes, 'class')}"
        within = self.tentative - self.in_groups
        parts = [f"{self.in_groups} in {counted(self.groups, 'group')}"] if self.groups else []
        parts += [f"{within} in classes"] if within else []
        return f"{sure}; {f'{self.tentative} tentative: ' + ', '.join(parts) if parts else 'none tentative'}"


def counted(count: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "class"), counted(2, "class"), counted(0, "group")
    ('1 class', '2 classes', '0 groups')
    """
    return f"{count} {thing}" if count == 1 else f"{count} {thing}{'es' if thing.endswith('s') else 's'}"


def tally(learner: LearnerInFile) -> Tally:
    """Of a learner."""
    state, groups = learner.state, learner.groups
    return Tally(
        sum(map(len, state.members.values())),
        len(state.members),
        len(state.tentative),
        len(groups),
        sum(map(len, groups.values())),
    )
