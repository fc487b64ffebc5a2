"""The action `test_request`: sends the first request of a job, and shows request and response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.extractor.base.http import HeaderValue, Message
from penstock.extractor.tools.actions.action_request import ActionRequest, hide
from penstock.extractor.tools.actions.calls import Exchange, Outcome, call_selected
from penstock.extractor.tools.actions.records import read_data
from penstock.foundation.outbound import Response


async def run(request: ActionRequest) -> dict[str, Any]:
    outcome = await call_selected(request)
    result = {**exchange_view(outcome.exchange), "records": _records(outcome)}
    return {**hide(result, request.log.redactor), "debug_log": request.log_text}


def _records(outcome: Outcome) -> list[Any]:
    """Returns the records; if they cannot be found, a text that says what to fix takes their place."""
    if outcome.problem and not outcome.records and not outcome.failure:
        return [outcome.problem]
    return outcome.records


def exchange_view(exchange: Exchange) -> dict[str, Any]:
    return {"response": _response(exchange.response), "request": _request(exchange.sent)}


def _response(response: Response) -> dict[str, Any]:
    names = dict.fromkeys(response.headers)
    return {
        "status_code": response.status,
        "reason": response.reason,
        "data": read_data(response),
        "headers": _headers({name: response.headers.getall(name) for name in names}),
    }


def _request(message: Message) -> dict[str, Any]:
    return {
        "url": message.url,
        "method": message.method,
        "data": None if message.body is None else message.body.decode("utf-8", "replace"),
        "headers": _headers(message.headers),
    }


def _headers(headers: Mapping[str, HeaderValue]) -> dict[str, str]:
    """A repeated header is shown as one."""
    return {name: value if isinstance(value, str) else ", ".join(value) for name, value in headers.items()}
