"""Synchronous actions: short queries about a configuration, each answered at once with one JSON document.

test_request.py      sends what a job would send first, and shows everything about it
infer_mapping.py     suggests a mapping for the records that came back
load_from_curl.py    makes a job of a curl command, which curl.py reads after shell_words.py has split it
perform_function.py  evaluates one function
asked.py             what an action is given
selected.py          the jobs that the user pointed at, as a configuration of their own
auth_method.py       ways to authenticate that only the user interface names
calls.py             sends the requests of the selected jobs
records.py           the records of a response, or a sentence on why there are none
columns.py           from records to the columns of a mapping
curl_options.py      the options of a curl command
evaluation.py        functions, and those that only actions know
hiding.py            keeps secrets out of what is shown
"""

from __future__ import annotations

import io
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from penstock.extractor.actions import infer_mapping, load_from_curl, perform_function, test_request
from penstock.extractor.actions.asked import Asked
from penstock.extractor.actions.hiding import hiding_secrets_of
from penstock.extractor.errors import UserError
from penstock.extractor.log import Log

ACTIONS: dict[str, Callable[[Asked], Awaitable[dict[str, Any]]]] = {
    "test_request": test_request.run,
    "infer_mapping": infer_mapping.run,
    "load_from_curl": load_from_curl.run,
    "perform_function": perform_function.run,
}


async def run_action(document: dict[str, Any], log: Log, folder: Path) -> dict[str, Any]:
    """The response to the whole configuration's `action`; raises UserError only when there is no such action."""
    name = document.get("action")
    action = ACTIONS.get(name) if isinstance(name, str) else None
    if action is None:
        raise UserError(f"Unknown action '{name}'. Known actions: {', '.join(ACTIONS)}.")
    asked = Asked(document, folder, Log(io.StringIO(), hiding_secrets_of(document), is_debug=True))
    try:
        return await action(asked)
    except Exception as error:
        sentence = asked.log.redactor.clean(_sentence(error))
        log.error(sentence)
        if log.is_debug and not isinstance(error, UserError):
            log.error("".join(traceback.format_exception(error)))
        return {"status": "exception", "traceback": sentence.splitlines()}


def _sentence(error: Exception) -> str:
    if isinstance(error, UserError):
        return str(error)
    if isinstance(error, RecursionError):
        return "The configuration or the response is nested too deeply."
    return f"The extractor itself failed: {type(error).__name__}: {error}"
