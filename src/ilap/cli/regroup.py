"""The command that looks at everything again."""

from __future__ import annotations

import json
from dataclasses import asdict

from ilap.cli.app import AsJson, LearnerPath, app, interruptible


@app.command()
def regroup(learner: LearnerPath, as_json: AsJson = False) -> None:
    """Look at all that is unsure again, at once.

    Where it most likely belongs is inferred from everything that was seen instead of in the order of arrival.
    What is sure stays; changes to it are proposed by ilap review. What ilap decided by an earlier rule is
    decided anew.
    """
    from ilap.keep.anew import decide_anew
    from ilap.keep.health import proposed
    from ilap.keep.learner import LearnerInFile
    from ilap.keep.tally import tally
    from ilap.learner.log import apart

    with interruptible(), LearnerInFile(learner, create=False) as ready:
        anew = decide_anew(ready)
        found = ready.regroup()
        count, told = proposed(ready.exact, apart(ready.history())), tally(ready)
    if as_json:
        print(
            json.dumps(
                {"learner": ready.path, **asdict(found), "proposed": count, "anew": anew and asdict(anew)}
            )
        )
        return
    if anew:
        print(anew.said)
    event = "" if found.event is None else f" (event {found.event})"
    print(f"{len(found.moved)} of {found.tentative} tentative places changed{event}")
    print(told.said)
    if count:
        print(f"changes to what is sure that are proposed: {count} (ilap review lists them)")
