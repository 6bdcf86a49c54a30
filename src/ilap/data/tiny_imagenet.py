"""Part of Tiny ImageNet: 200 classes of ImageNet, 60 photographs of each, 64 x 64 pixels, in one tar file.

The embedded backbone was trained on such pictures, so nothing is ever scored on them; the prior and the
calibration are fitted on them.
"""

from __future__ import annotations

from dataclasses import replace

from ilap.core import files as cache
from ilap.core.errors import MissingFile
from ilap.data import archive, files
from ilap.data.contract import Dataset
from ilap.data.folder import from_folder

FILE = "tiny-imagenet-60.tar"
ADDRESS = "http://cs231n.stanford.edu/tiny-imagenet-200.zip"


def create() -> Dataset:
    """Read the file, which is unpacked once."""
    found = next((place / FILE for place in files.roots() if (place / FILE).is_file()), None)
    if found is None:
        where = ", ".join(map(str, files.roots())) or "the data root"
        raise MissingFile(
            f"There is no {FILE} in {where}: make it of 60 pictures a class of Tiny ImageNet, get it from "
            f"{ADDRESS}, and set ILAP_DATA to the folder that it is in."
        )
    folder = archive.unpack(found, cache.cache_folder("data"), files.md5_of(found))
    inside = [path for path in folder.iterdir() if path.is_dir()]
    return replace(from_folder(inside[0] if len(inside) == 1 else folder), name="tiny_imagenet")
