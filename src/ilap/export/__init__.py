"""What a learner holds, in forms that other programs read: one file a kind. ``export`` is the way in."""

from ilap.export.contract import export

__all__ = ["export"]
