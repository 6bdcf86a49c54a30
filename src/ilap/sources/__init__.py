"""People's own pictures: which of their files make up an exposure (bursts.py), when they were taken
(capture.py), and what is in them (read.py)."""
