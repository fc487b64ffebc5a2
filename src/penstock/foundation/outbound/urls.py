"""Parses a URL exactly once: what is checked here is what is called.

The URL that aiohttp gets is built from the parts found here, so no second parser can find another host in it. Path and
query are sent as written (signatures depend on it); only characters that are not valid in a URL are percent-encoded.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urljoin

from yarl import URL

from penstock.foundation.outbound.addresses import Address, read_address
from penstock.foundation.outbound.errors import Refused

_PARTS = re.compile(r"(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.IGNORECASE | re.DOTALL)
_AUTHORITY = re.compile(r"(?:\[([^\]]*)\]|([^:\[\]]*))(?::([0-9]{0,5}))?", re.ASCII)
_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
# Control characters, the backslash, and surrogates other than those that stand for a header's raw bytes.
_FORBIDDEN = "[\x00-\x1f\x7f\\\\\ud800-\udc7f\udd00-\udfff]"
_UNENCODED = re.compile(r'[^!-~]|["<>^`{|}]')
_PORTS = {"http": 80, "https": 443}


class Origin(NamedTuple):
    """Scheme, host and port of a URL. `host` is lower-cased, canonical and without a final dot."""

    scheme: str
    host: str
    port: int
    address: Address | None
    base: URL


class Target(NamedTuple):
    origin: Origin
    url: URL

    @property
    def host(self) -> str:
        return self.origin.host


def read_target(url: str) -> Target:
    """Raise Refused unless the URL is an unambiguous http or https URL."""
    if _is_ambiguous(url):
        raise Refused("The URL contains a backslash or a control character, which servers read in different ways.")
    parts = _PARTS.fullmatch(url)
    if parts is None:
        raise Refused("The URL must be absolute and start with http:// or https://.")
    scheme, authority, path, query = parts.groups()
    origin = _read_origin(scheme.lower(), authority)
    return Target(
        origin,
        URL.build(
            scheme=origin.scheme,
            authority=origin.base.raw_authority,
            path=_encode(path) or "/",
            query_string=_encode(query or ""),
            encoded=True,
        ),
    )


def read_redirect(target: Target, location: str) -> Target:
    if _is_ambiguous(location):
        raise Refused(f"{target.host} redirects to a URL that contains a backslash or a control character.")
    try:
        return read_target(urljoin(str(target.url), location.strip()))
    except (Refused, ValueError) as error:
        raise Refused(f"{target.host} redirects to a URL that cannot be called. {error}") from None


def _is_ambiguous(url: str) -> bool:
    """Whether it holds a forbidden character; nearly all URLs are printable, and are not searched."""
    return ("\\" in url or not url.isprintable()) and re.search(_FORBIDDEN, url) is not None


# Pages of one API share their origin: parsing it once makes the gate cheap.
@lru_cache(maxsize=256)
def _read_origin(scheme: str, authority: str) -> Origin:
    if "@" in authority:
        raise Refused("The URL contains a user name or password. Remove it and use the authentication settings.")
    parts = _AUTHORITY.fullmatch(authority)
    if parts is None:
        raise Refused("The URL does not have a valid host and port.")
    written = _read_host(parts[1], parts[2])
    host = written.rstrip(".")
    port = int(parts[3]) if parts[3] else _PORTS[scheme]
    if not 0 < port < 65536:
        raise Refused(f"The URL has the port {port} of {host}; ports go from 1 to 65535.")
    address = read_address(host)
    base = URL.build(scheme=scheme, host=written, port=None if port == _PORTS[scheme] else port)
    return Origin(scheme, host, port, address, base)


def _read_host(bracketed: str | None, plain: str) -> str:
    if bracketed is not None:
        address = read_address(bracketed) if ":" in bracketed else None
        if address is None:
            raise Refused("The URL does not have a valid IPv6 address.")
        return str(address)
    name = _encode_name(plain)
    if not _NAME.fullmatch(name) or len(name) > 254:
        raise Refused("The URL does not have a valid host.")
    address = read_address(name.removesuffix("."))
    if address is not None:
        return str(address)
    if _NUMBER.fullmatch(name.removesuffix(".").rpartition(".")[2]):
        raise Refused(f"{name} looks like an address, but is not a valid one.")
    return name


def _encode_name(name: str) -> str:
    if name.isascii():
        return name.lower()
    try:
        return URL.build(scheme="http", host=name).raw_host or ""
    except ValueError:
        return ""


def _encode(text: str) -> str:
    """Percent-encode characters that are not valid in a URL, and leave the rest unchanged."""
    return _UNENCODED.sub(_percent, text)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogateescape"))
