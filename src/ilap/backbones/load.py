"""A backbone by its name, shared by all learners of a process."""

from __future__ import annotations

import importlib
from functools import lru_cache
from types import ModuleType

from ilap import registry
from ilap.backbones.contract import Backbone
from ilap.settings import Settings

HUB = "hf:"


def module_of(name: str) -> tuple[ModuleType, str]:
    """The file of a backbone, and the id on the hub where the name is one."""
    if name.startswith(HUB):
        return importlib.import_module("ilap.backbones.huggingface"), name.removeprefix(HUB)
    registry.find("backbone", name)
    return importlib.import_module(f"ilap.backbones.{name}"), ""


@lru_cache(maxsize=4)
def load_backbone(name: str, resolution: int | None = None, taps: tuple[int, ...] | None = None) -> Backbone:
    """A frozen backbone."""
    module, hub_id = module_of(name)
    backbone: Backbone = (
        module.create(resolution, taps, name=hub_id) if hub_id else module.create(resolution, taps)
    )
    return backbone


def load_frozen(settings: Settings) -> Backbone:
    """The frozen backbone that settings name."""
    return load_backbone(settings.backbone, settings.resolution, settings.taps)
