"""AppError → response, in one place. Any other exception is a defect: a 500 whose cause is in the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.errors import AppError, Unauthorized
from penstock.foundation.ids import new_exception_id
from penstock.foundation.logging import Log

log = Log("web")

Shape = Callable[[AppError], dict[str, Any]]
"""How a service words its errors: the contract differs between services in what `code` is."""

Reply = Callable[[AppError, str], Response]
"""The whole response where errors are not JSON; the text is the id that the log has of a defect."""

Hide = Callable[[str], str]
"""Takes out of a text what is not for users."""

_NEUTRAL = "Internal Server Error occurred."
_PLAIN = {404: "Not found.", 405: "This method is not allowed here."}


class PlainError(AppError):
    """What the router itself answers: no such route, or not with this method."""

    def __init__(self, status: int) -> None:
        super().__init__(_PLAIN.get(status, "The request cannot be answered."))
        self.status = status
        self.code = "notFound" if status == 404 else None


def with_text_code(error: AppError) -> dict[str, Any]:
    """Storage: `code` is a word, absent where there is none."""
    body: dict[str, Any] = {"error": error.message, "status": "error"}
    # A list is what is wrong, field by field; other details have their place elsewhere.
    details: Any = error.details
    faults: dict[str, Any] = {"errors": details} if isinstance(details, list) else {}
    return body | ({"code": error.code} if error.code else {}) | faults


def with_status_code(error: AppError) -> dict[str, Any]:
    """Queue and its kin: `code` is the HTTP status, and `context` names the fields that are wrong."""
    return {"error": error.message, "code": error.status, "status": "error", "context": list(error.faults) or {}}


def handlers(shape: Shape, below: Mapping[str, Reply], hide: Hide) -> dict[Any, Callable[[HttpRequest, Any], Response]]:
    """`below` has those of other protocols, by the path that they are spoken below."""

    def reply(request: HttpRequest, error: AppError, exception_id: str) -> Response:
        _hide(error, hide)
        path = str(request.scope["path"]).removeprefix(request.scope.get("root_path", ""))
        for start, reply_below in below.items():
            if path == start or path.startswith(f"{start}/"):
                return reply_below(error, exception_id)
        return _to_json(error, shape, exception_id)

    def reply_error(request: HttpRequest, error: AppError) -> Response:
        return reply(request, error, new_exception_id())

    def reply_http(request: HttpRequest, error: HTTPException) -> Response:
        response = reply(request, PlainError(error.status_code), new_exception_id())
        response.headers.update(error.headers or {})
        return response

    def reply_defect(request: HttpRequest, error: Exception) -> Response:
        defect, exception_id = AppError(_NEUTRAL), new_exception_id()
        defect.status = 500
        log.error("request failed", exception=error, exception_id=exception_id, path=request.scope["path"])
        return reply(request, defect, exception_id)

    def ignore_disconnect(_request: HttpRequest, _error: ClientDisconnect) -> Response:
        """The client has disconnected: the response is not sent."""
        return Response(status_code=400)

    return {
        AppError: reply_error,
        HTTPException: reply_http,
        ClientDisconnect: ignore_disconnect,
        Exception: reply_defect,
    }


def to_response(error: AppError, shape: Shape, hide: Hide = str) -> Response:
    _hide(error, hide)
    return _to_json(error, shape, new_exception_id())


def _hide(error: AppError, hide: Hide) -> None:
    error.args = (hide(error.message), *error.args[1:])


def _to_json(error: AppError, shape: Shape, exception_id: str) -> Response:
    shaped = {**shape(error), "exceptionId": exception_id}
    # A contract may have its own name for the id.
    body = msgspec.json.encode({**shaped, "requestId": exception_id} if "requestId" in shaped else shaped)
    more = {"retry-after": str(error.retry_after)} if error.retry_after else {}
    if isinstance(error, Unauthorized) and error.challenge:
        more["www-authenticate"] = error.challenge
    return Response(body, status_code=error.status, headers={"content-type": "application/json", **more})
