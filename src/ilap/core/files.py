"""Files that are written whole or not at all, and the folder in which ilap keeps what it can make again."""

from __future__ import annotations

import os
import re
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ilap.core.errors import BadOutput, IlapError


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """A draft to write to, which becomes the file when all of it is written. It lies beside its place, so that
    the last step is a rename; the file system's errors come as ours."""
    with named_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = beside(path)
        try:
            yield draft
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all."""
    with draft_of(path) as draft:
        draft.write_bytes(content.encode() if isinstance(content, str) else content)


def beside(path: Path) -> Path:
    """A hidden name beside a place, for a draft."""
    return path.parent / f".ilap-{os.getpid()}-{secrets.token_hex(4)}.draft"


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """The file system's errors as ours."""
    try:
        yield
    except IlapError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadOutput(f"{path} cannot be written ({reason}): make room, or choose another folder.") from error


def output_folder(path: Path) -> Path:
    """A folder for results, made if it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOutput(f"{path} cannot be written to ({error.strerror}): name another with --out.") from None
    return path


def cache_folder(name: str = "", lasting: bool = False) -> Path:
    """Where graphs, features and downloads are kept: ILAP_CACHE, else the user's cache. Where that cannot be
    written to, a folder of this process, or an error for what has to last."""
    from platformdirs import user_cache_path

    folder = Path(os.environ.get("ILAP_CACHE") or user_cache_path("ilap")) / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        if lasting:
            raise BadOutput(
                f"{folder} cannot be written to ({error.strerror}): set ILAP_CACHE to another folder."
            ) from None
        return Path(tempfile.mkdtemp(prefix="ilap-"))


def file_name(key: str) -> str:
    """A key as a file may be called.

    >>> file_name("hf:facebook/dinov2")
    'hf_facebook_dinov2'
    """
    return re.sub("[^A-Za-z0-9.-]", "_", key)


def offline() -> bool:
    """Whether ILAP_OFFLINE says that the network is not to be used."""
    return os.environ.get("ILAP_OFFLINE", "0") not in ("", "0")
