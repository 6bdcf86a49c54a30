"""People's own pictures: which files there are (tree.py), which of them make up an exposure (bursts.py), when
they were taken (capture.py), and what is in them (read.py, decode.py, video.py)."""
