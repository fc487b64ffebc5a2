"""Show the whole log of a job; that of a flow holds the logs of its tasks."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.target import add_target

if TYPE_CHECKING:
    from penstock.client import Client, Event, Job

LEVELS = {"debug": 0, "info": 1, "success": 1, "warn": 2, "warning": 2, "error": 3}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="JOB", help="the number of the job, as penstock jobs list shows it")
    parser.add_argument("-f", "--follow", action="store_true", help="continue until the job has ended")
    parser.add_argument(
        "--level", choices=("debug", "info", "warning", "error"), default="debug", help="only this level and above"
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON per event")
    add_target(parser)


def run(options: Namespace) -> int:
    from penstock.cli.output import print_error
    from penstock.cli.suggestions import explain_missing_job
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        with explain_missing_job(client, options.id):
            job = client.jobs.get(options.id)
        log = _Log(client, job, options)
        if options.follow:
            client.wait(job, on_event=log.show)
        else:
            for event in client.read_events(job.events_id):
                log.show(event)
            if not job.is_finished:
                print_error(f"The job is {job.status}. Follow it: penstock logs -f {job.id}")
    return 0


class _Log:
    """Prints events. Those of the tasks of a flow begin with the configuration of the task."""

    def __init__(self, client: Client, job: Job, options: Namespace) -> None:
        self._client, self._options = client, options
        self._level = LEVELS[options.level]
        self._labels = {job.events_id: "", job.id: "", None: ""}

    def show(self, event: Event) -> None:
        from penstock.cli.output import clean, print_json
        from penstock.cli.run import show_event

        if LEVELS.get(event.type, 1) < self._level:
            return
        if self._options.json:
            print_json(event)
        else:
            print(clean(f"{event.created[11:19]} {self._label(event.run_id)}"), end="")
            show_event(event, sys.stdout)

    def _label(self, run_id: str | None) -> str:
        if run_id not in self._labels:
            self._labels[run_id] = f"[{self._name(run_id or '')}] "
        return self._labels[run_id]

    def _name(self, run_id: str) -> str:
        """Return the configuration of the task; programs may write run ids that are not those of jobs."""
        from penstock.client import NotThere

        try:
            task = self._client.jobs.get(run_id.rpartition(".")[2])
        except NotThere:
            return run_id
        return task.config or task.component
