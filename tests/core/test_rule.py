from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from ilap.core import rule
from ilap.core.rule import RULE, VERSION
from ilap.keep.store.schema import RULE_OF_VERSION_1

NAMES = {1: "1-72269880", 2: "2-0b3e8ea4", 3: "3-5364c726", 4: "4-210c60e7"}
"""The name of every version. Who changes a constant counts VERSION up and adds a line."""


def test_a_constant_that_changes_makes_another_version() -> None:
    assert RULE.name == NAMES[VERSION]
    assert len(set(NAMES.values())) == len(NAMES)


def test_two_rules_of_one_name_have_the_same_constants() -> None:
    other = replace(RULE, risk=replace(RULE.risk, retries=21))
    assert other.name != RULE.name
    assert replace(RULE).name == RULE.name


def test_files_of_version_1_were_decided_by_the_first_rule() -> None:
    assert NAMES[1] == RULE_OF_VERSION_1


def test_every_constant_says_where_it_comes_from() -> None:
    """In a comment behind it: derived, measured, by hand, or cost; a pair may share one."""
    lines = Path(rule.__file__).read_text(encoding="utf-8").splitlines()
    constants = {
        f"{part.name}.{one.name}"
        for part in fields(RULE)
        if part.name != "version"
        for one in fields(getattr(RULE, part.name))
    }
    assert len(constants) > 60
    values = [
        line for line in lines if line.startswith("    ") and ": " in line and " = " in line and "  #" in line
    ]
    explained = [line for line in values if any(w in line for w in ("derived", "measured", "by hand", "cost"))]
    without = [line.strip() for line in values if line not in explained]
    assert without == [], without
    assert len(values) >= len(constants) - 1  # the highest chance of a new class stands with the lowest
