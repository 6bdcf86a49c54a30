"""A backbone by its name, shared by all learners of a process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from ilap.backbones.contract import Backbone, Trunk
from ilap.core import registry
from ilap.core.errors import BadSetting
from ilap.core.parameters import HUB, Component, component


class Source(Protocol):
    """Where a classifier gets its backbone from."""

    def frozen(self) -> Backbone:
        """A frozen feature extractor."""

    def trunk(self, seed: int) -> Trunk:
        """A network to be trained."""


@dataclass(frozen=True)
class Named:
    """A backbone by its name and parameters."""

    chosen: Component

    def frozen(self) -> Backbone:
        """The one that all learners of this process share."""
        return shared(self.chosen)

    def trunk(self, seed: int) -> Trunk:
        """The network that the backbone's file offers for training."""
        module, hub_id = registry.module("backbone", self.chosen.prefix), hub_id_of(self.chosen.name)
        if not hasattr(module, "trunk"):
            raise BadSetting(f"The backbone {self.chosen.name} cannot be trained: take trainable=head.")
        own: dict[str, Any] = {"name": hub_id} if hub_id else {}
        trunk: Trunk = module.trunk(self.chosen.parameters, seed, **own)
        return trunk


@dataclass(frozen=True)
class Given:
    """A backbone that somebody brings."""

    backbone: Backbone

    def frozen(self) -> Backbone:
        """It itself."""
        return self.backbone

    def trunk(self, seed: int) -> Trunk:
        """It has none."""
        raise BadSetting("A backbone given as an object is frozen: take trainable=head, or name a backbone.")


@lru_cache(maxsize=4)
def shared(chosen: Component) -> Backbone:
    """A frozen backbone, made once."""
    hub_id = hub_id_of(chosen.name)
    own: dict[str, Any] = {"name": hub_id} if hub_id else {}
    backbone: Backbone = registry.find("backbone", chosen.prefix)(chosen.parameters, **own)
    return backbone


def load(name: str, **parameters: Any) -> Backbone:
    """A frozen backbone of this name.

    >>> load("Lite-0", resolution=64, taps=()).key
    'lite0-64'
    """
    return Named(component("backbone", name, parameters)).frozen()


def hub_id_of(name: str) -> str:
    """The id on the hub, where the name is one.

    >>> hub_id_of("hf:facebook/dinov2-small"), hub_id_of("lite0")
    ('facebook/dinov2-small', '')
    """
    return name.removeprefix(HUB) if name.startswith(HUB) else ""
