"""The stacks that --stack accepts: those that ship with Penstock, or those of penstock.toml."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.foundation.stacks import KnownStack

SUMMARY = "list the stacks that --stack accepts"
PLACEHOLDER = ".example"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: Namespace) -> int:
    from penstock.settings import read_settings

    known = read_settings().stacks
    if options.json:
        _print_json(known)
    else:
        _print_table(known)
    return 0


def _print_json(known: tuple[KnownStack, ...]) -> None:
    from penstock.cli.output import print_json

    print_json([dict(zip(_KEYS, _facts(stack), strict=True)) | _marks(stack) for stack in known])


def _print_table(known: tuple[KnownStack, ...]) -> None:
    from penstock.cli.output import print_error, print_table

    marked = any(map(is_placeholder, known))
    print_table(_HEADINGS, [(*_facts(stack), "placeholder" if is_placeholder(stack) else "") for stack in known])
    if marked:
        print_error("\nA placeholder has no address yet: put its domain under [[stacks]] in penstock.toml.")


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
