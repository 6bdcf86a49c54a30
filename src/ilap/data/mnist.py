"""MNIST: 70,000 handwritten digits of 28 x 28 pixels (LeCun, Cortes and Burges, 1998)."""

from __future__ import annotations

from ilap.data import idx
from ilap.data.contract import Dataset


def create() -> Dataset:
    """Read the four files from mnist/ under ILAP_DATA."""
    return idx.load("mnist", "mnist", tuple("0123456789"))
