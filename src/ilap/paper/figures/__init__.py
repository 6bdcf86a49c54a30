"""Figures of the paper, one file each, found by name: ``make`` draws it. Figures 5 to 12 are in
figures_5_to_12.py; ``early`` is that of section 5.2, which the paper argues without a figure."""
