"""``python -m ilap.checks detector mine``: all checks on a method of one's own."""

from __future__ import annotations

import sys

from ilap.checks import check_classifier, check_detector, check_learner
from ilap.core.errors import IlapError

CHECKS = {"detector": check_detector, "classifier": check_classifier, "learner": check_learner}


def main(arguments: list[str]) -> int:
    """Run the checks of a kind on a name; 0 where all are kept."""
    if len(arguments) != 2 or arguments[0] not in CHECKS:
        print(f"usage: python -m ilap.checks {'|'.join(CHECKS)} NAME", file=sys.stderr)
        return 2
    kind, name = arguments
    try:
        CHECKS[kind](name)
    except IlapError as error:
        print(f"ilap: {error}", file=sys.stderr)
        return 1
    print(f"the {kind} {name} keeps all that it has to")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
