"""Synchronous actions of the user interface: each returns one JSON document.

test_request.py      sends the first request of a job, and shows request and response
infer_mapping.py     suggests a mapping for the records of a response
load_from_curl.py    makes a job from a curl command
perform_function.py  evaluates one function
discover.py          proposes a configuration for an API, proven by running it
try_job.py           runs the first two pages of a job, and shows everything from request to tables
action_request.py    the input of an action; redacts secrets in its result
selected.py          the selected job and its parents, as a configuration
auth_method.py       authentication methods that exist only in the user interface
calls.py             sends the requests of the selected jobs
records.py           the records of a response, or an error that explains why there are none
columns.py           from records to the columns of a mapping
evaluation.py        functions, with those that exist only in actions
"""

from __future__ import annotations

import io
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.tools.actions import (
    discover,
    infer_mapping,
    load_from_curl,
    perform_function,
    test_request,
    try_job,
)
from penstock.extractor.tools.actions.action_request import ActionRequest, build_redactor

ACTIONS: dict[str, Callable[[ActionRequest], Awaitable[dict[str, Any]]]] = {
    "test_request": test_request.run,
    "infer_mapping": infer_mapping.run,
    "load_from_curl": load_from_curl.run,
    "perform_function": perform_function.run,
    "discover": discover.run,
    "try_job": try_job.run,
}


async def run_action(document: dict[str, Any], log: Log, folder: Path) -> dict[str, Any]:
    """Performs the `action` of a configuration; raises UserError only if there is no such action."""
    name = document.get("action")
    action = ACTIONS.get(name) if isinstance(name, str) else None
    if action is None:
        raise UserError(f"Unknown action '{name}'. Known actions: {', '.join(ACTIONS)}.")
    request = ActionRequest(document, folder, Log(io.StringIO(), build_redactor(document), is_debug=True))
    try:
        return await action(request)
    except Exception as error:
        message = request.log.redactor.clean(_message(error))
        log.error(message)
        if log.is_debug and not isinstance(error, UserError):
            log.error("".join(traceback.format_exception(error)))
        return {"status": "exception", "traceback": message.splitlines()}


def _message(error: Exception) -> str:
    if isinstance(error, UserError):
        return str(error)
    if isinstance(error, RecursionError):
        return "The configuration or the response is nested too deeply."
    return f"The extractor itself failed: {type(error).__name__}: {error}"
