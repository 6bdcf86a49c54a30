"""What tables 1 to 3 say of the paper's claims: a difference counts where it exceeds its spread over seeds."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from ilap.paper import published, runs, style
from ilap.paper import tables_2_and_3 as paper
from ilap.paper.contract import Finding, larger

HELPS = "Class imbalance helps"
PAIRS = (("paper-cpu", "paper-cpu-noci"), ("paper", "paper-noci"))  # with and without imbalance
DETECTOR = "confusion"
REASONS: Mapping[tuple[str, str], str] = {
    (
        "iolfcv",
        "paper-cpu-noci",
    ): "frozen features do not drift while classes come, so that a threshold granted in "
    "hindsight holds all along",
}
"""Why the first of two rows stands above the second here and below it in the paper."""


def by_auroc(rows: Sequence[Mapping[str, Any]]) -> Finding:
    """Confusion with and without imbalance, on models that are trained: on the closed form both rest on the
    same distance, and rank alike."""
    parts, helps = [], {}
    by_place = {(row["data"], row["model"], row["detector"]): row for row in rows if row["model"] != "exact"}
    for (data, model, detector), row in by_place.items():
        without = by_place.get((data, model, "confusion-noci"))
        if detector != DETECTOR or without is None or not scored(row) or not scored(without):
            continue
        beside = ""
        if row["auroc_paper"] is not None and without["auroc_paper"] is not None:
            beside = f" (the paper: {row['auroc_paper']:.2f} and {without['auroc_paper']:.2f})"
        name = f"{style.named(data)}, {model}"
        parts.append(f"{name}: {row['auroc']:.2f} with and {without['auroc']:.2f} without{beside}")
        helps[name] = larger(scored(row), scored(without))
    sentence = f"AUROC {'; '.join(parts)}." if parts else "No model that is trained was run."
    return Finding(f"{HELPS} to find what is new (table 1)", helps, sentence)


def leads(rows: Sequence[Mapping[str, Any]]) -> Finding:
    """Confusion with imbalance against the best of the detectors that the paper compares it with."""
    parts, held = [], {}
    for data in dict.fromkeys(row["data"] for row in rows):
        own = {row["detector"]: row for row in rows if row["data"] == data and row["model"] != "exact"}
        rivals = [row for name, row in own.items() if name in published.DETECTORS and name != DETECTOR]
        rivals = [row for row in rivals if scored(row)]
        if DETECTOR not in own or not rivals:
            continue
        best = max(rivals, key=lambda row: float(row["auroc"]))
        ours = own[DETECTOR]
        label = style.look(best["detector"]).label
        parts.append(f"{style.named(data)}: {ours['auroc']:.2f}, the best rival {best['auroc']:.2f} ({label})")
        held[style.named(data)] = larger(scored(ours), scored(best))
    sentence = f"AUROC {'; '.join(parts)}." if parts else "No model that is trained was run."
    return Finding("Confusion with imbalance finds what is new better than any rival (table 1)", held, sentence)


def scored(row: Mapping[str, Any]) -> list[float]:
    """The AUROC of every seed that has one."""
    return [value for value in row["auroc_of_seeds"] if value is not None]


def in_runs(found: Sequence[runs.Panel], name: str) -> Finding:
    """The paper's learner with and without imbalance, by what the table is about and by its decisions."""
    view = paper.VIEWS[name]
    parts, helps = [], {}
    for panel in found:
        for pair in PAIRS:
            if not {*pair} <= panel.logs.keys():
                continue
            both = [panel.logs[learner] for learner in pair]
            ends = [runs.ends(logs, view.figure) for logs in both]
            shares = [runs.right(logs) for logs in both]
            digits = 2 if name == "table2" else 1
            parts.append(
                f"{panel.name}: {statistics.fmean(ends[0]):.{digits}f} with and "
                f"{statistics.fmean(ends[1]):.{digits}f} without, and {shares[0]:.0%} and {shares[1]:.0%} of "
                f"the decisions right"
            )
            helps[panel.name] = larger(ends[0], ends[1])
    sentence = f"{view.title.capitalize()}, {'; '.join(parts)}." if parts else "The learners were not run."
    return Finding(f"{HELPS} the learner ({name[:-1]} {name[-1]})", helps, sentence)


def order_of_rows(found: Sequence[runs.Panel], name: str) -> Finding:
    """Whether every two of the paper's rows that it tells apart stand in its order here; where they stand the
    other way round, why."""
    view = paper.VIEWS[name]
    held, parts = {}, []
    for panel in found:
        theirs = view.theirs.get(panel.column.data, {})
        there = [learner for learner in panel.logs if learner in theirs]
        ordered, turned = [], []
        for pair in combinations(there, 2):
            above, below = sorted(pair, key=lambda learner: -theirs[learner][0])
            if theirs[above][0] - theirs[below][0] <= max(theirs[above][1], theirs[below][1]):
                continue
            ends = {learner: runs.ends(panel.logs[learner], view.figure) for learner in pair}
            ordered.append(larger(ends[above], ends[below]))
            if larger(ends[below], ends[above]):
                reason = REASONS.get((below, above), "the reason is not known")
                turned.append(f"{below} stands above {above} ({reason})")
        if ordered:
            held[panel.name] = all(ordered)
            shown = f"{sum(ordered)} of {len(ordered)} pairs of rows in the paper's order"
            parts.append(f"{panel.name}: {'; '.join([shown, *turned])}")
    sentence = f"{'. '.join(parts)}." if parts else "The paper's rows were not run."
    return Finding(f"The rows stand in the paper's order ({name[:-1]} {name[-1]})", held, sentence)
