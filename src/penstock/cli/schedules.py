"""List the schedules of a project with their next runs, activate a configuration of keboola.scheduler, or delete a
schedule."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.target import add_target

if TYPE_CHECKING:
    from penstock.client import Client, Schedule


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="list|activate|delete", dest="action", required=True)
    listing = actions.add_parser("list", help="all schedules, with their next runs and their errors")
    activating = actions.add_parser("activate", help="make a schedule of a configuration, or change it to the newest")
    activating.add_argument("config", metavar="CONFIG", help="the id of a configuration of keboola.scheduler")
    deleting = actions.add_parser("delete", help="end a schedule; its configuration is kept")
    deleting.add_argument("id", metavar="ID", help="the number of the schedule, as list shows it")
    for action in (listing, activating, deleting):
        add_target(action)
    for action in (listing, activating):
        action.add_argument("--json", action="store_true", help="print JSON")


def run(options: Namespace) -> int:
    from penstock.cli.target import connect_to

    actions = {"list": _list, "activate": _activate, "delete": _delete}
    with connect_to(options) as client:
        actions[options.action](client, options)
    return 0


def _list(client: Client, options: Namespace) -> None:
    from penstock.cli.output import print_json, print_table

    schedules = client.schedules.list()
    if options.json:
        print_json(schedules)
    else:
        print_table(
            ("ID", "CRON", "TIME ZONE", "TARGET", "NEXT RUN", "THEN", "LAST RUN", "ERROR"), map(_row, schedules)
        )


def _activate(client: Client, options: Namespace) -> None:
    from penstock.cli.output import print_json

    schedule = client.schedules.activate(options.config)
    if options.json:
        print_json(schedule)
    elif schedule.next_runs:
        print(f"Schedule {schedule.id} runs {_target(schedule)} at {', '.join(schedule.next_runs[:3])} and so on.")
    else:
        print(f"Schedule {schedule.id} is disabled: it never runs {_target(schedule)}.")


def _delete(client: Client, options: Namespace) -> None:
    client.schedules.delete(options.id)
    print(f"Schedule {options.id} is deleted.")


def _row(schedule: Schedule) -> tuple[str, ...]:
    following, times = [*schedule.next_runs, "", ""], schedule.schedule
    return (
        schedule.id,
        times.cron_tab,
        times.timezone,
        _target(schedule),
        following[0] or times.state,
        following[1],
        schedule.executions[0].execution_time if schedule.executions else "",
        schedule.last_error.message if schedule.last_error else "",
    )


def _target(schedule: Schedule) -> str:
    return f"{schedule.target.component_id}/{schedule.target.configuration_id}"
