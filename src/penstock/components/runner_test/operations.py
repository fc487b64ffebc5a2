"""The operations of the test component. All output goes through the redactor."""

from __future__ import annotations

import csv
import getpass
import os
import re
import sys
import time
from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from penstock.components.json_schema import about
from penstock.components.program import Data
from penstock.extractor.base.errors import UserError

_SECRET = re.compile("TOKEN|SECRET|PASSWORD|KEY|^PENSTOCK_", re.IGNORECASE)


class Parameters(msgspec.Struct, frozen=True):
    operation: Annotated[str, about("What to do.")]
    timeout: Annotated[float, about("Of sleep: seconds.")] = 0
    code: Annotated[int, about("Of exit: the exit code.")] = 0
    message: Annotated[str, about("Of user-error and application-error: what they say.")] = ""
    table: Annotated[str, about("Of write-table: the name of the file.")] = "table.csv"
    rows: Annotated[tuple[dict[str, Any], ...], about("Of write-table: its rows.")] = ({"id": "1", "name": "one"},)
    state: Annotated[dict[str, Any], about("Of create-state: the state.")] = {}


def operate(data: Data) -> None:
    parameters = data.read_parameters(Parameters)
    do = OPERATIONS.get(parameters.operation)
    if not do:
        raise UserError(f"Invalid operation {parameters.operation!r}. Allowed operations are: {', '.join(OPERATIONS)}.")
    do(data, parameters)


def list_inputs(data: Data, _wanted: Parameters) -> None:
    for folder in ("in/tables", "in/files"):
        for file in sorted((data.folder / folder).iterdir()):
            data.log.info(file.name)


def dump_config(data: Data, _wanted: Parameters) -> None:
    data.log.info("Config: " + msgspec.json.encode(data.document).decode())


def dump_state(data: Data, _wanted: Parameters) -> None:
    file = data.folder / "in" / "state.json"
    data.log.info("State: " + (file.read_text(errors="replace") if file.exists() else "{}"))


def dump_environment(data: Data, _wanted: Parameters) -> None:
    for name, value in sorted(os.environ.items()):
        data.log.info(f'Environment "{name}" has value "{"[hidden]" if _SECRET.search(name) else value}".')


def sleep(data: Data, parameters: Parameters) -> None:
    time.sleep(max(parameters.timeout, 0))
    data.log.info(f'Slept for "{parameters.timeout:g}" seconds.')


def tell_user(data: Data, _wanted: Parameters) -> None:
    data.log.info(f"I am {os.getuid()} in {data.folder}, {_find_name()}.")


def create_state(data: Data, parameters: Parameters) -> None:
    (data.folder / "out" / "state.json").write_bytes(msgspec.json.encode(parameters.state))


def write_table(data: Data, parameters: Parameters) -> None:
    if not parameters.rows or "/" in parameters.table or parameters.table in ("", ".", ".."):
        raise UserError("Invalid configuration: `table` must be the name of a file, and `rows` must not be empty.")
    with (data.folder / "out" / "tables" / parameters.table).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(parameters.rows[0]), restval="", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(parameters.rows)


def fail_as_user(_data: Data, parameters: Parameters) -> None:
    raise UserError(parameters.message or "This is a user error.")


def fail_as_application(_data: Data, parameters: Parameters) -> None:
    raise RuntimeError(parameters.message or "Intentional application error.")


def leave(_data: Data, parameters: Parameters) -> None:
    sys.exit(parameters.code)


OPERATIONS: dict[str, Callable[[Data, Parameters], None]] = {
    "list": list_inputs,
    "dump-config": dump_config,
    "unsafe-dump-config": dump_config,
    "dump-state": dump_state,
    "dump-env": dump_environment,
    "sleep": sleep,
    "whoami": tell_user,
    "create-state": create_state,
    "write-table": write_table,
    "user-error": fail_as_user,
    "application-error": fail_as_application,
    "exit": leave,
}


def _find_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "nobody that has a name"
