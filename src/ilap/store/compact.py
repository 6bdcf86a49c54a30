"""``ilap compact``: everything derived is made anew, and the file shrinks to what it holds."""

from __future__ import annotations

import os

import numpy as np

from ilap.classify.member import residuals
from ilap.classify.metric import Metric
from ilap.errors import BadOutput
from ilap.store import rows, state
from ilap.store.file import LearnerFile, named_errors


def compact(file: LearnerFile) -> tuple[int, int]:
    """Make the file's scatter anew from its features and give unused space back; gives its size before and
    after. Killed half-way, the file is as it was, or compact."""
    before = os.path.getsize(file.path)
    with file.transaction() as connection:
        backbone = state.meta(connection, "backbone")
        if backbone is None:
            raise BadOutput(f"{file.path} holds nothing yet: let it learn first.")
        metric = Metric(np.zeros((backbone["dim"], backbone["dim"])), 0, True)
        for (number,) in connection.execute(
            "SELECT number FROM exposures WHERE place >= 0 ORDER BY since, number"
        ).fetchall():
            metric = metric.add(residuals(rows.samples(connection, number, backbone["dtype"])))
        last = connection.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()[0]
        if metric.freedom:
            state.checkpoint(connection, metric, last)
        else:
            connection.execute("DELETE FROM checkpoint")
    with named_errors(file.path):
        file.connection.execute("VACUUM")
        file.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return before, os.path.getsize(file.path)
