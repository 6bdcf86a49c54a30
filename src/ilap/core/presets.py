"""The presets: learners by name, each as the settings in which it differs from the defaults. Plain data.

A preset in a file: the preset that it starts from and the settings in which it differs, as JSON.

``ilap calibrate`` writes one, and whatever takes a preset or a learner by its name takes the file's path too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ilap.core import files
from ilap.core.errors import BadSetting, MissingFile


@dataclass(frozen=True)
class Preset:
    """What it is, in a line, and its settings by name (settings.py)."""

    description: str
    settings: Mapping[str, Any]


PAPER = {
    "classifier": "network",
    "detector": "confusion",
    "backbone": "resnet18",
    "exemplars": None,
    "ranking": "herding",
    "confusion.imbalance": 0.5,
    "confusion.theta": 0.6,
}
"""The text: batches of 16, 2e-4 for the head and 2e-5 below, 15 epochs, a copy of L in the trial, the relative
drop of accuracy on P_val. These are the network's defaults."""

AUTHORS = {
    **PAPER,
    "confusion.sure_above": 0.9,
    "confusion.several_above": 0.7,
    "accept_above": 0.5,
    "classifier.patience": 15,
    "classifier.update_head": "random",
    "classifier.trial_head": "random",
    "classifier.thinning": "first",
    "classifier.bias_layer": True,
    "classifier.repeat_weight": 0.5,
}
"""The authors' released code. A ratio of accuracies below .1 is a known class, from .4 on a new one; between
the two, or with several classes below .3, the exposure is unsure. A new class needs an accuracy of .5. The head
is re-created in every training, which has all its epochs and ends with a scale and a shift of every class.

Left out: pictures scaled to 32 px, normalised by a tenth of their spread, cropped and flipped at random, which
belongs to its data; a P_val that is never renewed, which belongs to its bookkeeping. An unsure exposure is
thrown away there and asked about again here. P_val is not halved with P_train but weighted (``criterion``),
which is the same in the mean."""

CPU = {**PAPER, "backbone": "lite0", "classifier.trainable": "head", "classifier.batch": 128}
"""The embedded backbone, frozen: only the head is trained."""

VARIANT = {
    **CPU,
    "confusion.statistic": "preference",
    "classifier.trial_head": "zero",
    "classifier.trial_rate": 1e-3,
    "classifier.trial_batch": 64,
    "classifier.trial_steps": 200,
    "classifier.trial_patience": 20,
    "classifier.trials": 5,
    "classifier.judge": "unseen",
}
"""Ours, for few pictures and many classes: five heads from zero, averaged, judged by every exemplar that they
did not train on."""

NO_IMBALANCE = {"confusion.imbalance": 0.0, "confusion.theta": 0.4}

PRESETS: Mapping[str, Preset] = {
    "fast": Preset(
        "closed form on frozen features: no training, some tens of milliseconds a decision",
        {"classifier": "exact", "detector": "calibrated", "backbone": "lite0"},
    ),
    "paper": Preset("the paper's learner with class imbalance: a network trained by gradient descent", PAPER),
    "paper-noci": Preset("the paper's learner without class imbalance", {**PAPER, **NO_IMBALANCE}),
    "authors-code": Preset("the rules of the authors' released code that the paper does not state", AUTHORS),
    "authors-code-noci": Preset("the same without class imbalance", {**AUTHORS, **NO_IMBALANCE}),
    "paper-cpu": Preset(
        "a variant of the paper's learner for a CPU: a head on frozen features of the embedded backbone",
        VARIANT,
    ),
    "paper-cpu-noci": Preset("the same variant without class imbalance", {**VARIANT, **NO_IMBALANCE}),
    "paper-cpu-drop": Preset(
        "the paper's own statistic on the variant's features: one head from zero, drop of accuracy on P_val",
        {**CPU, "classifier.trial_head": "zero", "classifier.trial_batch": 16},
    ),
}


ENDING = ".json"


def is_file(preset: str) -> bool:
    """Whether a preset is meant as a file.

    >>> is_file("fast"), is_file("mine/calibrated.json")
    (False, True)
    """
    return preset.endswith(ENDING)


def read(path: str | Path) -> tuple[str, dict[str, Any]]:
    """The preset that a file starts from, and its settings."""
    try:
        content = json.loads(Path(path).expanduser().read_text(encoding="utf-8"))
        base, settings = content["preset"], content["settings"]
        if not isinstance(base, str) or not isinstance(settings, dict):
            raise TypeError
    except FileNotFoundError:
        raise MissingFile(f"There is no preset file {path}: make one by ilap calibrate.") from None
    except (ValueError, KeyError, TypeError):
        raise BadSetting(
            f'{path} is no preset file: it holds {{"preset": a name, "settings": {{name: value}}}}.'
        ) from None
    return base, settings


def write(path: Path, preset: str, settings: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """Write a preset file; ``about`` says where its settings come from, for people to read."""
    content = {"preset": preset, "settings": dict(settings), "about": dict(about)}
    files.write(path, json.dumps(content, indent=2) + "\n")
