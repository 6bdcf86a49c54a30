"""Archives are unpacked once, into the cache, and nothing in them can write outside their folder."""

from __future__ import annotations

import gzip
import os
import shutil
import stat
import tarfile
import tempfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from filelock import FileLock

from ilap.core.errors import BadData, BadOutput

DAMAGE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    NotImplementedError,  # a compression that zipfile does not know
    RuntimeError,  # a zip file with a password
)


def unpack(packed: Path, cache: Path, md5: str) -> Path:
    """The folder in the cache that holds what the archive of this md5 holds.

    It is unpacked beside its place and moved there when it is whole: no one ever sees half of it.
    """
    folder = cache / f"{packed.name}-{md5[:8]}"
    with FileLock(f"{folder}.lock"):
        if folder.is_dir():
            return folder
        partial = Path(tempfile.mkdtemp(prefix=f"{packed.name}-", dir=cache))
        try:
            extract(packed, partial)
            os.replace(partial, folder)
        except DAMAGE as error:
            reason = (str(error).splitlines() or ["it is cut off"])[0].rstrip(":")
            raise BadData(f"{packed} cannot be unpacked ({reason}): download it again.") from None
        except OSError as error:
            raise BadOutput(
                f"{packed} cannot be unpacked ({error}): set ILAP_CACHE to a folder with more room."
            ) from None
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return folder


def extract(packed: Path, folder: Path) -> None:
    """Unpack a zip or tar file into a folder."""
    if zipfile.is_zipfile(packed):
        with zipfile.ZipFile(packed) as file:
            for entry in file.infolist():
                check(entry)
            file.extractall(folder)
    else:
        with tarfile.open(packed) as tar:
            tar.extractall(folder, filter="data")


def check(entry: zipfile.ZipInfo) -> None:
    """Refuse an entry that leads out of the folder; tarfile's filter does the same for a tar file."""
    path = PurePosixPath(entry.filename.replace("\\", "/"))
    if (
        path.is_absolute()
        or ".." in path.parts
        or ":" in path.parts[0]
        or stat.S_ISLNK(entry.external_attr >> 16)
    ):
        raise zipfile.BadZipFile(f"its entry {entry.filename!r} leads out of it")
