"""Everything that can go wrong, by name: the public address of core/errors.py."""

from ilap.core.errors import *  # noqa: F403
