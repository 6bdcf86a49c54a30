"""Numbers of things in sentences: *1 picture*, *2 pictures*."""

from __future__ import annotations


def counted(count: int, thing: str) -> str:
    """A number of things. Of several words the last one has the plural.

    >>> counted(1, "class"), counted(2, "class"), counted(0, "group"), counted(3, "known box")
    ('1 class', '2 classes', '0 groups', '3 known boxes')
    """
    return f"{count} {thing}" if count == 1 else f"{count} {plural(thing)}"


def plural(thing: str) -> str:
    """The word for several.

    >>> plural("picture"), plural("class"), plural("box"), plural("identity"), plural("is"), plural("it was")
    ('pictures', 'classes', 'boxes', 'identities', 'are', 'they were')
    """
    if thing in VERBS:
        return VERBS[thing]
    if thing.endswith("y") and thing[-2:-1] not in "aeiou":
        return f"{thing[:-1]}ies"
    return f"{thing}{'es' if thing.endswith(('s', 'x', 'ch', 'sh')) else 's'}"


VERBS = {"is": "are", "was": "were", "has": "have", "it is": "they are", "it was": "they were"}
