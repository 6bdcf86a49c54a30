"""The commands that correct a learner. A person's word holds: nothing that is decided later overturns it."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from ilap.cli.app import app, interruptible
from ilap.cli.learn import AsJson, LearnerPath

Exposures = Annotated[
    list[str], typer.Argument(help="Exposures, by number, name or folder.", show_default=False)
]
OneClass = Annotated[str, typer.Argument(help="A class, by name or id.", show_default=False)]


def tell(as_json: bool, sentence: str, **report: Any) -> None:
    """What was done."""
    print(json.dumps({"said": sentence, **report}) if as_json else sentence)


@app.command()
def rename(
    learner: LearnerPath,
    which: OneClass,
    name: Annotated[str, typer.Argument(help="Its name from now on.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Give a class a name."""
    from ilap.cli.names import class_of
    from ilap.kept import KeptLearner

    with interruptible(), KeptLearner(learner, create=False) as ready:
        class_id = class_of(ready, which)
        event = ready.rename(class_id, name)
    tell(as_json, f"class {class_id} is called {name} (event {event})", event=event, class_id=class_id)


@app.command()
def merge(learner: LearnerPath, which: OneClass, other: OneClass, as_json: AsJson = False) -> None:
    """Two classes are one. The first keeps its id and name."""
    from ilap.cli.names import class_of
    from ilap.kept import KeptLearner

    with interruptible(), KeptLearner(learner, create=False) as ready:
        into, gone = class_of(ready, which), class_of(ready, other)
        event = ready.merge(into, gone)
        name, count = ready.name_of(into), len(ready.classes[into].exposures)
    sentence = f"class {gone} is part of {name}, which now has {count} exposures (event {event})"
    tell(as_json, sentence, event=event, class_id=into)


@app.command()
def split(
    learner: LearnerPath,
    exposures: Exposures,
    name: Annotated[str | None, typer.Option(help="The new class's name.")] = None,
    as_json: AsJson = False,
) -> None:
    """Exposures of one class are a class of their own."""
    from ilap.cli.names import exposure_of
    from ilap.kept import KeptLearner

    with interruptible(), KeptLearner(learner, create=False) as ready:
        numbers = [exposure_of(ready, text) for text in exposures]
        class_id = ready.split(numbers, name)
        called, event = ready.name_of(class_id), ready.history()[-1].id
    tell(
        as_json,
        f"{len(set(numbers))} exposures are now {called} (event {event})",
        event=event,
        class_id=class_id,
    )


@app.command()
def move(
    learner: LearnerPath,
    exposure: Annotated[
        str, typer.Argument(help="An exposure, by number, name or folder.", show_default=False)
    ],
    to: Annotated[
        str, typer.Argument(help="A class, by name or id; new for one of its own.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """An exposure belongs to a class. Also settles what is unsure, and confirms what is right."""
    from ilap.cli.names import class_of, exposure_of
    from ilap.kept import KeptLearner

    with interruptible(), KeptLearner(learner, create=False) as ready:
        number = exposure_of(ready, exposure)
        target = None if to == "new" and "new" not in ready.names.values() else class_of(ready, to)
        class_id = ready.move(number, target)
        called, event = ready.name_of(class_id), ready.history()[-1].id
    tell(as_json, f"exposure {number} is {called} (event {event})", event=event, class_id=class_id)


@app.command()
def discard(learner: LearnerPath, exposures: Exposures, as_json: AsJson = False) -> None:
    """Exposures are of no use: nothing is learned from them, now or later."""
    from ilap.cli.names import exposure_of
    from ilap.kept import KeptLearner

    with interruptible(), KeptLearner(learner, create=False) as ready:
        numbers = [exposure_of(ready, text) for text in exposures]
        event = ready.discard(numbers)
    tell(
        as_json, f"{len(set(numbers))} exposures are discarded (event {event})", event=event, exposures=numbers
    )


@app.command()
def undo(
    learner: LearnerPath,
    event: Annotated[
        int | None, typer.Argument(help="An event of ilap history; the last correction by default.")
    ] = None,
    with_later: Annotated[
        bool, typer.Option("--with-later", help="Also undo later events that depend on it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take back the last correction, or any one event: a correction, an undo, or something that was learned."""
    from ilap.kept import KeptLearner

    with interruptible(), KeptLearner(learner, create=False) as ready:
        taken_back = ready.undo(event, with_later)
    numbers = ", ".join(map(str, taken_back))
    tell(as_json, f"event{'s' * (len(taken_back) > 1)} {numbers} undone", undone=taken_back)
