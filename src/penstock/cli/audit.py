"""Show the audit log of a stack: uses of secrets and changes of permissions, newest first."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.data_folder import add_data_folder, read_data_folder

if TYPE_CHECKING:
    from datetime import datetime

    from penstock.foundation.audit import AuditEntry


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--project", metavar="ID", type=int, help="only of this project")
    parser.add_argument("--by", metavar="TOKEN-ID", type=int, help="only by this token")
    parser.add_argument("--event", metavar="NAME", default="", help="only these: secret.used, or token for token.*")
    parser.add_argument("--since", metavar="TIME", help='not older: 2026-11-17, or "-1 day"')
    parser.add_argument("--until", metavar="TIME", help="older than this")
    parser.add_argument("--limit", metavar="N", type=int, default=100, help="how many at most (100)")
    add_data_folder(parser)


def run(options: Namespace) -> int:
    from penstock.cli.output import print_json, print_table
    from penstock.foundation.audit import AuditFilter
    from penstock.server.audit import list_entries

    filters = AuditFilter(
        project_id=options.project,
        token_id=options.by,
        event=options.event,
        since=_read_time(options.since),
        until=_read_time(options.until),
        limit=max(options.limit, 0),
    )
    entries = list_entries(read_data_folder(options), filters)
    if options.json:
        print_json(entries)
    else:
        print_table(("TIME", "PROJECT", "EVENT", "TARGET", "BY", "FROM", "DETAILS"), map(_to_row, entries))
    return 0


def _to_row(entry: AuditEntry) -> list[str]:
    import msgspec

    by = f"{entry.actor} ({entry.token_id})" if entry.token_id is not None else entry.actor
    details = msgspec.json.encode(entry.details).decode()
    time = entry.time.isoformat(" ", "seconds")
    return [time, str(entry.project_id), entry.event, entry.target, by, entry.address, details]


def _read_time(text: str | None) -> datetime | None:
    from penstock.foundation.errors import Invalid
    from penstock.foundation.strtotime import read_time

    time = read_time(text) if text else None
    if text and not time:
        raise Invalid(f'"{text}" is not a valid time. Write 2026-11-17, 2026-11-17T08:00:00Z or "-1 day".')
    return time
