"""COCO: images, an annotation for every one whose class is known, and a category a class.

Nobody has looked for boxes: an annotation's box is the whole picture. Pictures of unsure exposures, and
strangers in others, are images without annotation. Discarded pictures are left out.

What is tentative is apart, so that no program takes it for the truth: ``tentative_annotations`` and
``tentative_categories`` are as ``annotations`` and ``categories`` are.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from ilap.core.version import __version__
from ilap.export.content import Content, absolute, likely_shown, read, text
from ilap.export.contract import Order, Written, whole

MADE_BY = "made by ilap"
MARK = MADE_BY.encode()


def content_of(content: Content) -> dict[str, Any]:
    """The file as an object."""
    images: list[dict[str, Any]] = []
    found: dict[str, list[dict[str, Any]]] = {"sure": [], "tentative": []}
    for number, row in enumerate(content.usable(), 1):
        image: dict[str, Any] = {
            "id": number,
            "file_name": text(absolute(row)),
            "width": row.width,
            "height": row.height,
        }
        if row.taken:
            image["date_captured"] = row.taken
        images.append({**image, "exposure": row.exposure.number})
        certainty = row.exposure.certainty
        if (place := likely_shown(row)) is not None and certainty is not None:
            found[certainty].append(
                {
                    "id": sum(map(len, found.values())) + 1,
                    "image_id": number,
                    "category_id": place,
                    "bbox": [0, 0, row.width, row.height],
                    "area": row.width * row.height,
                    "segmentation": [],
                    "iscrowd": 0,
                    "decided_by": row.exposure.decided_by,
                    "certainty": certainty,
                }
            )
    today = datetime.now(UTC)
    return {
        "info": {
            "description": f"{content.name}, {MADE_BY}",
            "version": __version__,
            "year": today.year,
            "date_created": today.isoformat(timespec="seconds"),
        },
        "licenses": [],
        "categories": [{"id": class_id, "name": name} for class_id, name in content.class_names.items()],
        "images": images,
        "annotations": found["sure"],
        "tentative_categories": [
            {"id": place, "name": name}
            for place, name in content.place_names.items()
            if place not in content.class_names
        ],
        "tentative_annotations": found["tentative"],
    }


def write(order: Order) -> Written:
    """Write the file."""
    content = read(order.learner)
    made = content_of(content)
    with whole(order, MARK, [row.path for row in content.pictures if row.path]) as draft:
        draft.write_text(json.dumps(made, ensure_ascii=False, indent=1), encoding="utf-8")
    count = len(made["images"])
    left_out = len(content.pictures) - count
    return Written("coco", str(order.out), count, len(content.class_names), left_out)
