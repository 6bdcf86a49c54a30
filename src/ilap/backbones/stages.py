"""The stages of EfficientNet-Lite0, in numbers: what can be known of it without torch."""

from __future__ import annotations

# expansion, channels, repeats, stride, kernel: the seven stages of Lite0
STAGES = (
    (1, 16, 1, 1, 3),
    (6, 24, 2, 2, 3),
    (6, 40, 2, 2, 5),
    (6, 80, 3, 2, 3),
    (6, 112, 3, 1, 5),
    (6, 192, 4, 2, 5),
    (6, 320, 1, 1, 3),
)
TOP = 1280  # features of the pooled top
GRID = 2  # a tap is averaged over so many by so many parts of the picture


def block_channels() -> list[int]:
    """How many channels each block puts out."""
    return [outputs for _, outputs, repeats, _, _ in STAGES for _ in range(repeats)]
