"""Suggestions for mistyped names: the end of an error message, empty if nothing is close."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import NoReturn

_CHOICES = r"invalid choice: '?(?P<given>[^' ]*)'? \(choose from (?P<known>.*)\)"


def suggest(given: str, known: Iterable[str]) -> str:
    """Such as ` Did you mean orders?`"""
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in known}
    found = [by_lower[name] for name in get_close_matches(given.lower(), by_lower, n=3)]
    return f" Did you mean {' or '.join(found)}?" if found else ""


class Parser(ArgumentParser):
    """Suggests the nearest command or action for one that does not exist."""

    def error(self, message: str) -> NoReturn:
        wrong = re.search(_CHOICES, message)
        known = re.findall(r"[\w-]+", wrong["known"]) if wrong else []
        super().error(message + (suggest(wrong["given"], known) if wrong else ""))
