"""What the standard of camera trap data packages asks for: columns, times, observations and the
description."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ilap.core.version import __version__
from ilap.export.content import Content, confidence, shown
from ilap.keep.store.view import ExposureRow, PictureRow
from ilap.learner.log import PERSON

VERSION = "1.0.1"
SCHEMAS = f"https://raw.githubusercontent.com/tdwg/camtrap-dp/{VERSION}"
MARK = b'"title": "ilap"'
EXIF = "%Y:%m:%d %H:%M:%S"

# the columns of each table, in the standard's order
DEPLOYMENTS = (
    "deploymentID locationID locationName latitude longitude coordinateUncertainty deploymentStart"
    " deploymentEnd setupBy cameraID cameraModel cameraDelay cameraHeight cameraDepth cameraTilt cameraHeading"
    " detectionDistance timestampIssues baitUse featureType habitat deploymentGroups deploymentTags"
    " deploymentComments"
)
MEDIA = (
    "mediaID deploymentID captureMethod timestamp filePath filePublic fileName fileMediatype exifData favorite"
    " mediaComments"
)
OBSERVATIONS = (
    "observationID deploymentID mediaID eventID eventStart eventEnd observationLevel observationType"
    " cameraSetupType scientificName count lifeStage sex behavior individualID individualPositionRadius"
    " individualPositionAngle individualSpeed bboxX bboxY bboxWidth bboxHeight classificationMethod"
    " classifiedBy classificationTimestamp classificationProbability observationTags observationComments"
)


@dataclass(frozen=True, order=True)
class Moment:
    """A time; ``sure`` where it is the camera's and its time zone is known."""

    time: datetime
    sure: bool

    def __str__(self) -> str:
        """To the second, with its zone.

        >>> str(Moment(datetime(2024, 5, 1, 10, tzinfo=UTC), True))
        '2024-05-01T10:00:00Z'
        """
        return self.time.isoformat(timespec="seconds").replace("+00:00", "Z")


def parsed(text: str) -> Moment | None:
    """A camera's time. One without a zone, as EXIF has it, is taken for UTC.

    >>> str(parsed("2024:05:01 10:00:00")), str(parsed("2024-05-01T10:00:00+02:00")), parsed("noon")
    ('2024-05-01T10:00:00Z', '2024-05-01T10:00:00+02:00', None)
    """
    for read in (datetime.fromisoformat, lambda text: datetime.strptime(text, EXIF)):
        try:
            time = read(text)
        except ValueError:
            continue
        return Moment(time, True) if time.tzinfo else Moment(time.replace(tzinfo=UTC), False)
    return None


def taken(row: PictureRow, content: Content) -> Moment:
    """When a picture was taken; else when its file was last changed; else when it was learned."""
    if row.taken and (moment := parsed(row.taken)):
        return moment
    modified = content.modified.get((row.exposure.number, row.place))
    if modified is not None:
        return Moment(datetime.fromtimestamp(modified / 1e9, UTC), False)
    return Moment(datetime.fromisoformat(row.exposure.time), False)


def observations(exposure: ExposureRow, rows: Sequence[PictureRow], content: Content) -> list[dict[str, Any]]:
    """What an exposure tells: of the event, then of each of its pictures."""
    event = {
        "observationID": str(exposure.number),
        "observationLevel": "event",
        **observed(exposure, exposure.class_id, content),
    }
    return [
        event,
        *(
            {
                "observationID": f"{exposure.number}-{row.place}",
                "mediaID": f"{exposure.number}-{row.place}",
                "observationLevel": "media",
                **observed(exposure, shown(row), content),
            }
            for row in rows
        ),
    ]


def observed(exposure: ExposureRow, class_id: int | None, content: Content) -> dict[str, Any]:
    """Who was seen, and who says so."""
    by_person = exposure.decided_by == PERSON
    known = {} if class_id is None else {"count": 1, "individualID": content.class_names[class_id]}
    return {
        "eventID": content.exposure_names[exposure.number],
        "observationType": "unclassified" if class_id is None else "animal",
        **known,
        "classificationMethod": "human" if by_person else "machine",
        "classifiedBy": "" if by_person else f"ilap {__version__}",
        "classificationTimestamp": parsed(content.decided[exposure.number]) or "",
        "classificationProbability": confidence(exposure) if class_id is not None else None,
        "observationTags": " | ".join(tags(exposure, content)),
        "observationComments": exposure.decision.get("reason", "") if class_id is None else "",
    }


def tags(exposure: ExposureRow, content: Content) -> list[str]:
    """What was decided, whether that is sure, and where it most likely belongs if it is not."""
    found = [f"decision:{exposure.kind}"]
    found += [f"certainty:{exposure.certainty}"] if exposure.certainty else []
    if exposure.certainty == "tentative" and exposure.place is not None:
        found.append(f"likeliest:{content.place_names[exposure.place]}")
    return found


def package(title: str, start: datetime, end: datetime) -> dict[str, Any]:
    """The description of the whole."""
    resources = [
        {
            "name": name,
            "path": f"{name}.csv",
            "profile": "tabular-data-resource",
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "schema": f"{SCHEMAS}/{name}-table-schema.json",
        }
        for name in ("deployments", "media", "observations")
    ]
    return {
        "resources": resources,
        "profile": f"{SCHEMAS}/camtrap-dp-profile.json",
        "name": re.sub("[^-a-z0-9._]+", "-", title.lower()).strip("-.") or "pictures",
        "created": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "title": title,
        "contributors": [{"title": "to be filled in", "role": "contributor"}],
        "sources": [{"title": "ilap", "version": __version__}],
        "project": {
            "title": title,
            "samplingDesign": "opportunistic",
            "captureMethod": ["activityDetection"],
            "individualAnimals": True,
            "observationLevel": ["event", "media"],
        },
        "spatial": {"type": "GeometryCollection", "geometries": []},
        "temporal": {"start": start.date().isoformat(), "end": end.date().isoformat()},
        "taxonomic": [],
    }
