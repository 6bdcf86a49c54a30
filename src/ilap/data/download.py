"""Downloads a published file into the cache, goes on where an earlier try broke off, and checks the md5."""

from __future__ import annotations

import hashlib
import http.client
import os
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from filelock import FileLock

from ilap.core import files
from ilap.core.errors import BadData
from ilap.core.terminal import bars

TIMEOUT = 30
"""Seconds without a byte after which a server counts as gone."""

CHUNK = 1 << 16


class NotDownloaded(Exception):
    """Why a file was not downloaded, as half a sentence."""


def cache() -> Path:
    """Where downloaded and unpacked files are kept."""
    return files.cache_folder("data", lasting=True)


def fetch(url: str, md5: str) -> Path:
    """The file from the cache or the network. MNIST's files and Fashion-MNIST's have equal names: the md5 tells
    them apart."""
    if not md5:
        raise NotDownloaded("it is not downloaded by itself")
    path = cache() / f"{md5[:8]}-{url.rsplit('/', 1)[-1]}"
    with FileLock(f"{path}.lock"):
        if path.exists() and md5_of(path) == md5:
            return path
        part = path.with_name(f"{path.name}.part")
        try:
            resume(url, part)
        except (OSError, http.client.HTTPException) as error:
            raise NotDownloaded(f"it could not be downloaded ({error})") from None
        if md5_of(part) != md5:
            part.unlink()
            raise BadData(
                f"What came from {url} is not the published file: try it again later, or get it elsewhere and "
                f"set ILAP_DATA to its folder."
            )
        os.replace(part, path)
    return path


def md5_of(path: Path) -> str:
    """The md5 by which published files are known."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest()


def resume(url: str, part: Path) -> None:
    """Get what is missing of the part."""
    if files.offline():
        raise NotDownloaded("ILAP_OFFLINE forbids to download it")
    have = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": "ilap"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        response = urlopen(Request(url, headers=headers), timeout=TIMEOUT)
    except HTTPError as error:
        if error.code != http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise
    else:
        with response:
            save(response, part, have if response.status == http.HTTPStatus.PARTIAL_CONTENT else 0)


def save(response: http.client.HTTPResponse, part: Path, have: int) -> None:
    """Write what comes behind what is there, with a bar on stderr."""
    length = response.headers.get("Content-Length")
    total = have + int(length) if length else None
    with (
        part.open("r+b" if have else "wb") as file,
        bars(in_bytes=True) as progress,
    ):
        file.seek(have)
        task = progress.add_task(part.stem, completed=have, total=total)
        while chunk := response.read(CHUNK):
            file.write(chunk)
            progress.advance(task, len(chunk))
        done = file.tell()
    if total is not None and done < total:
        raise ConnectionError(f"it broke off after {done} of {total} bytes, and the next try goes on there")
