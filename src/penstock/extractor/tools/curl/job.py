"""The job that sends the request of a curl command."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.sending.url import page_url
from penstock.extractor.tools.curl.command import Command, read_command

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
DROPPED = ("content-length", "host")
"""Headers that follow from the request."""

Params = dict[str, Any] | list[Any]


def build_job(text: str, base_url: str = "") -> dict[str, Any]:
    """The endpoint is relative to the base URL where that gives the same URL."""
    return job_of_command(read_command(text), base_url)


def job_of_command(command: Command, base_url: str = "") -> dict[str, Any]:
    method, params, query = _sent_with(command)
    name = _last_segment(command)
    return {
        "__NAME": name,
        "endpoint": _endpoint(urlunsplit(command.url._replace(query=query)), base_url),
        "children": [],
        "method": method,
        "dataType": name,
        "dataField": {"path": ".", "separator": "."},
        "params": params,
        "headers": {name: value for name, value in command.headers.items() if name.lower() not in DROPPED},
    }


def _sent_with(command: Command) -> tuple[str, Params, str]:
    """Returns the method of the job, its parameters, and the query that must stay in the endpoint."""
    if command.method == "GET":
        return _get(command)
    if command.method != "POST":
        raise UserError(f"The cURL command sends {command.method}. A job can send GET, POST with JSON, or a form.")
    if _is_form(command):
        return "FORM", _form(command.data or ""), command.url.query
    if command.url.query:
        raise UserError("The cURL command sends JSON to an address with a query, which a job cannot do.")
    return "POST", _json(command.data or ""), ""


def _get(command: Command) -> tuple[str, Params, str]:
    if command.data is not None:
        raise UserError("The cURL command sends data with GET. Use -G to send it in the query, or POST.")
    pairs = parse_qsl(command.url.query, keep_blank_values=True)
    params = dict(pairs)
    # The parameters of a job have unique names, and some names are not possible; then the query stays in the endpoint.
    is_simple = len(params) == len(pairs) and not {"", "0"} & params.keys()
    return ("GET", params, "") if is_simple else ("GET", {}, command.url.query)


def _is_form(command: Command) -> bool:
    kinds = [value for name, value in command.headers.items() if name.lower() == "content-type"]
    kind = kinds[0].partition(";")[0].strip().lower() if kinds else ""
    if not kind:
        # curl sends all data as a form; what is JSON is meant as such.
        return bool(command.data) and not isinstance(_decoded(command.data or ""), (dict, list))
    if kind != FORM and kind != JSON and not kind.endswith("+json"):
        raise UserError(f"The cURL command sends {kind}. A job can send {JSON} or {FORM}.")
    return kind == FORM


def _form(data: str) -> dict[str, Any]:
    pairs = parse_qsl(data, keep_blank_values=True)
    params = dict(pairs)
    if len(params) < len(pairs):
        twice = next(name for at, (name, _value) in enumerate(pairs) if name in dict(pairs[:at]))
        raise UserError(f"The cURL command sends '{twice}' more than once, which the form of a job cannot do.")
    return params


def _json(data: str) -> Params:
    body: Any = _decoded(data) if data.strip() else {}
    if not isinstance(body, (dict, list)):
        raise UserError("The cURL command sends JSON that is neither an object nor an array, or not valid.")
    return cast(Params, body)


def _decoded(data: str) -> Any:
    try:
        return decode(data.encode("utf-8", "replace")).document
    except NotJson:
        return None


def _endpoint(url: str, base_url: str) -> str:
    """Returns the shortest endpoint that gives the same URL."""
    path = urlunsplit(("", "", *urlsplit(url)[2:]))
    shorter = [url[len(base) :].lstrip("/") for base in (base_url, f"{base_url}/") if base_url and url.startswith(base)]
    candidates = [endpoint for endpoint in (*shorter, path) if base_url and endpoint]
    return next((endpoint for endpoint in candidates if _leads(base_url, endpoint) == _leads(base_url, url)), url)


def _leads(base_url: str, endpoint: str) -> str | None:
    try:
        return page_url(base_url, endpoint, {})
    except ValueError:
        return None


def _last_segment(command: Command) -> str:
    segments = [segment for segment in command.url.path.split("/") if segment]
    return unquote(segments[-1]) if segments else command.url.hostname or ""
