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
    has_names: bool
    """Whether an argument of it is a name that a stack knows."""


def read_commands() -> list[Command]:
    """Every command and action with the words that may follow it."""
    commands = [_command((), build_parser([]))]
    for name in COMMANDS:
        _collect((name,), find_children(build_parser([name]))[name], commands)
    return commands


def find_children(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """The parsers of its commands or actions, by name."""
    for action in parser._actions:
        choices = cast(Any, action.choices)
        if isinstance(choices, dict):
            return cast(dict[str, ArgumentParser], choices)
    return {}


def _collect(path: tuple[str, ...], parser: ArgumentParser, commands: list[Command]) -> None:
    commands.append(_command(path, parser))
    for name, child in find_children(parser).items():
        _collect((*path, name), child, commands)


def _command(path: tuple[str, ...], parser: ArgumentParser) -> Command:
    from penstock.cli.completion.names import has_names

    return Command(path, [word for action in parser._actions for word in _words(action)], has_names(parser))


def _words(action: Action) -> list[Word]:
    if action.help == SUPPRESS:
        return []
    listed = [Word(summary.dest, summary.help or "") for summary in _summaries(action)]
    choices = () if listed or action.option_strings else action.choices or ()
    flags = [Word(flag, action.help or "") for flag in action.option_strings]
    return [*listed, *(Word(choice, "") for choice in choices), *flags]


def _summaries(action: Action) -> list[Action]:
    return cast(Any, action)._choices_actions if hasattr(action, "_choices_actions") else []
