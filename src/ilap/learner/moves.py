"""Exposures that a person puts into classes: the state as if they had always been there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ilap.core.classifier import correctable
from ilap.core.errors import BadCorrection
from ilap.core.exposure import Samples
from ilap.learner.state import State


def moved(state: State, moves: Mapping[int, int], recall: Callable[[int], Samples]) -> State:
    """Exposures, learned or waiting, as parts of classes, known or new. A class that is left without any is
    gone."""
    classifier = state.classifier
    if not correctable(classifier):
        raise BadCorrection("This learner cannot move what it learned: take the preset fast.")
    was = {number: k for k, own in state.members.items() for number in own}
    moves = {number: target for number, target in moves.items() if was.get(number) != target}
    for target in sorted(set(moves.values())):
        own = [number for number, place in moves.items() if place == target]
        if learned := [number for number in own if number in was]:
            classifier = classifier.move(learned, target)
        for number in own:
            if number not in was:
                classifier = classifier.learn(recall(number), target, state.memory, 0)

    now = {**was, **moves}
    members: dict[int, tuple[int, ...]] = {}
    for number in sorted(now):
        members[now[number]] = (*members.get(now[number], ()), number)
    memory = state.memory
    for class_id in sorted({*moves.values(), *(was[number] for number in moves if number in was)}):
        own_samples = [recall(number) for number in members.get(class_id, ())]
        memory = memory.anew(class_id, own_samples, classifier.features)
    return replace(
        state,
        classifier=classifier,
        memory=memory,
        members=members,
        founded=max([state.founded, *(target + 1 for target in moves.values())]),
        waiting=tuple(samples for samples in state.waiting if samples.number not in moves),
    )
