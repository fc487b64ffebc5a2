"""Check this machine and its data folder: one line per check, and for each problem the exact way to fix it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.up import add_tls_arguments

if TYPE_CHECKING:
    from penstock.cli.doctor.check import Check
    from penstock.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data-dir", metavar="DIR", help="the data folder (.penstock)")
    parser.add_argument("--database", metavar="URL", help="the stack's PostgreSQL, if it has one")
    parser.add_argument("--domain", metavar="D", help="the stack's domain (penstock.localhost)")
    parser.add_argument("--host", metavar="H", help="the address to listen on (127.0.0.1 and ::1)")
    parser.add_argument("--port", metavar="N", type=int, help="the port of the stack (8300)")
    add_tls_arguments(parser)
    parser.add_argument("--key-file", metavar="FILE", help="the stack's key, if not in the data folder")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: Namespace) -> int:
    from penstock.cli.output import print_json
    from penstock.settings import Settings, read_settings

    flags = [name for name in vars(options) if name in Settings.__struct_fields__]
    checks = _examine(read_settings({name: getattr(options, name) for name in flags}))
    is_healthy = not any(check.is_wrong for check in checks)
    if options.json:
        print_json({"isHealthy": is_healthy, "checks": checks})
    else:
        _print(checks)
    return 0 if is_healthy else 1


def _examine(settings: Settings) -> list[Check]:
    from penstock.cli.doctor import (
        contents,
        folder,
        machine,
        mail,
        names,
        network,
        sandbox,
        trust,
    )

    parts = (machine, sandbox, folder, contents, network, mail, names, trust)
    return [check for part in parts for check in part.examine(settings)]


def _print(checks: list[Check]) -> None:
    from penstock.cli.output import clean, paint

    width = max(len(check.name) for check in checks)
    for check in checks:
        print(
            f"{paint(check.state, sys.stdout)}{' ' * (5 - len(check.state))}  {check.name:{width}}  {clean(check.text)}"
        )
        if check.fix:
            print(f"{' ' * (width + 9)}{clean(check.fix)}")
