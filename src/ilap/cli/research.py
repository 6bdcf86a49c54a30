"""The commands for research: the demonstration, benchmarks, priors and presets."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from ilap.cli.app import (
    AsJson,
    Assignments,
    AtOnce,
    Backbone,
    DataRoot,
    Risk,
    Sampling,
    app,
    changes_of,
    interruptible,
    print_json,
    split,
)
from ilap.core.presets import PRESETS


@app.command()
def demo(
    data: Annotated[str, typer.Option(help="Data set.")] = "digits",
    preset: Annotated[str, typer.Option(help="Settings to start from, by name or file.")] = "fast",
    exposure_size: Annotated[int, typer.Option(help="Pictures in an exposure.")] = 40,
    repeats: Annotated[int, typer.Option(help="Exposures of every class.")] = 3,
    seed: Annotated[int, typer.Option(help="Seed of the stream and of the learner.")] = 0,
    backbone: Backbone = None,
    risk: Risk = None,
    sampling: Sampling = None,
    theta: Annotated[
        float | None, typer.Option(help="Drop above which a class is known, for confusion.")
    ] = None,
    imbalance: Annotated[float | None, typer.Option("--lambda", help="Class imbalance of the trial.")] = None,
    assignments: Assignments = None,
    out: Annotated[Path, typer.Option(help="Where to write the page.")] = Path("ilap-demo.html"),
    as_json: AsJson = False,
) -> None:
    """Try it on embedded pictures of digits.

    Sorts a stream of exposures whose classes are known, but not to the learner, and shows how it went. The
    pictures of an exposure are drawn at random from its class, and the learner is told so (--sampling).
    """
    from ilap.bench import demo

    changes = changes_of(
        assignments, backbone=backbone, risk=risk, sampling=sampling, theta=theta, imbalance=imbalance
    )
    with interruptible():
        report = demo.run(data, preset, exposure_size, repeats, seed, {"sampling": "random", **changes}, out)
    if as_json:
        print_json(report)
    else:
        demo.print_table(report)


def listing(kind: str) -> str:
    """What there is of a kind, for a help text."""
    from ilap.core import registry

    return ", ".join(registry.names(kind))


@app.command()
def bench(
    data: Annotated[
        str,
        typer.Option(
            help=f"Data sets, by commas: {listing('data set')}, hf:ID, folder:PATH, or a path that has a slash."
        ),
    ],
    learner: Annotated[
        str, typer.Option(help=f"Learners, by commas: {', '.join(PRESETS)}, {listing('learner')}.")
    ] = "fast",
    exposure_size: Annotated[
        str | None,
        typer.Option(
            help="Pictures in an exposure: 20, or 1-50 to draw for each, evenly in the logarithm. 200 by "
            "default; clips have their own size."
        ),
    ] = None,
    repeats: Annotated[
        str | None,
        typer.Option(
            help="Exposures of every class: 5, or 2-8 to draw for each. 5 by default; of clips all come."
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(help="How many seeds.")] = 5,
    first_seed: Annotated[int, typer.Option(help="The first of them.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder of the run; the same one again goes on.")] = Path(
        "runs/bench"
    ),
    jobs: AtOnce = None,
    draw: Annotated[
        str,
        typer.Option(
            help="disjoint, replacement (IOLfCV), contiguous (neighbours in a clip), or clips (each whole; "
            "nothing is held out, so there is no accuracy)."
        ),
    ] = "disjoint",
    order: Annotated[str, typer.Option(help="shuffled, or early: repeats soon after the first.")] = "shuffled",
    impurity: Annotated[float, typer.Option(help="Share of every exposure that shows another class.")] = 0.0,
    classes: Annotated[int | None, typer.Option(help="Take so many of the classes, at random.")] = None,
    order_seed: Annotated[int | None, typer.Option(help="One class order for all seeds.")] = None,
    picture_seed: Annotated[int | None, typer.Option(help="One draw of pictures for all seeds.")] = None,
    learner_seed: Annotated[int | None, typer.Option(help="One initialisation for all seeds.")] = None,
    answers: Annotated[
        int, typer.Option(help="Answers that a person, right .99 of the time, gives when the stream has ended.")
    ] = 0,
    questions: Annotated[
        str,
        typer.Option(
            help="What the person is asked: ask (what helps most), bulk (with exposures that are confirmed "
            "together), random, or match (the likeliest pair)."
        ),
    ] = "ask",
    backbone: Backbone = None,
    risk: Risk = None,
    assignments: Assignments = None,
    data_root: DataRoot = None,
    as_json: AsJson = False,
) -> None:
    """Compare learners on streams of labelled data.

    Stopped or killed, the same command goes on where it was.
    """
    from ilap.bench import command
    from ilap.paper.published import BESIDE

    if data_root:
        os.environ["ILAP_DATA"] = str(data_root)
    changes = changes_of(assignments, backbone=backbone, risk=risk)
    plan = {
        "draw": draw,
        "order": order,
        "impurity": impurity,
        "classes": classes,
    }
    own_seeds = {"order_seed": order_seed, "picture_seed": picture_seed, "learner_seed": learner_seed}
    with interruptible("run the same command again to go on"):
        command.bench(
            split(data),
            split(learner),
            plan,
            exposure_size,
            repeats,
            range(first_seed, first_seed + seeds),
            own_seeds,
            changes,
            out,
            jobs,
            as_json,
            BESIDE,
            {"answers": answers, "questions": questions},
        )


@app.command()
def prior(
    folder: Annotated[Path, typer.Argument(help="A folder of class folders.")],
    backbone: Annotated[str, typer.Option(help="The backbone to make it for.")] = "lite0",
    resolution: Annotated[
        int | None, typer.Option(help="Side in pixels, the backbone's own by default.")
    ] = None,
    dim: Annotated[int, typer.Option(help="Directions to keep.")] = 1024,
    out: Annotated[
        Path | None, typer.Option(help="The file to write, else one that is found by itself.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a prior for another backbone.

    It learns from labelled pictures how pictures of one class differ for that backbone, so that its first
    decisions are sure.
    """
    from ilap.backbones import fit
    from ilap.backbones.load import load
    from ilap.backbones.prior import own_file
    from ilap.core.terminal import bars

    ready = load(backbone, **{} if resolution is None else {"resolution": resolution})
    with interruptible(), bars() as progress:
        task = progress.add_task(f"pictures through {ready.key}", total=None)
        made = fit.fit(ready, folder, dim, lambda done, of: progress.update(task, completed=done, total=of))
    path = out or own_file(ready.key)
    fit.save(made, path)
    report = {"backbone": ready.key, "dim": made.dim, "separation": made.separation, "file": str(path)}
    if as_json:
        print_json(report)
    else:
        print(f"{path}: {ready.dim} -> {made.dim} directions")


@app.command()
def presets(
    name: Annotated[str | None, typer.Argument(help="The preset, or preset file, to print in full.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the presets, or print one in full.

    Every value can be changed with --set name=value.
    """
    from ilap.backbones.contract import FEATURE_RATE, HEAD_RATE, RANDOM_RATE
    from ilap.core.rule import RULE
    from ilap.core.settings import resolve

    if name is None and not as_json:
        print("\n".join(f"{key:<14}{preset.description}" for key, preset in PRESETS.items()))
        return
    if name is None:
        print_json({key: dict(preset.settings) for key, preset in PRESETS.items()})
        return
    chosen = {name: resolve(name, {}).plain()}
    if as_json:
        print_json(chosen[name])
        return
    for key, settings in chosen.items():
        print(f"{key}: {PRESETS[key].description if key in PRESETS else 'from a file'}\n")
        print("\n".join(f"{setting:<24}{value}" for setting, value in settings.items()))
    print(
        f"\nNone is the backbone's own. Learning rates: head {HEAD_RATE:g} and features {FEATURE_RATE:g} where "
        f"weights are trained, {RANDOM_RATE:g} for both where they start at random (small, weights=random). "
        f"Rule {RULE.name}: its constants are in core/rule.py."
    )
