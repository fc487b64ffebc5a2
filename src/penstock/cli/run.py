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
NO_REASON = "it gave no reason."


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("component", metavar="COMPONENT", help="the component's id, such as ex-generic-v2")
    parser.add_argument("config", metavar="CONFIG", help="the id of its configuration, such as sample-customers")
    parser.add_argument("--mode", default="run", help="run, or forceRun for a disabled configuration (run)")
    parser.add_argument("--json", action="store_true", help="print the job as one line of JSON, its log on stderr")
    add_target(parser)


def run(options: Namespace) -> int:
    from penstock.cli.suggestions import explain_missing_config
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        with explain_missing_config(client, options.component, options.config):
            job = client.run_job(options.component, options.config, options.mode)
        return follow(client, job, as_json=options.json)


def follow(client: Client, job: Job, *, as_json: bool) -> int:
    """Print the log of a job until it has ended; on a terminal, with its progress below."""
    from penstock.cli.progress import Progress

    log = sys.stderr if as_json else sys.stdout
    progress = Progress(client)

    last_error = ""

    def show(event: Event) -> None:
        nonlocal last_error
        if event.type == "error":
            last_error = event.message
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
    return _finish(ended, as_json, last_error)


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


def _finish(job: Job, as_json: bool, last_error: str) -> int:
    from penstock.cli.output import is_one_stream, print_error, print_json
    from penstock.foundation.text.repeated_messages import repeats

    if as_json:
        print_json(job)
    if job.is_success:
        return 0
    is_shown = repeats(job.message, last_error) and (as_json or is_one_stream())
    print_error(f"Job {job.id} ended with {job.status}{'.' if is_shown else f': {job.message or NO_REASON}'}")
    return 1
