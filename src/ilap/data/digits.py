"""The embedded data: handwritten digits, 1,797 real pictures of 8 x 8 pixels, in digits.npz.

The test part of "Optical Recognition of Handwritten Digits" (Alpaydin and Kaynak, UCI, 1998), in the order of
scikit-learn's load_digits. A fifth of every class, always the same, is the test set.
"""

from __future__ import annotations

from importlib import resources

import numpy as np

from ilap.data.contract import Dataset, Labelled

TEST_EVERY = 5
WHITE = 16  # the brightest value in the original


def create() -> Dataset:
    """Load them; nothing is downloaded."""
    with (resources.files("ilap.data") / "digits.npz").open("rb") as file, np.load(file) as arrays:
        pictures = np.round(arrays["pictures"] * (255 / WHITE)).astype(np.uint8)
        labels = arrays["labels"].astype(np.int64)
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
