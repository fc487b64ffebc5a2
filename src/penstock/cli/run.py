"""Run a component with a configuration, follow its log, and exit with its outcome: 0 for success, 1 for anything else.

Ctrl-C stops following; the job continues.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import IO, TYPE_CHECKING

from penstock.cli.target import add_target

if TYPE_CHECKING:
    from penstock.client import Client, Event, Job

INTERRUPTED = 130


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("component", metavar="COMPONENT", help="the component's id, such as ex-generic-v2")
    parser.add_argument("config", metavar="CONFIG", help="the id of its configuration, such as sample-customers")
    parser.add_argument("--mode", default="run", help="run, or forceRun for a disabled configuration (run)")
    parser.add_argument("--json", action="store_true", help="print the job as one line of JSON, its log on stderr")
    add_target(parser)


def run(options: Namespace) -> int:
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        job = client.run_job(options.component, options.config, options.mode)
        return follow(client, job, as_json=options.json)


def follow(client: Client, job: Job, *, as_json: bool) -> int:
    """Print the log of a job until it has ended; on a terminal, with its progress below."""
    from penstock.cli.progress import Progress

    log = sys.stderr if as_json else sys.stdout
    progress = Progress(client)

    def show(event: Event) -> None:
        progress.clear()
        progress.read(event)
        show_event(event, log)

    try:
        print(f"Job {job.id}: {job.component} {job.config or ''}".rstrip(), file=log, flush=True)
        ended = client.wait(job, on_event=show, on_poll=progress.show)
    except KeyboardInterrupt:
        return _let_go(job)
    except Exception:
        _let_go(job)
        raise
    finally:
        progress.clear()
    return _finish(client, ended, as_json)


def show_event(event: Event, log: IO[str]) -> None:
    from penstock.cli.output import clean, paint

    mark = {"warn": "warning", "warning": "warning", "error": "error"}.get(event.type)
    text = clean(event.message)
    print(f"{paint(mark, log)}: {text}" if mark else text, file=log, flush=True)


def _let_go(job: Job) -> int:
    from penstock.cli.output import print_error

    print_error(
        f"No longer following. Job {job.id} continues.\n"
        f"See it: penstock jobs show {job.id}\nStop it: penstock jobs kill {job.id}"
    )
    return INTERRUPTED


def _finish(client: Client, job: Job, as_json: bool) -> int:
    from penstock.cli.output import print_error, print_json

    if as_json:
        print_json(job)
    elif job.is_success:
        _show_tables(client, job)
    if not job.is_success:
        print_error(f"Job {job.id} ended with {job.status}: {job.message or 'it gave no reason.'}")
    return 0 if job.is_success else 1


def _show_tables(client: Client, job: Job) -> None:
    from penstock.cli.output import print_columns

    if job.tables:
        print_columns([(table.id, _count_rows(client, table.id)) for table in job.tables])


def _count_rows(client: Client, table_id: str) -> str:
    from penstock.client import ClientError

    try:
        count = client.get_table(table_id).rows_count
    except ClientError:
        # The job has succeeded, even if its table cannot be read with this token.
        return ""
    return "" if count is None else f"{count} rows"
