"""Titles of operations: verb phrases such as "List buckets", from the names of their handlers or from their rows."""

from __future__ import annotations

from penstock.web.routing import Route

_PARTICLES = {"log": ("in", "out"), "sign": ("in", "up", "out"), "roll": ("back",), "send": ("again",)}
"""The second words of verbs that have two."""
_UNCOUNTABLE = ("access", "code", "metadata", "usage", "data", "content", "history", "status")
_ACRONYMS = {"api": "API", "csv": "CSV", "ddl": "DDL", "id": "id", "mfa": "MFA", "sql": "SQL", "oauth": "OAuth"}


def make_title(route: Route) -> str:
    """Return the title of the row or, if it has none, the name of its handler as words: `get_bucket` → `Get a
    bucket`."""
    if route.title:
        return route.title
    verb, *rest = route.handler.__name__.split("_")
    if rest and rest[0] in _PARTICLES.get(verb, ()):
        verb = f"{verb} {rest.pop(0)}"
    return " ".join([verb.capitalize(), *_with_article([_ACRONYMS.get(word, word) for word in rest])])


def _with_article(words: list[str]) -> list[str]:
    if not words or words[-1] in _UNCOUNTABLE or (words[-1].endswith("s") and not words[-1].endswith("ss")):
        return words
    return ["an" if words[0][0] in "aeioAEIO" else "a", *words]
