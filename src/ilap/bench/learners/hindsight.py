"""Thresholds that are granted hindsight: the best for a whole stream, which nobody has when it begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def best_threshold(scores: Sequence[float], novel: Sequence[bool]) -> float:
    """The threshold with the highest F-score for *novel if the score exceeds it*, half-way between two scores
    (paper 4.1: "maximizing the F-score ... the entirety of the dataset was used").

    >>> best_threshold([0.1, 0.2, 0.6, 0.9, 0.4], [False, False, True, True, False])
    0.5
    """
    values = np.asarray(scores, float)
    truth = np.asarray(novel, bool)
    marks = np.unique(values)
    between = (marks[1:] + marks[:-1]) / 2
    candidates = [float(marks[0]) - 1e-9, *map(float, between), float(marks[-1])]
    return max(candidates, key=lambda mark: (f_score(values > mark, truth), -mark))


def f_score(said: Sequence[bool] | np.ndarray, truth: Sequence[bool] | np.ndarray) -> float:
    """F1: the harmonic mean of precision and recall of *novel*."""
    both = int(np.logical_and(said, truth).sum())
    return 2 * both / max(int(np.sum(said)) + int(np.sum(truth)), 1)
