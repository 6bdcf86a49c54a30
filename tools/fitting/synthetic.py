"""Synthetic sessions: clips made of single pictures, so that bursts of many kinds of things are fitted on.

Sets of real bursts are few, and each is one kind of thing. So sessions are made of the pictures of the other
sets. In kind *class* a thing is a class and each session one picture of it; in *weak*, *middle* and *strong* a
thing is one picture and each session shows it in another way: turned, nearer, from another side, in other
light, blurred. The frames of a session drift a little and shake.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from ilap.data.contract import Labelled

KINDS = {"class": 0.15, "weak": 0.35, "middle": 0.7, "strong": 1.2}
"""The strength of the change between sessions; all of this file's constants are by hand."""
FRAMES = 8
SIDE = 96
CLASSES, OCCASIONS_OF_CLASS = 24, 10
PARENTS, SIBLINGS, OCCASIONS_OF_PICTURE = 12, 4, 6


@dataclass(frozen=True)
class Look:
    """How a session shows a thing."""

    turn: float
    zoom: float
    shift: tuple[float, float]
    side: float
    light: float
    contrast: float
    cast: NDArray[np.float64]
    gamma: float
    blur: float
    noise: float
    seed: int


def clips(part: Labelled, kind: str, seed: int) -> tuple[list[NDArray[np.uint8]], list[int], list[int]]:
    """Pictures, the thing of each and its clip."""
    rng = np.random.default_rng(seed)
    labels = np.asarray(part.labels)
    known = np.unique(labels)
    if kind == "class":
        chosen = rng.choice(known, min(CLASSES, len(known)), replace=False)
        shown = [
            (int(label), int(i))
            for label in chosen
            for i in rng.choice(np.flatnonzero(labels == label), OCCASIONS_OF_CLASS, replace=False)
        ]
    else:
        chosen = rng.choice(known, min(PARENTS, len(known)), replace=False)
        things = [
            int(i)
            for label in chosen
            for i in rng.choice(np.flatnonzero(labels == label), SIBLINGS, replace=False)
        ]
        shown = [(thing, i) for thing, i in enumerate(things) for _ in range(OCCASIONS_OF_PICTURE)]
    pictures = [frames(as_image(part.pictures[i]), look(rng, KINDS[kind]), rng) for _, i in shown]
    return (
        [frame for own in pictures for frame in own],
        [thing for thing, _ in shown for _ in range(FRAMES)],
        [clip for clip in range(len(shown)) for _ in range(FRAMES)],
    )


def look(rng: np.random.Generator, strength: float) -> Look:
    """One at random."""
    turn, zoom, right, down, light, contrast, gamma, blur, noise = strength * rng.normal(size=9)
    return Look(
        20 * turn,
        float(np.clip(1 - 0.35 * abs(zoom), 0.4, 1)),
        (0.1 * right, 0.1 * down),
        0.1 * strength,
        float(np.exp(0.45 * light)),
        float(np.exp(0.3 * contrast)),
        np.exp(0.15 * strength * rng.normal(size=3)),
        float(np.exp(0.3 * gamma)),
        float(1.2 * max(0.0, blur)),
        0.03 * abs(noise),
        int(rng.integers(1 << 30)),
    )


def frames(picture: Image.Image, look: Look, rng: np.random.Generator) -> list[NDArray[np.uint8]]:
    """A clip: a slow drift in one direction, and a shaking hand."""
    picture = picture.resize((SIDE, round(SIDE * picture.height / picture.width)), Image.Resampling.BILINEAR)
    drift, found = rng.normal(size=4), []
    for frame in range(FRAMES):
        along = (frame - FRAMES / 2) / FRAMES
        shake = rng.normal(size=4)
        turn = look.turn + 8 * drift[0] * along + shake[0]
        zoom = float(np.clip(look.zoom * (1 + 0.1 * drift[1] * along + 0.02 * shake[1]), 0.3, 1.1))
        right, down = (look.shift[i] + 0.06 * drift[2 + i] * along + 0.01 * shake[2 + i] for i in (0, 1))
        seen = from_side(picture, turn, zoom, right, down, look)
        found.append(in_light(seen, look, float(np.exp(0.03 * rng.normal())), rng))
    return found


def from_side(
    picture: Image.Image, turn: float, zoom: float, right: float, down: float, look: Look
) -> Image.Image:
    """A picture turned, nearer, shifted and from a side; what lies beyond its border is mirrored."""
    width, height = picture.size
    border = max(width, height) // 2
    around = np.pad(np.asarray(picture), ((border, border), (border, border), (0, 0)), mode="reflect")
    sides = np.random.default_rng(look.seed).normal(0, look.side, (4, 2))
    cos, sin = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    corners = (
        np.array([(-1, -1), (-1, 1), (1, 1), (1, -1)]) * (1 + sides) * zoom * np.array([width / 2, height / 2])
    )
    turned = corners @ np.array([[cos, sin], [-sin, cos]])
    quad = turned + np.array([width * (0.5 + right) + border, height * (0.5 + down) + border])
    return Image.fromarray(around).transform(
        (width, height), Image.Transform.QUAD, tuple(quad.ravel().tolist()), Image.Resampling.BILINEAR
    )


def in_light(picture: Image.Image, look: Look, flicker: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The same in other light."""
    values = (np.asarray(picture).astype(np.float32) / 255) ** look.gamma
    values = (values - values.mean()) * look.contrast + values.mean()
    values = values * look.light * flicker * look.cast + rng.normal(0, look.noise + 0.01, values.shape)
    made = Image.fromarray((np.clip(values, 0, 1) * 255).astype(np.uint8))
    return np.asarray(made.filter(ImageFilter.GaussianBlur(look.blur)) if look.blur > 0.05 else made)


def as_image(picture: NDArray[np.uint8]) -> Image.Image:
    """A picture of any data set, in colour."""
    values = np.asarray(picture)
    return Image.fromarray(values[..., 0] if values.ndim == 3 and values.shape[2] == 1 else values).convert(
        "RGB"
    )
