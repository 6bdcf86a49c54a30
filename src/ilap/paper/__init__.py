"""The paper's figures and its calibration, each from resumable logs: one file a figure, and one report of
all."""
