"""Backbones: one file each, found by name; contract.py says what one is, runtime.py runs them fast."""
