"""The paper's figures, one file each, found by name; ``early`` is that of section 5.2, which the paper argues
without a figure."""
