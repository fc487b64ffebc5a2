"""List the jobs of Storage, such as loads and exports of tables, or cancel one. What components run is in
`penstock jobs`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.target import add_target

if TYPE_CHECKING:
    from penstock.client import StorageJob


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="list|cancel", dest="action", required=True)
    listing = actions.add_parser("list", help="the newest jobs of Storage")
    listing.add_argument("--unfinished", action="store_true", help="only waiting and running ones")
    listing.add_argument("--limit", metavar="N", type=int, default=20, help="the maximum number, up to 1000 (20)")
    listing.add_argument("--offset", metavar="N", type=int, default=0, help="skip this many (0)")
    cancelling = actions.add_parser("cancel", help="cancel a waiting or running job; unfinished work has no effect")
    cancelling.add_argument("id", metavar="ID", help="the number of the job, as list shows it")
    for action in (listing, cancelling):
        action.add_argument("--json", action="store_true", help="print JSON")
        add_target(action)


def run(options: Namespace) -> int:
    {"list": _list, "cancel": _cancel}[options.action](options)
    return 0


def _list(options: Namespace) -> None:
    from penstock.cli.output import print_json, print_table
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        jobs = client.storage_jobs.list(options.limit, options.offset, unfinished=options.unfinished)
    if options.json:
        print_json(jobs)
    else:
        print_table(("ID", "STATUS", "OPERATION", "TABLE", "CREATED", "ERROR"), map(_row, jobs))


def _cancel(options: Namespace) -> None:
    from penstock.cli.output import print_json
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        job = client.storage_jobs.cancel(options.id)
    if options.json:
        print_json(job)
    elif job.is_finished:
        print(f"Job {job.id} is cancelled.")
    else:
        print(f"Job {job.id} is being cancelled; it ends within a moment.")


def _row(job: StorageJob) -> tuple[str, ...]:
    error = job.error.code if job.error else ""
    return str(job.id), job.status, job.operation_name, job.table_id or "", job.created_time or "", error
