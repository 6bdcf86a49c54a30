"""What has no data is a gap that names the missing file."""

from __future__ import annotations

from collections.abc import Iterable

from ilap.bench.data import missing


def gaps_of(data: Iterable[str]) -> dict[str, str]:
    """Of some data sets those that cannot be had, and the file that each lacks."""
    return {name: error.file for name in dict.fromkeys(data) if (error := missing(name))}


def gap_words(name: str, file: str) -> str:
    """The words in an empty panel."""
    return f"{name}: no data. Missing: {file}"
