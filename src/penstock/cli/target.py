"""The stack that a command talks to: a flag, else a `PENSTOCK_…` variable or `penstock.toml`, else the running
stack."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.client import Client
    from penstock.settings import Settings


def add_target(
    parser: ArgumentParser,
    otherwise: str = "Without these: the stack that runs on the data folder.",
    token: str = "a token of the project (PENSTOCK_TOKEN)",  # noqa: S107
) -> None:
    group = parser.add_argument_group("which stack", otherwise)
    choice = group.add_mutually_exclusive_group()
    choice.add_argument("--stack", metavar="NAME", help="a stack by name, see penstock stacks (PENSTOCK_STACK)")
    choice.add_argument("--url", metavar="URL", help="the address of its storage (PENSTOCK_URL)")
    choice.add_argument("--data-dir", metavar="DIR", help="the data folder it runs on (.penstock, PENSTOCK_DATA_DIR)")
    group.add_argument("--token", metavar="T", help=token)


def read_target(options: Namespace) -> Settings:
    from penstock.settings import read_settings

    flags = {name: getattr(options, name) for name in ("stack", "url", "token", "data_dir")}
    return read_settings({**flags, "database": getattr(options, "database", None)})


def names_stack(options: Namespace, settings: Settings) -> bool:
    """Whether a stack is named that is reached over HTTP, rather than a data folder."""
    return _find_kind(options, settings) != "data_dir"


def connect_to(options: Namespace) -> Client:
    """The stack of the options and settings; if there is none, the error says what to do."""
    from penstock.client import connect
    from penstock.foundation.outbound import Policy

    settings = read_target(options)
    url, token = find_stack(options, settings)
    policy = Policy(is_open=True, use_environment=True, proxy=settings.proxy, ca_bundle=settings.ca_bundle)
    return connect(url, token, policy=policy)


def find_stack(options: Namespace, settings: Settings) -> tuple[str, str]:
    """The address of its storage, and a token."""
    kind = _find_kind(options, settings)
    if kind == "data_dir":
        return _running(settings)
    if kind == "stack":
        return _storage_of(settings, settings.stack or ""), _token(settings, f"the stack {settings.stack}")
    return settings.url or "", _token(settings, settings.url or "")


def _find_kind(options: Namespace, settings: Settings) -> str:
    """A flag of one kind takes precedence over a variable of another."""
    named = {"data_dir": options.data_dir, "stack": options.stack, "url": options.url}
    return next((kind for kind, value in named.items() if value), None) or _set_kind(settings)


def _set_kind(settings: Settings) -> str:
    from penstock.foundation.errors import Invalid

    if settings.url and settings.stack:
        raise Invalid(
            "Both PENSTOCK_URL and PENSTOCK_STACK are set, so it is not clear which stack is meant. Keep one."
        )
    return "url" if settings.url else "stack" if settings.stack else "data_dir"


def _storage_of(settings: Settings, name: str) -> str:
    from penstock.cli.stacks import is_placeholder
    from penstock.foundation.errors import Invalid

    stack = settings.known_stack(name)
    if is_placeholder(stack):
        raise Invalid(
            f"The stack {name} has only a placeholder for a domain ({stack.domain}). "
            "Put the real one under [[stacks]] in penstock.toml."
        )
    return stack.storage_url


def _token(settings: Settings, stack: str) -> str:
    from penstock.foundation.errors import Invalid

    if not settings.token:
        raise Invalid(f"A token is needed for {stack}: give --token T, or set PENSTOCK_TOKEN.")
    return settings.token


def _running(settings: Settings) -> tuple[str, str]:
    from penstock.foundation.errors import NotFound
    from penstock.server.chosen_project import read_chosen
    from penstock.server.running import read_running

    running = read_running(settings.folder)
    if not running:
        raise NotFound(
            f"No stack is running on {settings.folder}. Start one with `penstock up`, give its folder with --data-dir, "
            "or use another stack: --url URL --token T, or --stack NAME --token T."
        )
    return running.storage_url, settings.token or read_chosen(settings.folder).token or running.token
