"""The embedded data: scikit-learn's handwritten digits, 1,797 real pictures of 8 x 8 pixels.

From the test part of "Optical Recognition of Handwritten Digits" (Alpaydin and Kaynak, UCI, 1998). A fifth of
every class, always the same, is the test set.
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits

from ilap.data.contract import Dataset, Labelled

TEST_EVERY = 5
WHITE = 16  # the brightest value in the original


def create() -> Dataset:
    """Load them; nothing is downloaded."""
    digits = load_digits()
    pictures = np.round(digits.images * (255 / WHITE)).astype(np.uint8)
    labels = digits.target.astype(np.int64)
    place = np.empty(len(labels), int)
    for label in np.unique(labels):
        place[labels == label] = np.arange((labels == label).sum())
    test = place % TEST_EVERY == 0
    return Dataset(
        "digits",
        Labelled(list(pictures[~test]), labels[~test]),
        Labelled(list(pictures[test]), labels[test]),
        tuple(str(digit) for digit in range(10)),
    )
