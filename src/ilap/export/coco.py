"""COCO: images, an annotation for every one whose class is known, and a category a class.

An annotation's box is the part of the picture that was looked at (``ilap learn --boxes``), else all of it. Ids
are from 1 on; a category's ``class_id`` is the id that ilap knows it by. Pictures of unsure exposures, and
strangers in others, are images without annotation. Discarded pictures are left out.

What is tentative is apart, so that no program takes it for the truth: ``tentative_annotations`` and
``tentative_categories`` are as ``annotations`` and ``categories`` are.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from ilap.core.crop import Box
from ilap.core.version import __version__
from ilap.export.content import Content, absolute, likely_shown, read, text
from ilap.export.contract import Order, Written, whole

MADE_BY = "made by ilap"
MARK = MADE_BY.encode()
WHOLE = Box(0, 0, 1, 1)


def content_of(content: Content) -> dict[str, Any]:
    """The file as an object."""
    images: dict[str | None, dict[str, Any]] = {}
    found: dict[str, list[dict[str, Any]]] = {"sure": [], "tentative": []}
    groups = [place for place in content.place_names if place not in content.class_names]
    ids = {place: number for number, place in enumerate((*content.class_names, *groups), 1)}
    for row in content.usable():
        file = text(absolute(row))
        image = images.setdefault(
            file, {"id": len(images) + 1, "file_name": file, "width": row.width, "height": row.height}
        )
        if row.taken:
            image["date_captured"] = row.taken
        image.setdefault("exposure", row.exposure.number)
        left, top, right, bottom = (row.box or WHOLE).pixels(row.width, row.height)
        certainty = row.exposure.certainty
        if (place := likely_shown(row)) is not None and certainty is not None:
            found[certainty].append(
                {
                    "id": sum(map(len, found.values())) + 1,
                    "image_id": image["id"],
                    "category_id": ids[place],
                    "bbox": [left, top, right - left, bottom - top],
                    "area": (right - left) * (bottom - top),
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
        "categories": [category(ids, place, name) for place, name in content.class_names.items()],
        "images": list(images.values()),
        "annotations": found["sure"],
        "tentative_categories": [category(ids, place, content.place_names[place]) for place in groups],
        "tentative_annotations": found["tentative"],
    }


def category(ids: dict[int, int], place: int, name: str) -> dict[str, Any]:
    """A class or tentative group: ids are from 1 on, as 0 is the background in many programs."""
    return {"id": ids[place], "name": name, "class_id": place}


def write(order: Order) -> Written:
    """Write the file."""
    content = read(order.learner)
    made = content_of(content)
    with whole(order, MARK, [row.path for row in content.pictures if row.path]) as draft:
        draft.write_text(json.dumps(made, ensure_ascii=False, indent=1), encoding="utf-8")
    count = len(content.usable())
    left_out = len(content.pictures) - count
    return Written("coco", str(order.out), count, len(content.class_names), left_out)
