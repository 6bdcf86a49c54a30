"""From the logs of novelty.py to the figures of table 1.

FPR95, AUROC and AUPR, novel exposures as positives: mean and spread over seeds, and pooled, where the
exposures of all seeds are ranked together. A run of ten classes has eight novel exposures that count, so that
95 % of them are all of them, and FPR95 hangs on the one that looks least novel.

*Cost* is what a detector takes for one exposure, in forward passes of the same pictures through the same
network, measured in the same run; the first pass is part of it. A model that only one detector needs costs its
training too, which stands beside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ilap.bench import tables
from ilap.bench.jobs import Line
from ilap.core.metrics import aupr, auroc, fpr95
from ilap.detect import odin
from ilap.paper import published
from ilap.paper.novelty import Novelty
from ilap.paper.table1_scales import grid_name

MEASURES = {"fpr95": fpr95, "auroc": auroc, "aupr": aupr}
TITLES = {"fpr95": "FPR95", "auroc": "AUROC", "aupr": "AUPR"}
OWN = "confident"  # in the name of a model that serves one detector only
SEARCHED = "odin-grid"

Logs = list[tuple[Novelty, list[Line]]]
Scored = tuple[list[float], list[bool]]
Group = list[list[Line]]  # the lines of every seed


def scored(lines: Sequence[Line], row: str) -> Scored:
    """The scores of a row, and which exposures were novel."""
    there = [line for line in lines if row in line["found"]]
    return [line["found"][row]["score"] for line in there], [line["novel"] for line in there]


def pooled(group: Group, row: str) -> Scored:
    """Those of all seeds together."""
    parts = [scored(lines, row) for lines in group]
    return [score for scores, _ in parts for score in scores], [said for _, novel in parts for said in novel]


def grouped(logs: Logs) -> dict[tuple[str, str, str], Group]:
    """By data set, model and row. Of ODIN's grid the best point stays, as a row of its own."""
    groups: dict[tuple[str, str, str], Group] = {}
    for cell, lines in logs:
        for row in [cell.row] if cell.row else cell.model.rows:
            groups.setdefault((cell.data, cell.model.name, row), []).append(lines)
    tried = {grid_name(*pair): pair for pair in odin.GRID}
    kept = {place: group for place, group in groups.items() if place[2] not in tried}
    for data, model in dict.fromkeys(place[:2] for place in groups):
        points = {pair: groups[data, model, row] for row, pair in tried.items() if (data, model, row) in groups}
        found = {pair: pooled(group, grid_name(*pair)) for pair, group in points.items()}
        novel = next((novel for _, novel in found.values()), [])
        best = odin.best({pair: scores for pair, (scores, _) in found.items()}, novel)
        if best:
            kept[data, model, grid_name(*best).replace("odin", SEARCHED)] = points[best]
    return kept


def column_of(row: str) -> str:
    """The name under which a row is logged."""
    return row.replace(SEARCHED, "odin")


def scores(logs: Logs) -> dict[str, dict[str, dict[str, Scored]]]:
    """By data set, kind of model and row: the scores of all seeds, and which exposures were novel. The model
    with a confidence branch stands with the one that it is a twin of."""
    found: dict[str, dict[str, dict[str, Scored]]] = {}
    for (data, model, row), group in sorted(grouped(logs).items(), key=lambda item: place(item[0][2])):
        kind = "head" if model.startswith("head") else "exact" if model == "exact" else "network"
        found.setdefault(data, {}).setdefault(kind, {})[row] = pooled(group, column_of(row))
    return found


def place(row: str) -> int:
    """The paper's rows first, in its order."""
    order = list(published.DETECTORS)
    return order.index(row) if row in order else len(order)


def rows(logs: Logs, closed: bool) -> list[dict[str, Any]]:
    """A row of figures for every data set, model and detector. The paper's figures stand beside the first
    model that has its detector."""
    found, beside = [], set()
    for (data, model, row), group in grouped(logs).items():
        logged = column_of(row)
        figures: dict[str, Any] = {"data": data, "detector": row, "model": model, "seeds": len(group)}
        everything, novel = pooled(group, logged)
        figures |= {"exposures": len(novel), "novel": sum(novel)}
        theirs = published.NOVELTY.get(data, {}).get(row, {}) if (data, row) not in beside else {}
        beside.add((data, row))
        figures["auroc_of_seeds"] = [auroc(*scored(lines, logged)) for lines in group]
        for name, measure in MEASURES.items():
            each = tables.average([measure(*scored(lines, logged)) for lines in group])
            figures[name] = each.mean if each else None
            figures[f"{name}_std"] = each.std if each and each.seeds > 1 else None
            figures[f"{name}_pooled"] = measure(everything, novel)
            figures[f"{name}_paper"], figures[f"{name}_paper_std"] = theirs.get(name, (None, None))
        figures |= decided(group, logged) if closed else cost(group, logged, OWN in model)
        found.append(figures)
    data_first = list(dict.fromkeys(figures["data"] for figures in found))
    return sorted(found, key=lambda figures: (data_first.index(figures["data"]), place(figures["detector"])))


def cost(group: Group, row: str, own_model: bool) -> dict[str, float | None]:
    """Seconds of a detector by those of a forward pass; those of the model's training too where it is its
    own."""
    lines = [line for seed in group for line in seed if row in line["found"]]
    forward = sum(line["forward"] for line in lines)
    taken = sum(line["taking_in"] + line["found"][row]["seconds"] for line in lines)
    training = sum(line["update"] for line in lines) / forward if own_model and lines else None
    return {"cost": taken / forward if lines else None, "cost_of_own_model": training}


def decided(group: Group, row: str) -> dict[str, float | None]:
    """In the closed loop, the share of its own decisions that were right, and how well test pictures are named
    in the end."""
    lines = [line["found"][row] for seed in group for line in seed if row in line["found"]]
    right = sum(line["right"] for line in lines) / len(lines) if lines else None
    accuracy = sum(seed[-1]["accuracy"] for seed in group) / len(group)
    return {"decisions_right": right, "accuracy": accuracy}


def grid(rows: Sequence[Mapping[str, Any]], gaps: Mapping[str, str], closed: bool) -> tables.Grid:
    """The table to print: the paper's mean in brackets."""
    last = ("decisions right", "accuracy") if closed else ("cost",)
    body = []
    for row in rows:
        together = " / ".join(text(row[f"{name}_pooled"], 2) for name in MEASURES)
        end = [text(row["decisions_right"], 2), text(row["accuracy"], 2)] if closed else [costs(row)]
        measured = (ours(row, name) for name in MEASURES)
        body.append((row["data"], row["detector"], row["model"], *measured, together, *end))
    body += [(data, "no data", *[""] * (5 + len(last))) for data in gaps]
    header = ("data", "detector", "model", *TITLES.values(), "pooled", *last)
    return tables.Grid(header, tuple(body))


def ours(row: Mapping[str, Any], name: str) -> str:
    """A figure with its spread, and the paper's."""
    if row[name] is None:
        return ""
    mean = tables.Average(row[name], row[f"{name}_std"] or 0.0, row["seeds"]).text(2)
    theirs = row[f"{name}_paper"]
    return mean if theirs is None else f"{mean} ({text(theirs, 2)})"


def costs(row: Mapping[str, Any]) -> str:
    """Forward passes, and those of the training of a model of its own."""
    own = row["cost_of_own_model"]
    return text(row["cost"], 1) + ("" if own is None else f" + {own:.0f}")


def text(value: float | None, digits: int) -> str:
    """A number, or nothing."""
    return "" if value is None else tables.short(value, digits)
