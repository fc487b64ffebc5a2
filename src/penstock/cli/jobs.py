"""List the jobs of a project, look at one, stop it, or run it again."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.target import add_target

if TYPE_CHECKING:
    from penstock.client import Client, Job

FILTERS = {"component": "componentId", "config": "configId", "status": "status", "since": "createdTimeFrom"}
EVENTS = 20


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="list|show|kill|retry", dest="action", required=True)
    _list_arguments(actions.add_parser("list", help="the newest jobs"))
    helps = {
        "show": "one job: its status, its times, its tables, the last lines of its log",
        "kill": "ask a job to stop",
        "retry": "run the job again, and follow it; a flow continues where it failed",
    }
    for name, text in helps.items():
        action = actions.add_parser(name, help=text)
        action.add_argument("id", metavar="JOB", help="the number of the job, as list shows it")
        _common_arguments(action)


def _list_arguments(listing: ArgumentParser) -> None:
    listing.add_argument("--component", metavar="ID", action="append", help="of this component; may be repeated")
    listing.add_argument("--config", metavar="ID", action="append", help="of this configuration; may be repeated")
    listing.add_argument("--status", metavar="S", action="append", help="such as error; may be repeated")
    listing.add_argument("--since", metavar="TIME", help="created after it, such as '-1 day' or 2026-01-31")
    listing.add_argument("--limit", metavar="N", type=int, default=20, help="the maximum number, up to 500 (20)")
    listing.add_argument("--offset", metavar="N", type=int, default=0, help="skip this many (0)")
    _common_arguments(listing)


def _common_arguments(action: ArgumentParser) -> None:
    action.add_argument("--json", action="store_true", help="print JSON")
    add_target(action)


def run(options: Namespace) -> int:
    from penstock.cli.suggestions import explain_missing_job
    from penstock.cli.target import connect_to

    actions = {"show": _show, "kill": _kill, "retry": _retry}
    with connect_to(options) as client:
        if options.action == "list":
            return _list(client, options)
        with explain_missing_job(client, options.id):
            return actions[options.action](client, options)


def _list(client: Client, options: Namespace) -> int:
    from penstock.cli.output import print_json, print_table

    filters = {wire: getattr(options, name) for name, wire in FILTERS.items() if getattr(options, name)}
    jobs = client.jobs.search({**filters, "limit": options.limit, "offset": options.offset})
    if options.json:
        print_json(jobs)
    else:
        print_table(("ID", "STATUS", "COMPONENT", "CONFIG", "CREATED", "SECONDS"), map(_row, jobs))
    return 0


def _show(client: Client, options: Namespace) -> int:
    from penstock.cli.output import print_columns, print_json, print_table

    job = client.jobs.get(options.id)
    if options.json:
        print_json(job)
        return 0
    print_columns(_facts(job))
    if job.tasks:
        tasks = [(task.id, task.name, task.status, task.job_id, task.duration) for task in job.tasks]
        print_table(("TASK", "NAME", "STATUS", "JOB", "SECONDS"), tasks)
    _show_log(client, job)
    return 0


def _show_log(client: Client, job: Job) -> None:
    """The last events, and the message of the job if none of them says it."""
    from penstock.cli.output import clean, paint
    from penstock.cli.run import show_event
    from penstock.foundation.text.repeated_messages import repeats

    events = client.read_last_events(job.events_id, EVENTS)
    for event in events:
        show_event(event, sys.stdout)
    if job.message and not any(repeats(job.message, event.message) for event in events):
        print(clean(job.message) if job.is_success else f"{paint('error', sys.stdout)}: {clean(job.message)}")


def _kill(client: Client, options: Namespace) -> int:
    from penstock.cli.output import print_json

    job = client.jobs.terminate(options.id)
    if options.json:
        print_json(job)
    else:
        print(f"Job {job.id} is {job.status}.")
    return 0


def _retry(client: Client, options: Namespace) -> int:
    from penstock.cli.run import follow

    job = client.jobs.retry(client.jobs.get(options.id))
    return follow(client, job, as_json=options.json)


def _facts(job: Job) -> list[tuple[str, str]]:
    facts = {
        "Job": job.id,
        "Status": job.status,
        "Component": job.component,
        "Configuration": job.config or "",
        "Created": job.created_time or "",
        "Started": job.start_time or "",
        "Ended": job.end_time or "",
        "Seconds": _number(job.duration_seconds),
        "Tables in": ", ".join(table.id for table in job.tables_read),
        "Tables out": ", ".join(table.id for table in job.tables),
        "Log": f"penstock logs {job.id}",
    }
    return [(name, value) for name, value in facts.items() if value]


def _row(job: Job) -> tuple[str, ...]:
    created, seconds = job.created_time or "", _number(job.duration_seconds)
    return job.id, job.status, job.component, job.config or "", created, seconds


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
