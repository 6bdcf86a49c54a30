"""Adapted networks (learner/adapted.py) as rows of the file, each with the event that made it.

A network stays when it is undone or another takes its place, so that every undo can itself be undone.
"""

from __future__ import annotations

import json
import sqlite3

from ilap.keep.store import events
from ilap.learner.adapted import Adapted
from ilap.learner.log import Event, adapted_by


def add(connection: sqlite3.Connection, event: int, network: Adapted) -> None:
    """Write the network that an event made."""
    connection.execute(
        "INSERT INTO networks (event, side, head_temperature, frozen_temperature, temperature, outputs, graph)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            event,
            network.side,
            network.head_temperature,
            network.frozen_temperature,
            network.temperature,
            json.dumps([list(pair) for pair in sorted(network.outputs.items())]),
            network.graph,
        ),
    )


def of_event(connection: sqlite3.Connection, event: Event | None) -> Adapted | None:
    """The network that an event made; None where it was lost with a damaged file."""
    asked = (
        "SELECT side, head_temperature, frozen_temperature, temperature, outputs, graph FROM networks"
        " WHERE event = ?"
    )
    found = connection.execute(asked, (event.id,)).fetchone() if event else None
    if found is None or event is None:
        return None
    side, head, frozen, both, outputs, graph = found
    return Adapted(graph, side, dict(json.loads(outputs)), head, frozen, both, event.about)


def in_force(connection: sqlite3.Connection) -> Adapted | None:
    """The network that names pictures now."""
    if not connection.execute("SELECT 1 FROM networks LIMIT 1").fetchone():
        return None
    return of_event(connection, adapted_by(events.of_kinds(connection, ("adapt", "undo"))))
