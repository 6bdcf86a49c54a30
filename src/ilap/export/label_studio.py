"""Label Studio: a task a picture, as its import takes them.

What ilap decided is a prediction, with how sure it was; what a person decided is an annotation; a tentative
place is a prediction of the model version *ilap tentative*, which can be shown or hidden apart. The project's
labelling set-up names the picture ``image`` and the choice ``identity``:

    <View><Image name="image" value="$image"/>
    <Choices name="identity" toName="image"> <Choice value="class 0"/> ... </Choices></View>

Browsers open no file:// addresses of a page: where Label Studio serves local files, ``url`` is
``/data/local-files/?d=`` (with / as its document root), else wherever the pictures are served.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ilap.core.version import __version__
from ilap.export.content import Content, absolute, address, confidence, likely_shown, read, text, where
from ilap.export.contract import Order, Written, whole
from ilap.keep.store.view import PictureRow
from ilap.learner.log import PERSON

MADE_BY = "made_by_ilap"
MARK = MADE_BY.encode()


@dataclass(frozen=True)
class Parameters:
    """What it can be told."""

    url: str = ""  # what comes before a picture's path where pictures are served


def task(row: PictureRow, content: Content, url: str) -> dict[str, Any]:
    """A picture as a task."""
    path = absolute(row) or ""
    data = {
        "image": address(path, url),
        "picture": text(path),
        "exposure": where(row.exposure),
        "exposure_number": row.exposure.number,
        "decision": row.exposure.kind,
        "certainty": row.exposure.certainty,
    }
    made: dict[str, Any] = {
        "data": data,
        "meta": {MADE_BY: __version__},
        "annotations": [],
        "predictions": [],
    }
    if (place := likely_shown(row)) is None:
        return made
    choice = {
        "from_name": "identity",
        "to_name": "image",
        "type": "choices",
        "value": {"choices": [content.place_names[place]]},
    }
    if row.exposure.decided_by == PERSON and row.exposure.certainty == "sure":
        made["annotations"].append({"result": [choice]})
    elif row.exposure.certainty == "tentative":
        version = f"ilap {__version__} tentative"
        made["predictions"].append({"model_version": version, "result": [choice]})
    else:
        sure = confidence(row.exposure)
        score = {} if sure is None else {"score": sure}
        made["predictions"].append({"model_version": f"ilap {__version__}", **score, "result": [choice]})
    return made


def write(order: Order) -> Written:
    """Write the file."""
    content = read(order.learner)
    tasks = [task(row, content, order.parameters.url) for row in content.usable()]
    with whole(order, MARK, [row.path for row in content.pictures if row.path]) as draft:
        draft.write_text(json.dumps(tasks, ensure_ascii=False, indent=1), encoding="utf-8")
    advice = (
        "" if order.parameters.url else "browsers open no file:// addresses: see --url if pictures do not show"
    )
    left_out = len(content.pictures) - len(tasks)
    return Written("label-studio", str(order.out), len(tasks), len(content.class_names), left_out, advice)
