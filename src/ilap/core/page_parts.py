"""Small copies of pictures, for pages.

The colours of classes: one a class, wherever it is shown.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable

from PIL import Image, features

from ilap.core.exposure import Picture

SIDE = 128


def image_of(picture: Picture) -> Image.Image:
    """A picture as Pillow has it; transparent parts lie on white."""
    image = Image.fromarray(picture[..., 0] if picture.ndim == 3 and picture.shape[2] == 1 else picture)
    if image.mode == "RGBA":
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    return image


def jpeg(picture: Picture, side: int = SIDE) -> bytes:
    """A small copy, as JPEG."""
    image = image_of(picture)
    image.thumbnail((side, side))
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=80)
    return buffer.getvalue()


def smaller_uri(small: bytes, side: int) -> str:
    """A small copy (``jpeg``) of at most this size, for a page: WebP takes a third of the bytes."""
    with Image.open(io.BytesIO(small)) as image:
        if not features.check("webp"):  # a Pillow that was built without it
            return f"data:image/jpeg;base64,{base64.b64encode(small).decode()}"
        image.thumbnail((side, side))
        buffer = io.BytesIO()
        image.save(buffer, "WEBP", quality=70)
    return f"data:image/webp;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def png_uri(picture: Picture, side: int) -> str:
    """A copy of just this size, as a page holds it. Tiny pictures are enlarged with sharp pixels."""
    image = image_of(picture)
    scale = side / max(image.size)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    image = image.resize(size, Image.Resampling.NEAREST if scale > 1 else Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def pictures_in_html(small: Iterable[bytes]) -> str:
    """Small copies (``jpeg``) in a row, as a page holds them."""
    return "".join(
        f'<img style="height:64px;margin:1px" src="data:image/jpeg;base64,{base64.b64encode(own).decode()}">'
        for own in small
    )


PALETTE = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#7f7f7f"),
    *("#0000ff", "#00dd00", "#ff00dd", "#551188", "#ff0066", "#662211", "#334400", "#2277ff"),
    *("#ffaa88", "#338800", "#bbcc88", "#aa55ff", "#00dd77", "#661144", "#ff0022", "#cc1188"),
    *("#ff88ff", "#bbaaff", "#997733", "#004444", "#0011bb", "#aa0022", "#333355", "#99cc00"),
)
"""First Okabe and Ito's colours, which colour-blind readers can tell apart; yellow darkened, black left out.
Then each time the one that is farthest in CIELAB from all before it, of a lightness that shows on white."""


def colour(class_id: int) -> str:
    """A class's colour.

    >>> len({colour(class_id) for class_id in range(32)}), colour(0) == colour(32)
    (32, True)
    """
    return PALETTE[class_id % len(PALETTE)]
