"""What can be completed, read from the parsers of the commands themselves."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser
from typing import Any, NamedTuple, cast

from penstock.cli import COMMANDS, build_parser


class Word(NamedTuple):
    text: str
    help: str


class Command(NamedTuple):
    """`path` is empty for penstock itself, `("configs", "list")` for an action."""

    path: tuple[str, ...]
    words: list[Word]


def read_commands() -> list[Command]:
    """Every command and action with the words that may follow it."""
    found = [_command((), build_parser([]))]
    for name in COMMANDS:
        _collect((name,), _children(build_parser([name]))[name], found)
    return found


def _collect(path: tuple[str, ...], parser: ArgumentParser, found: list[Command]) -> None:
    found.append(_command(path, parser))
    for name, child in _children(parser).items():
        _collect((*path, name), child, found)


def _command(path: tuple[str, ...], parser: ArgumentParser) -> Command:
    return Command(path, [word for action in parser._actions for word in _words(action)])


def _words(action: Action) -> list[Word]:
    listed = [Word(each.dest, each.help or "") for each in _summaries(action)]
    chosen = [] if listed or not action.choices or action.option_strings else [Word(c, "") for c in action.choices]
    flags = [Word(flag, action.help or "") for flag in action.option_strings if action.help != SUPPRESS]
    return [*listed, *chosen, *flags]


def _summaries(action: Action) -> list[Action]:
    return cast(Any, action)._choices_actions if hasattr(action, "_choices_actions") else []


def _children(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    for action in parser._actions:
        choices = cast(Any, action.choices)
        if isinstance(choices, dict):
            return cast(dict[str, ArgumentParser], choices)
    return {}
