"""Show what a project used and what that cost, by day, component or configuration."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.target import add_target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.client.usage import Used

GROUPS = ("day", "component", "configuration", "kind")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--by", metavar="GROUPS", default="component", help=f"some of {', '.join(GROUPS)}, with commas (component)"
    )
    parser.add_argument("--from", metavar="DAY", dest="first", default="", help="the first day, as 2026-11-01")
    parser.add_argument("--to", metavar="DAY", dest="last", default="", help="the last day (today, in UTC)")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--json", action="store_true", help="print JSON")
    choice.add_argument("--csv", action="store_true", help="print CSV")
    add_target(parser)


def run(options: Namespace) -> int:
    from penstock.cli.output import print_json, print_table
    from penstock.cli.target import connect_to

    by = [name.strip() for name in options.by.split(",") if name.strip()]
    with connect_to(options) as client:
        rows = list(client.billing.read_usage(by, first=options.first, last=options.last))
        balance = client.billing.read_balance()
    if options.json:
        print_json({"balance": balance, "rows": rows})
    elif options.csv:
        _print_csv(rows, by)
    else:
        heads = [name.upper() for name in by]
        print_table((*heads, "JOBS", "TIME", "BYTES", "ROWS", "CREDITS"), [_to_row(each, by) for each in rows])
        print(f"Credits: {balance.consumed:g} consumed, {balance.remaining:g} remaining.")
    return 0


def _to_row(used: Used, by: Sequence[str]) -> list[str]:
    groups = [getattr(used, name) or "-" for name in by]
    numbers = [f"{used.entries}", f"{used.seconds:.1f} s", f"{used.bytes}", f"{used.rows}", f"{used.credits:.6f}"]
    return [*groups, *numbers]


def _print_csv(rows: Sequence[Used], by: Sequence[str]) -> None:
    import csv
    import sys

    columns = [*by, "entries", "seconds", "free_seconds", "bytes", "rows", "credits"]
    written = csv.writer(sys.stdout, lineterminator="\n")
    written.writerow(columns)
    written.writerows([getattr(each, name) for name in columns] for each in rows)
