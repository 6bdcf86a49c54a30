"""Label Studio: a task a picture, as its import takes them.

What ilap decided is a prediction, with how sure it was; what a person decided is an annotation; a tentative
place is a prediction of the model version *ilap tentative*, which can be shown or hidden apart. Beside the
tasks lies the project's labelling configuration, an XML file of the same name, to be pasted into *Labeling
Interface*: the picture is called ``image``, the choice ``identity``, and every class and tentative group is a
choice.

Browsers open no file:// addresses of a page: where Label Studio serves local files, ``url`` is
``/data/local-files/?d=`` (with / as its document root), else wherever the pictures are served.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ilap.core.version import __version__
from ilap.export.content import Content, absolute, address, confidence, likely_shown, read, text, where
from ilap.export.contract import Order, Written, whole
from ilap.keep.store.view import PictureRow
from ilap.learner.log import PERSON

MADE_BY = "made_by_ilap"
MARK = MADE_BY.encode()
CONFIGURED = b"<!-- made by ilap: paste this into the project's Labeling Interface -->"
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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
        "value": {"choices": [choice_of(content.place_names[place])]},
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


def choice_of(name: str) -> str:
    """A name as XML can hold it.

    >>> choice_of("fox\\x07")
    'fox?'
    """
    return NOT_XML.sub("?", name)


def beside(out: Path) -> Path:
    """Where the labelling configuration lies.

    >>> beside(Path("a/tasks.json")).name, beside(Path("tasks.xml")).name
    ('tasks.xml', 'tasks.xml.xml')
    """
    return out.with_name(f"{out.name}.xml") if out.suffix == ".xml" else out.with_suffix(".xml")


def configuration(content: Content) -> str:
    """The labelling configuration: the picture, and a choice a class or tentative group."""
    view = ElementTree.Element("View")
    ElementTree.SubElement(view, "Image", name="image", value="$image")
    choices = ElementTree.SubElement(view, "Choices", name="identity", toName="image", showInLine="true")
    for name in content.place_names.values():
        ElementTree.SubElement(choices, "Choice", value=choice_of(name))
    ElementTree.indent(view)
    return f"{CONFIGURED.decode()}\n{ElementTree.tostring(view, encoding='unicode')}\n"


def write(order: Order) -> Written:
    """Write the file."""
    content = read(order.learner)
    tasks = [task(row, content, order.parameters.url) for row in content.usable()]
    labels = replace(order, out=beside(order.out))
    files = [row.path for row in content.pictures if row.path]
    with whole(labels, CONFIGURED, files) as draft, whole(order, MARK, files) as tasks_draft:
        draft.write_text(configuration(content), encoding="utf-8")
        tasks_draft.write_text(json.dumps(tasks, ensure_ascii=False, indent=1), encoding="utf-8")
    notes = [f"its labelling configuration is {labels.out}"]
    if not order.parameters.url:
        notes.append("browsers open no file:// addresses: see --url if pictures do not show")
    advice = "; ".join(notes)
    left_out = len(content.pictures) - len(tasks)
    return Written("label-studio", str(order.out), len(tasks), len(content.class_names), left_out, advice)
