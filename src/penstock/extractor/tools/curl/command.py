"""Reads a curl command: URL, method, headers and body."""

from __future__ import annotations

import base64
from urllib.parse import SplitResult, quote_plus, unquote, urlsplit

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.curl.options import DATA, Options, read_options

NO_URL = "No valid URL found in the cURL command"
NAMED_HEADERS = {"user-agent": "User-Agent", "referer": "Referer"}


class Command(msgspec.Struct, frozen=True):
    """One request."""

    url: SplitResult
    """Without user, password and fragment."""
    method: str
    headers: dict[str, str]
    data: str | None


def read_command(text: str) -> Command:
    """Raises UserError for a text that is not a curl command, and for one that a job cannot express."""
    options = read_options(text)
    url, login = _read_url([value for name, value in options if name == "url"])
    is_query = any(name == "get" for name, _value in options)
    data = _read_data(options)
    if is_query and data:
        url, data = url._replace(query=f"{url.query}&{data}".lstrip("&")), None
    headers = {**login, **_read_headers(options)}
    return Command(url, _read_method(options, data), headers, data)


def _read_url(urls: list[str]) -> tuple[SplitResult, dict[str, str]]:
    if len(urls) > 1 and all("://" in url for url in urls):
        raise UserError("The cURL command asks for several addresses. Give one at a time.")
    try:
        parts = urlsplit(next((url for url in urls if "://" in url), ""))
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_web, parts = False, urlsplit("")
    if not is_web:
        raise UserError(f"{NO_URL}. Write it with http:// or https:// in front.")
    login, at, host = parts.netloc.rpartition("@")
    return parts._replace(netloc=host, fragment=""), _basic(unquote(login)) if at else {}


def _read_data(options: Options) -> str | None:
    parts = [_data_part(name, value) for name, value in options if name in DATA]
    is_json = any(name == "json" for name, _value in options)
    return ("" if is_json else "&").join(parts) if parts else None


def _data_part(name: str, value: str) -> str:
    if name == "data-urlencode":
        return _encoded(value)
    if name != "data-raw" and value.startswith("@"):
        raise UserError(f"The option --{name} reads a file. Write what it holds into the command.")
    return value


def _encoded(value: str) -> str:
    """Encodes `name=content`, `=content` or `content`; the name is not encoded."""
    name, equals, content = value.partition("=")
    if "@" in name:
        raise UserError("The option --data-urlencode reads a file. Write what it holds into the command.")
    if not equals:
        return quote_plus(value)
    return f"{name}={quote_plus(content)}" if name else quote_plus(content)


def _read_headers(options: Options) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in options:
        header = _header_of(name, value)
        names = {key.lower() for key in header}
        headers = {**{key: text for key, text in headers.items() if key.lower() not in names}, **header}
    return headers


def _header_of(option: str, value: str) -> dict[str, str]:
    """Returns the headers of an option; they replace those of earlier options."""
    if option == "header":
        return _own_header(value)
    if option == "user":
        return _basic(value)
    if option == "oauth2-bearer":
        return {"Authorization": f"Bearer {value}"}
    if option == "json":
        return {"Content-Type": "application/json", "Accept": "application/json"}
    if option == "cookie":
        return _cookie(value)
    return {NAMED_HEADERS[option]: value} if option in NAMED_HEADERS else {}


def _own_header(text: str) -> dict[str, str]:
    """Reads `Name: value`; `Name;` is a header without a value, `Name:` removes a default header of curl."""
    if text.startswith("@"):
        raise UserError("The option --header reads a file. Write the headers into the command.")
    name, colon, value = text.partition(":")
    if not colon:
        return {name.strip(" ;"): ""} if text.rstrip().endswith(";") else {}
    return {name.strip(): value.strip()} if name.strip() and value.strip() else {}


def _cookie(value: str) -> dict[str, str]:
    if "=" not in value:
        raise UserError("The option --cookie reads a file. Write the cookies into the command: -b 'name=value'.")
    return {"Cookie": value}


def _basic(login: str) -> dict[str, str]:
    pair = login if ":" in login else f"{login}:"
    return {"Authorization": f"Basic {base64.b64encode(pair.encode('utf-8', 'replace')).decode()}"}


def _read_method(options: Options, data: str | None) -> str:
    named = [value for name, value in options if name == "request"]
    if named:
        return named[-1].upper()
    if any(name == "head" for name, _value in options):
        return "HEAD"
    return "GET" if data is None else "POST"
