"""The running stack, if there is one, and the stacks that --stack accepts: those that ship with Penstock, or those of
penstock.toml."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.foundation.stacks import KnownStack
    from penstock.settings import Settings

PLACEHOLDER = ".example"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--data-dir", metavar="DIR", help="the data folder (.penstock, PENSTOCK_DATA_DIR)")


def run(options: Namespace) -> int:
    from penstock.settings import read_settings

    settings = read_settings({"data_dir": options.data_dir})
    if options.json:
        _print_json(settings)
    else:
        _print_table(settings)
    return 0


def _print_json(settings: Settings) -> None:
    from penstock.cli.output import print_json

    running = [dict(zip(_KEYS, facts, strict=True)) | {"isRunning": True} for facts in _running(settings)]
    print_json([*running, *(dict(zip(_KEYS, _facts(each), strict=True)) | _marks(each) for each in settings.stacks)])


def _print_table(settings: Settings) -> None:
    from penstock.cli.output import print_error, print_table

    stacks = settings.stacks
    running = [(*facts, "running, used without --stack") for facts in _running(settings)]
    others = [(*_facts(stack), "placeholder" if is_placeholder(stack) else "") for stack in stacks]
    print_table(_HEADINGS, [*running, *others])
    if any(map(is_placeholder, stacks)):
        print_error("\nA placeholder has no address yet: put its domain under [[stacks]] in penstock.toml.")


def _running(settings: Settings) -> list[tuple[str, ...]]:
    """The stack on the data folder, as _facts() describes others."""
    from urllib.parse import urlsplit

    from penstock.server.running import read_running

    running = read_running(settings.folder)
    return [("(running)", settings.domain, "", "", "", urlsplit(running.storage_url).netloc)] if running else []


_KEYS = ("name", "domain", "region", "provider", "tenancy", "storageHost")
_HEADINGS = ("NAME", "DOMAIN", "REGION", "PROVIDER", "TENANCY", "STORAGE HOST", "")


def _facts(stack: KnownStack) -> tuple[str, ...]:
    host = stack.storage_url.removeprefix("https://")
    return stack.name, stack.domain, stack.region, stack.provider, stack.tenancy, host


def _marks(stack: KnownStack) -> dict[str, object]:
    return {"isPlaceholder": is_placeholder(stack)}


def is_placeholder(stack: KnownStack) -> bool:
    """Domains that are reserved for examples cannot be owned."""
    return stack.domain.endswith(PLACEHOLDER)
