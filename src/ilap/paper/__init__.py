"""The paper's tables and figures, ours beside theirs, each from resumable logs, and its calibration.

command.py, report.py     what ilap paper prints; every table and figure by its name, and one page of all
table1.py                 novelty detectors; _scales, _figures and _curves: how much is run, numbers, drawings
novelty.py, opened.py     its jobs; a frozen backbone that detectors can look into
tables_2_and_3.py         learners: accuracy, classes found, decisions
ablation.py               what the paper leaves open
figures_5_to_12.py        learners over a stream; runs.py reads and draws them, scales.py says how much is run
figures/                  the other figures; calibration.py, drift.py and similar.py are the jobs of 2, 3 and 4
calibrate.py              ilap calibrate
published.py              what the paper reports
contract.py, style.py     what a table and a figure are made of; how they look
"""
