"""What has no data is a gap that names the missing file."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ilap.bench.data import missing

FILE = re.compile(r"There is no (?:folder )?(.+?)(?: in \S+/| in /| here\b|:|,)")


def gaps_of(data: Iterable[str]) -> dict[str, str]:
    """Of some data sets those that cannot be had, and what is missing of each."""
    return {name: file_of(why) for name in dict.fromkeys(data) if (why := missing(name))}


def file_of(why: str) -> str:
    """The file that a sentence says is missing, without the place where it was looked for.

    >>> file_of("There is no train_32x32.mat in /data/svhn or /data, and it is not to be had: get it from ...")
    'train_32x32.mat'
    >>> file_of("There is no train-ubyte or train-ubyte.gz or train.ubyte here, and ILAP_OFFLINE is set: ...")
    'train-ubyte'
    >>> file_of("There is no crib/ (with train_data/*) here, and there is no address: ask its authors.")
    'crib/ (with train_data/*)'
    """
    found = FILE.match(why)
    if not found:
        return why
    names: list[str] = found.group(1).split(" or ")
    return names[0] if len(names) > 2 else " or ".join(names)


def gap_words(name: str, file: str) -> str:
    """The words in an empty panel."""
    return f"{name}: no data. Missing: {file}"
