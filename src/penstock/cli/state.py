"""Show or reset the state of a configuration: what its last run left for the next one, such as the last id seen.

After a reset the next run reads everything again; give --set to start a backfill at a certain point.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from penstock.cli.target import add_target

if TYPE_CHECKING:
    from penstock.client import Client, Configuration


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="show|reset", dest="action", required=True)
    showing = actions.add_parser("show", help="the state of a configuration and of its rows")
    resetting = actions.add_parser("reset", help="empty the state, so that the next run reads everything again")
    resetting.add_argument("--set", metavar="FILE", help="replace it by the JSON in this file; - for standard input")
    for action in (showing, resetting):
        action.add_argument("config", metavar="CONFIG", help="its id, COMPONENT/ID, or its name")
        action.add_argument("--row", metavar="ID", default="", help="only the state of this row")
        action.add_argument("--json", action="store_true", help="print JSON")
        add_target(action)


def run(options: Namespace) -> int:
    from penstock.cli.configs.reference import get_configuration
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        configuration = get_configuration(client, options.config)
        states = _states(configuration, options.row)
        return _show(states, options) if options.action == "show" else _reset(client, configuration, states, options)


def _show(states: dict[str, Any], options: Namespace) -> int:
    from penstock.cli.configs.listing import pretty
    from penstock.cli.output import clean, print_json

    if options.json:
        print_json({"state": states.get(""), "rows": {row: state for row, state in states.items() if row}})
        return 0
    for row, state in states.items():
        print(clean(f"Row {row}:\n{pretty(state)}" if row else pretty(state)))
    return 0


def _reset(client: Client, configuration: Configuration, states: dict[str, Any], options: Namespace) -> int:
    from penstock.cli.output import clean, print_json

    new = _new_state(options.set)
    for row in states:
        client.configurations.set_state(configuration.component, configuration.id, new, row)
    if options.json:
        print_json({"component": configuration.component, "id": configuration.id, "state": new})
    else:
        print(clean(f"The state of {configuration.component}/{configuration.id} is {'replaced' if new else 'empty'}."))
    return 0


def _states(configuration: Configuration, row_id: str) -> dict[str, Any]:
    """Return the states by row; that of the configuration itself has an empty name."""
    from penstock.cli.suggestions import suggest
    from penstock.foundation.errors import NotFound

    rows = {row.id: row.state for row in configuration.rows}
    if not row_id:
        return {"": configuration.state, **rows}
    if row_id not in rows:
        raise NotFound(f"{configuration.component}/{configuration.id} has no row {row_id}.{suggest(row_id, rows)}")
    return {row_id: rows[row_id]}


def _new_state(file: str | None) -> Any:
    from penstock.cli.configs.documents import read_object

    return read_object(file) if file else {}
