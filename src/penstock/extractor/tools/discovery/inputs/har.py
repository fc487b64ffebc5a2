"""A HAR file, the recording of a browser: its requests that returned lists."""

from __future__ import annotations

import base64
import binascii
from typing import Any, cast

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.values import as_map
from penstock.extractor.tools.curl.command import Command
from penstock.extractor.tools.discovery.records import find
from penstock.extractor.tools.discovery.target import Choice, Target, read_url

NOTHING = "The HAR file holds no response with a list of JSON objects. Record it with the bodies of responses."
MIN_REQUESTS = 2
METHODS = ("GET", "POST")


def read_har(content: bytes) -> list[Choice]:
    """Returns one choice per method and path; raises UserError for a file that is not a HAR file."""
    try:
        document: Any = decode(content).document
    except NotJson as error:
        raise UserError(f"The HAR file is not valid JSON: {error}.") from None
    entries = as_map(as_map(document).get("log")).get("entries")
    if not isinstance(entries, list):
        raise UserError("The file is not a HAR file: it has no `log.entries`.")
    choices = [choice for entry in cast(list[Any], entries) if (choice := _choice(as_map(entry)))]
    return list({choice.endpoint: choice for choice in reversed(choices)}.values())[::-1]


def _choice(entry: dict[str, Any]) -> Choice | None:
    request, response = as_map(entry.get("request")), as_map(entry.get("response"))
    count = _count(as_map(response.get("content")))
    if count < MIN_REQUESTS or request.get("method") not in METHODS:
        return None
    command = _command(request)
    prefix = "" if command.method == "GET" else f"{command.method} "
    return Choice(f"{prefix}{command.url.path or '/'}", f"{count} records from {command.url.netloc}", Target(command))


def _count(content: dict[str, Any]) -> int:
    """Returns how many objects are in the list of a response."""
    text = str(content.get("text") or "")
    try:
        body = base64.b64decode(text) if content.get("encoding") == "base64" else text.encode("utf-8", "replace")
        records = find(decode(body).document, "")
    except (NotJson, binascii.Error):
        return 0
    return sum(isinstance(item, dict) for item in records.items) if records else 0


def _command(request: dict[str, Any]) -> Command:
    headers = {
        str(item.get("name")): str(item.get("value")) for item in map(as_map, as_map(request.get("headers")).values())
    }
    url = read_url(str(request.get("url")))
    data = as_map(request.get("postData")).get("text") if request["method"] == "POST" else None
    return Command(url.url, str(request["method"]), {**url.headers, **headers}, None if data is None else str(data))
