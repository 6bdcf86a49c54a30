"""Omniglot: 964 characters of 30 alphabets, each drawn by 20 people, 105 x 105 pixels (Lake, Salakhutdinov and
Tenenbaum, "Human-level concept learning through probabilistic program induction", Science 350, 2015).

These are the background alphabets. A class is a character of an alphabet; 4 of its 20 drawings are for testing.
"""

from __future__ import annotations

from ilap.data import files
from ilap.data.contract import Dataset
from ilap.data.folder import classes, divided

SOURCE = files.Source(
    "https://github.com/brendenlake/omniglot/raw/master/python/images_background.zip",
    "68d2efa1b9178cc56df9314c21c6e718",
)


def create() -> Dataset:
    """Read the drawings, which are black on white."""
    folder = files.find_folder(["images_background", "omniglot", "omniglot-py"], "*/character*/*.png", SOURCE)
    found = {}
    for alphabet in sorted(folder.iterdir()):
        if any(alphabet.glob("character*/*.png")):
            characters = classes(alphabet)
            found.update(
                {f"{alphabet.name}/{character}": drawings for character, drawings in characters.items()}
            )
    return files.check_counts(divided("omniglot", folder, found), 15_424, 3_856)
