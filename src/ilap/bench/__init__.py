"""Streams, runs and what is shown of them."""
