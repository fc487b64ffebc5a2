"""Follows redirects, and removes secrets from requests to hosts that the configuration does not name."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import HeaderValue, Message
from penstock.extractor.requests.sending.url import get_host, join, written
from penstock.foundation.outbound import Response
from penstock.foundation.redaction import Redactor

MAX_REDIRECTS = 5
HARMLESS = frozenset({"accept", "accept-charset", "accept-encoding", "accept-language", "content-type", "user-agent"})


class Trusted(msgspec.Struct, frozen=True):
    """The servers that the configuration names: credentials are sent only to these."""

    places: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, urls: list[str]) -> Trusted:
        return cls(frozenset(server for url in urls for server in _places(url)))

    def covers(self, url: str) -> bool:
        return (urlsplit(url).scheme.lower(), get_host(url)) in self.places


def redirected(message: Message, response: Response) -> Message | None:
    """Returns the message to send next; None if the response is not a redirect."""
    location = response.headers.get("Location", "").strip()
    if not 300 <= response.status < 400 or not location:
        return None
    url = _target(message.url, location, response.status)
    if response.status <= 303 and message.method == "POST":
        return Message("GET", url, _without_size(message), private=message.private)
    return message.with_url(url)


def stripped(message: Message, redactor: Redactor) -> Message:
    """Returns the message for a server that only a response names: without credentials, and without anything that was
    derived from a secret. Raises UserError where that is not possible."""
    host = urlsplit(message.url).hostname
    if message.body:
        raise UserError(
            f"The API sends a request with a body on to {host}, which the configuration does not name. If that is "
            "right, add the host to `parameters.api.trustedHosts`."
        )
    secrets = redactor.also(message.private)
    url = _without_secrets(message.url, secrets)
    if secrets.finds(urlsplit(url).path):
        raise UserError(
            f"The address of a request to {host} holds a secret in its path, and the configuration does not name this "
            "host. If it should get the secret, add it to `parameters.api.trustedHosts`; if the value is not a secret, "
            "keep it under a key without `#`."
        )
    harmless = {name: value for name, value in message.headers.items() if name.lower() in HARMLESS}
    headers = {name: value for name, value in harmless.items() if not secrets.finds(_text(value))}
    return Message(message.method, url, headers)


def holds_secret(message: Message, redactor: Redactor) -> bool:
    """Returns whether anything in it was derived from a secret."""
    return bool(message.private) or redactor.finds(" ".join([message.url, *map(_text, message.headers.values())]))


def is_harmless(message: Message) -> bool:
    """Returns whether all its headers may be sent to any host."""
    return all(name.lower() in HARMLESS for name in message.headers)


def _without_secrets(url: str, secrets: Redactor) -> str:
    """Returns the URL without the parameters that contain a secret."""
    parts = urlsplit(url)
    if not secrets.finds(parts.query):
        return url
    harmless = [part for part in parts.query.split("&") if not secrets.finds(part)]
    return urlunsplit(parts._replace(query="&".join(harmless)))


def _text(value: HeaderValue) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _target(url: str, location: str, status: int) -> str:
    try:
        target = join(url, location)
    except ValueError as error:
        raise UserError(f"The API request failed: [{status}] The redirect leads to no address: {error}.") from error
    if target.scheme not in ("http", "https"):
        raise UserError(
            f"The API request failed: [{status}] Redirect URI, {urlunsplit(target)}, does not use one of the allowed "
            "redirect protocols: http, https"
        )
    return written(target)


def _without_size(message: Message) -> dict[str, HeaderValue]:
    return {name: value for name, value in message.headers.items() if name.lower() != "content-length"}


def _places(url: str) -> list[tuple[str, str]]:
    """Returns scheme and host; a server on port 80 is also trusted on port 443."""
    try:
        scheme, address = urlsplit(url).scheme.lower(), get_host(url)
    except ValueError:
        return []
    upgraded = [("https", f"{address.removesuffix(':80')}:443")] if scheme == "http" and address.endswith(":80") else []
    return [(scheme, address), *upgraded]
