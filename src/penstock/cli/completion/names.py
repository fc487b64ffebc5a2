"""The names that a stack has for an argument: what shells offer in addition to commands and flags."""

from __future__ import annotations

import re
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from penstock.cli import COMMANDS, build_parser
from penstock.cli.completion.words import find_children

if TYPE_CHECKING:
    from penstock.client import Client

NEWEST_JOBS = 50
_SAFE = re.compile(r"[\w.-]+")
"""Shells expand the words that they are given, so any other name is left out."""


def has_names(parser: ArgumentParser) -> bool:
    """Whether the command talks to a stack and has an argument whose values are names there."""
    actions = parser._actions
    return any("--stack" in action.option_strings for action in actions) and any(
        action.metavar in _LISTS for action in _positionals(parser)
    )


def find_names(words: list[str]) -> list[str]:
    """The names for the last of the words, which begin with the command; none if no stack can be asked."""
    from penstock.foundation.errors import AppError
    from penstock.foundation.outbound import OutboundError

    with suppress(AppError, OutboundError, OSError):
        return [name for name in _find_names(words) if _SAFE.fullmatch(name)]
    return []


def _find_names(words: list[str]) -> Iterable[str]:
    if not words or words[0] not in COMMANDS:
        return ()
    parser, rest = _find_parser(words)
    if not has_names(parser):
        return ()
    values, options = _read_words(parser, rest[:-1])
    action = next(iter(_positionals(parser)[len(values) :]), None)
    if not action or action.metavar not in _LISTS or rest[-1].startswith("-"):
        return ()
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        return _LISTS[action.metavar](client, values)


def _find_parser(words: list[str]) -> tuple[ArgumentParser, list[str]]:
    """The parser of a command or of its action, and the words after it; at least the one that is being typed."""
    parser = find_children(build_parser(words[:1]))[words[0]]
    children = find_children(parser)
    if len(words) > 2 and words[1] in children:
        return children[words[1]], words[2:]
    return parser, words[1:] or [""]


def _read_words(parser: ArgumentParser, words: list[str]) -> tuple[list[str], Namespace]:
    """The arguments before the word that is being typed, and the values of the flags that name a stack."""
    flags = {flag: action for action in parser._actions for flag in action.option_strings}
    options = Namespace(stack=None, url=None, data_dir=None, token=None)
    values, rest = list[str](), iter(words)
    for word in rest:
        name, _, value = word.partition("=")
        if name not in flags:
            values.append(word)
        elif flags[name].nargs != 0:
            setattr(options, flags[name].dest, value or next(rest, ""))
    return values, options


def _positionals(parser: ArgumentParser) -> list[Action]:
    return [action for action in parser._actions if not action.option_strings]


def _list_configs(client: Client, values: list[str]) -> Iterator[str]:
    component = values[0] if values else ""
    return (config.id for config in client.configurations.list(component))


_LISTS: dict[Any, Callable[[Client, list[str]], Iterable[str]]] = {
    "TABLE": lambda client, _values: [table.id for table in client.tables.list()],
    "JOB": lambda client, _values: [job.id for job in client.jobs.search({"limit": NEWEST_JOBS})],
    "COMPONENT": lambda client, _values: [component.id for component in client.components.list()],
    "CONFIG": _list_configs,
}
