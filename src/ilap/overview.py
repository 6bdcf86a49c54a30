"""All that there is to tell of a learner, as plain data: for ``ilap show``, ``ilap review`` and the report."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Any, cast

from ilap.classify.exact import Exact
from ilap.health import health, proposals
from ilap.kept import KeptLearner
from ilap.store import events, view


def overview(learner: KeptLearner) -> dict[str, Any]:
    """Classes with their health, exposures, what is unsure, classes that may be one or two."""
    connection = learner.file.connection
    exposures = view.exposures(connection)
    now = learner.state
    exact = cast(Exact, now.classifier)
    log = learner.history()
    known = learner.classes
    states = {one.class_id: one for one in health(exact, now.memory)}
    likely_one = [
        {"classes": [p.class_id, p.other], "names": [learner.name_of(k) for k in (p.class_id, p.other)]}
        | {"probability": p.probability}
        for p in proposals(exact, events.apart(log))
    ]
    return {
        "learner": learner.path,
        "settings": {"risk": learner.settings.risk, "backbone": exact.backbone.key, "seed": learner.seed},
        "bytes": os.path.getsize(learner.path) if os.path.exists(learner.path) else 0,
        "pictures": sum(now.sizes),
        "events": len(log),
        "classes": [
            {
                "class_id": class_id,
                "name": learner.name_of(class_id),
                "exposures": list(own.exposures),
                "pictures": own.pictures,
                **{key: value for key, value in asdict(states[class_id]).items() if key != "class_id"},
                "confirmed": [number for number in own.exposures if number in exact.fixed],
            }
            for class_id, own in known.items()
        ],
        "exposures": [exposure(row) for row in exposures],
        "unsure": [waiting(row, learner, set(known)) for row in exposures if row.state == "unsure"],
        "likely_one": likely_one,
        "likely_two": [
            {"class_id": one.class_id, "name": learner.name_of(one.class_id), "parts": one.parts}
            | {"probability": 1 - one.purity}
            for one in states.values()
            if one.parts
        ],
    }


def exposure(row: view.ExposureRow) -> dict[str, Any]:
    """One exposure."""
    return {
        "exposure": row.number,
        "name": row.name,
        "folder": row.folder,
        "pictures": row.pictures,
        "decision": row.kind,
        "class_id": row.class_id,
        "class_name": row.class_name,
        "decided_by": row.decided_by,
        "score": row.score,
        "error": row.decision.get("error"),
        "reason": row.decision.get("reason"),
        "left_out": row.decision.get("strangers", []),
        "continues": row.continues,
        "time": row.time,
    }


def waiting(row: view.ExposureRow, learner: KeptLearner, known: set[int]) -> dict[str, Any]:
    """One that is unsure, with the classes that it may be."""
    likely = row.decision.get("p_known", {})
    return {
        "exposure": row.number,
        "name": row.name,
        "pictures": row.pictures,
        "reason": row.decision.get("reason", "a person undid what was decided"),
        "p_new": row.decision.get("p_new"),
        "nearest": [
            {"class_id": int(k), "name": learner.name_of(int(k)), "probability": share}
            for k, share in sorted(likely.items(), key=lambda pair: -pair[1])
            if int(k) in known
        ],
    }
