"""``ilap compact``: everything derived is made anew, and the file shrinks to what it holds."""

from __future__ import annotations

import os

from ilap.core.errors import BadOutput
from ilap.core.rule import MetricRule
from ilap.exact.metric import empty_metric
from ilap.keep.store import events, state
from ilap.keep.store.file import LearnerFile, named_errors


def compact(file: LearnerFile) -> tuple[int, int]:
    """Make the file's scatter anew from its features and give unused space back; gives its size before and
    after. Killed half-way, the file is as it was, or compact."""
    before = os.path.getsize(file.path)
    with file.transaction() as connection:
        backbone = state.meta(connection, "backbone")
        if backbone is None:
            raise BadOutput(f"{file.path} holds nothing yet: let it learn first.")
        empty = empty_metric(backbone["dim"], True, MetricRule())
        last = events.last(connection)
        state.checkpoint(connection, state.scatter_anew(connection, empty, backbone["dtype"]), last)
    with named_errors(file.path):
        file.connection.execute("VACUUM")
        file.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return before, os.path.getsize(file.path)
