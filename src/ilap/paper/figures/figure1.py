"""Figure 1: the method as a diagram, after the paper's figure 1 and section 3. Nothing in it is measured, so
the drawing ships as it is; tools/make_figure1.py draws it."""

from __future__ import annotations

from pathlib import Path

from ilap.core import files
from ilap.paper.contract import Made, Request

NAME = "figure1"
DRAWING = tuple(Path(__file__).with_suffix(end) for end in (".png", ".svg", ".csv"))


def make(request: Request) -> Made:
    """Copy the drawing and its arrows as a table."""
    copies = {file: request.folder / f"{NAME}-{request.scale}{file.suffix}" for file in DRAWING}
    for file, copy in copies.items():
        files.write(copy, file.read_bytes())
    return Made(
        NAME,
        "The method",
        "An exposure is split; a copy of the learner is trained with it as one class more, against exemplars "
        "that are thinned out by the class imbalance lambda. The class that loses more than theta of its "
        "accuracy is what the exposure shows; if none does, it is new. The learner is then trained under "
        "that label from its weights before, and the most typical samples are saved. A diagram: nothing in "
        "it is measured.",
        tuple(copies.values()),
        request.command(NAME),
        "none",
        0.0,
    )
