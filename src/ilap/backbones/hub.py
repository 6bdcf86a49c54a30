"""Files from the Hugging Face hub, and weights from files.

Nothing is unpickled, and nothing is waited for: where there is no network, what lies in the hub's cache is
used, or the error comes at once. Where ILAP_OFFLINE is set, no connection is tried.
"""

from __future__ import annotations

import socket
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor

from ilap.core import files
from ilap.core.errors import BadSetting, MissingFile

HOST = "huggingface.co"
PATIENCE = 2.0  # seconds to find out that there is no network


def offline() -> bool:
    """Whether the hub is not to be asked, or cannot be reached."""
    return files.offline() or not reachable()


@cache
def reachable() -> bool:
    """Whether the hub answers."""
    try:
        socket.create_connection((HOST, 443), timeout=PATIENCE).close()
    except OSError:
        return False
    return True


def needs_extra(package: str, wanted: str) -> None:
    """Say how to get what is needed to read ``wanted``."""
    if find_spec(package) is None:
        raise MissingFile(
            f"There is no file {wanted!r} here, and to get a hub id of that name or to read .safetensors the "
            f"package {package} is needed: pip install 'ilap[hub]', or set weights to a .pth file or to random."
        )


def file(repository: str, name: str) -> Path:
    """A file of a repository on the hub, or of the hub's cache on this machine."""
    needs_extra("huggingface_hub", repository)
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    try:
        return Path(hf_hub_download(repository, name, local_files_only=offline()))
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError, ValueError):
        where = "in the hub's cache, as there is no network" if offline() else "on the hub"
        raise MissingFile(
            f"There is no file {repository!r}, and no {name} of that hub id {where}: set weights to a file on "
            f"this machine, to an id that can be had, or to random."
        ) from None


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Weights by name, from .safetensors or from a torch file that holds nothing but tensors."""
    if path.suffix == ".safetensors":
        needs_extra("safetensors", path.name)
        from safetensors.torch import load_file

        stored: dict[str, Tensor] = load_file(path)
        return stored
    try:
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds for a damaged or unsafe file
        raise BadSetting(
            f"{path} cannot be read as weights ({type(error).__name__}): take another file."
        ) from None
    if not isinstance(tensors, dict) or not all(isinstance(value, Tensor) for value in tensors.values()):
        raise BadSetting(f"{path} holds something else than named tensors: take a file of weights.")
    return tensors
