"""Camtrap DP 1.0, the camera trap community's data package: deployments, media and observations as CSV.

An exposure is an event (``eventID``), a class an individual (``individualID``). Observations are given at both
levels of the standard: one an event, and one a picture, so that nobody has to match pictures to events by time.
Of unsure exposures and strangers ``observationType`` is unclassified and ``individualID`` empty; where an
unsure one most likely belongs is a tag. Exposures whose folders lie in one folder, or that a folder was cut
into, make a deployment. What ilap cannot know (coordinates, species, who took the pictures) is left for a
person to fill in.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from ilap.core.cells import as_text
from ilap.core.frames import file_of
from ilap.core.names import readable
from ilap.export import camtrap_package
from ilap.export.camtrap_package import DEPLOYMENTS, MEDIA, OBSERVATIONS, Moment, taken
from ilap.export.content import Content, absolute, address, read, safe, unique
from ilap.export.contract import Order, Written, whole_folder
from ilap.keep.store.view import PictureRow

Rows = list[dict[str, Any]]
SIGN = "datapackage.json"
TYPES = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
    ".bmp": "image/bmp",
    ".pgm": "image/x-portable-graymap",
    ".gif": "image/gif",
    ".avif": "image/avif",
    ".heic": "image/heic",
    ".avi": "video/x-msvideo",
    ".mkv": "video/x-matroska",
    ".mov": "video/quicktime",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
}


@dataclass(frozen=True)
class Parameters:
    """What it can be told."""

    url: str = ""  # what comes before a picture's path where pictures are served


def deployments(pictures: Iterable[PictureRow]) -> dict[int, str]:
    """The deployment of every exposure: the folder that its folder is in, or where a folder was cut into
    exposures, that folder."""
    camera: dict[int, str] = {}
    for row in pictures:
        camera.setdefault(row.exposure.number, os.path.dirname(row.exposure.folder or absolute(row) or ""))
    found = list(dict.fromkeys(camera.values()))
    folders = (readable(os.path.basename(folder)) or "deployment" for folder in found)
    names = unique(enumerate(map(safe, folders)))
    return {number: names[found.index(folder)] for number, folder in camera.items()}


def medium(row: PictureRow, deployment: str, moment: Moment, url: str) -> dict[str, Any]:
    """A picture as a row of media."""
    path = absolute(row) or ""
    return {
        "mediaID": f"{row.exposure.number}-{row.place}",
        "deploymentID": deployment,
        "timestamp": moment,
        "filePath": address(path, url),
        "filePublic": "false",
        "fileName": readable(os.path.basename(path)),
        "fileMediatype": TYPES.get(Path(file_of(path)).suffix.lower(), "application/octet-stream"),
    }


def deployment_row(name: str, moments: list[Moment]) -> dict[str, Any]:
    """A deployment, as long as its pictures tell."""
    return {
        "deploymentID": name,
        "locationName": name,
        "deploymentStart": min(moments),
        "deploymentEnd": max(moments),
        "timestampIssues": "false" if all(moment.sure for moment in moments) else "true",
    }


def tables(content: Content, url: str = "") -> dict[str, Rows]:
    """All three, as rows of the columns that are not empty."""
    deployed = deployments(content.usable())
    media: Rows = []
    observations: Rows = []
    moments: dict[str, list[Moment]] = {}
    for exposure, group in groupby(content.usable(), lambda row: row.exposure):
        rows = list(group)
        name = deployed[exposure.number]
        times = [taken(row, content) for row in rows]
        moments.setdefault(name, []).extend(times)
        media += [medium(row, name, time, url) for row, time in zip(rows, times, strict=True)]
        event = {"deploymentID": name, "eventStart": min(times), "eventEnd": max(times)}
        observations += [{**event, **own} for own in camtrap_package.observations(exposure, rows, content)]
    return {
        "deployments": [deployment_row(name, own) for name, own in moments.items()],
        "media": media,
        "observations": observations,
    }


def save(path: Path, columns: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """A table, all columns of the standard in its order."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns.split(), restval="")
        table.writeheader()
        table.writerows({column: as_text(cell) for column, cell in row.items()} for row in rows)


def write(order: Order) -> Written:
    """Write the folder."""
    content = read(order.learner)
    made = tables(content, order.parameters.url)
    columns = {"deployments": DEPLOYMENTS, "media": MEDIA, "observations": OBSERVATIONS}
    start = min((row["deploymentStart"].time for row in made["deployments"]), default=datetime.now(UTC))
    end = max((row["deploymentEnd"].time for row in made["deployments"]), default=start)
    package = camtrap_package.package(content.name, start, end)
    with whole_folder(order, SIGN, camtrap_package.MARK) as draft:
        for name, rows in made.items():
            save(draft / f"{name}.csv", columns[name], rows)
        (draft / SIGN).write_text(json.dumps(package, ensure_ascii=False, indent=2), encoding="utf-8")
    count = len(made["media"])
    return Written(
        "camtrap-dp",
        str(order.out),
        count,
        len(content.class_names),
        len(content.pictures) - count,
        "fill in latitude and longitude in deployments.csv, which the standard asks for, and the contributors",
    )
