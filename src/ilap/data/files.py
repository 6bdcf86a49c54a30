"""Where the files of a data set are looked for.

First in the data root, the folder that ILAP_DATA names; there it may be cut down or differ from what is
published, which gives a warning. Then where the system keeps it; then it is downloaded into the cache.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ilap.core.errors import BadData, MissingFile
from ilap.data import archive, download
from ilap.data.contract import Dataset


class DifferentData(UserWarning):
    """The data are not those that are published: figures cannot be compared with other people's."""


@dataclass(frozen=True)
class Source:
    """A published file. Without an md5 it is not downloaded: nobody could tell what came."""

    url: str
    md5: str = ""

    @property
    def file(self) -> str:
        """Its name."""
        return self.url.rsplit("/", 1)[-1]


def find(folder: str, names: Mapping[str, str], source: Source, system: Path | None = None) -> Path:
    """The first of these files that is there, else the published one, downloaded. Each name has the md5 that is
    published of it, or none."""
    local = [root / folder for root in roots()] + roots()
    for place in [*local, system] if system else local:
        for name, md5 in names.items():
            if (place / name).is_file():
                if place != system:
                    check(place / name, md5)
                return place / name
    return fetch(source, list(names), local)


def find_folder(folders: Sequence[str], sign: str, source: Source) -> Path:
    """The unpacked folder of a data set, known by a file in it that the pattern ``sign`` fits.

    It is looked for by these names under the data root, one inside the other too, and as the root itself; or
    else its archive, which is unpacked into the cache.
    """
    local = [root / folder for root in roots() for folder in folders] + roots()
    for place in local:
        if inner := signed(place, folders, sign):
            return inner
    packed = next((place / source.file for place in local if (place / source.file).is_file()), None)
    if packed:
        check(packed, source.md5)
        md5 = md5_of(packed)
    else:
        wanted = [f"{folders[0]}/ (with {sign})", *([source.file] if source.file else [])]
        packed, md5 = fetch(source, wanted, roots()), source.md5
    if inner := signed(archive.unpack(packed, download.cache(), md5), folders, sign):
        return inner
    raise BadData(f"{packed} does not hold {sign}: download it again, from {source.url}.")


def roots() -> list[Path]:
    """The data root, if there is one."""
    root = os.environ.get("ILAP_DATA")
    return [Path(root).expanduser()] if root else []


def signed(place: Path, folders: Sequence[str], sign: str) -> Path | None:
    """The folder itself or one of those names in it, whichever holds a file that fits."""
    return next(
        (inner for inner in (place, *(place / name for name in folders)) if any(inner.glob(sign))), None
    )


def fetch(source: Source, wanted: Sequence[str], places: Sequence[Path]) -> Path:
    """The published file from the cache or the network, or one sentence that says what is missing: one of the
    files that are wanted."""
    try:
        return download.fetch(source.url, source.md5)
    except download.NotDownloaded as error:
        where = f"in {' or '.join(map(str, places))}" if places else "here"
        there = "put it there, or set" if places else "set"
        raise MissingFile(
            f"There is no {' or '.join(wanted)} {where}, and {error}: get it from {source.url} and {there} "
            f"ILAP_DATA to the folder that holds it.",
            wanted[0],
        ) from None


def check(path: Path, md5: str) -> None:
    """Warn if a file is not the published one."""
    if md5 and md5_of(path) != md5:
        warnings.warn(
            f"{path} differs from the published file and is used as it is.", DifferentData, stacklevel=2
        )


def check_counts(dataset: Dataset, train: int, test: int) -> Dataset:
    """The data set as it is, with a warning if it has more or fewer pictures than were published."""
    found = len(dataset.train), len(dataset.test)
    if found != (train, test):
        warnings.warn(
            f"{dataset.name} has {found[0]} pictures to learn from and {found[1]} to test with here, where "
            f"{train} and {test} are published: its figures cannot be compared with published ones.",
            DifferentData,
            stacklevel=2,
        )
    return dataset


def md5_of(path: Path) -> str:
    """The md5 of a file, read once in a process as long as the file stays as it is."""
    state = path.stat()
    return hashed(path, state.st_size, state.st_mtime_ns)


@cache
def hashed(path: Path, size: int, changed: int) -> str:
    """The md5 of a file in the state that is known by its size and time."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def read(path: Path) -> bytes:
    """A file's content, unpacked if it is gzipped."""
    data = path.read_bytes()
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError) as error:
        raise BadData(f"{path} cannot be unpacked ({error}): download it again.") from None
