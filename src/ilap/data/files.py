"""Where the files of a data set are looked for: in the folder that ILAP_DATA names."""

from __future__ import annotations

import gzip
import os
from collections.abc import Sequence
from pathlib import Path

from ilap.errors import BadData, MissingFile


def find(folder: str, names: Sequence[str]) -> Path:
    """The first of these files that is there, in ``folder`` under the data root or in the root itself."""
    root = os.environ.get("ILAP_DATA")
    wanted = " or ".join(names)
    if not root:
        raise MissingFile(
            f"{folder} needs the file {wanted}: set ILAP_DATA to the folder that holds {folder}/."
        )
    for place in (Path(root) / folder, Path(root)):
        for name in names:
            if (place / name).is_file():
                return place / name
    raise MissingFile(
        f"There is no {wanted} in {Path(root) / folder}: put it there, or set ILAP_DATA to its folder."
    )


def read(path: Path) -> bytes:
    """A file's content, unpacked if it is gzipped."""
    data = path.read_bytes()
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError) as error:
        raise BadData(f"{path} cannot be unpacked ({error}): get it again.") from None
