"""Pictures that were moved or renamed are found again by their content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ilap.exposure import Origin
from ilap.store.file import LearnerFile


def relocate(file: LearnerFile, found: Sequence[Origin], folder: Path | None) -> None:
    """Note where pictures are now, if they are no longer where they were."""
    asked = "SELECT id, exposure, path FROM pictures WHERE sha256 = ? AND path IS NOT NULL"
    gone = [
        (origin, number, exposure)
        for origin in found
        for number, exposure, path in file.connection.execute(asked, (origin.sha256,)).fetchall()
        if not Path(path).exists()
    ]
    if not gone:
        return
    with file.transaction() as connection:
        for origin, number, exposure in gone:
            connection.execute(
                "UPDATE pictures SET path = ?, bytes = ?, modified = ? WHERE id = ?",
                (origin.path, origin.bytes, origin.modified, number),
            )
            if folder:
                connection.execute(
                    "UPDATE exposures SET folder = ? WHERE number = ? AND folder IS NOT NULL",
                    (str(folder), exposure),
                )
