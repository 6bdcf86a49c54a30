"""How the calibration is fitted: material, asks, fit. The command is tools/fit_promise.py."""
