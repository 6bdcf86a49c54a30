"""Learners that the benchmark compares: one file each, found by name; contract.py says what one is."""
