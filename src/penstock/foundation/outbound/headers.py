"""The caller's headers, validated: several values per name, but never a second request hidden in a line break."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from multidict import CIMultiDict

from penstock.foundation.outbound.errors import Refused

Headers = Mapping[str, str | Sequence[str]]

DEFAULTS = {"User-Agent": "penstock", "Accept-Encoding": "gzip, deflate"}
"""Sent unless the caller sets others."""

TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_UNSENDABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# They frame the message or are meant for the proxy: setting them could hide a second request in the first.
_OURS = frozenset({
    "connection", "content-length", "expect", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
})  # fmt: skip


MARK = "X-Penstock-Stack"
"""Identifies the stack that a request comes from: its own services refuse it."""

_PROXIES_ONLY = frozenset({"forwarded", "via", "x-real-ip"})


def speaks_for_a_proxy(name: str) -> bool:
    """Whether only proxies may set a header: a server that trusts it would take the sender for its proxy."""
    lower = name.lower()
    return lower in _PROXIES_ONLY or lower.startswith("x-forwarded-")


def read_headers(headers: Headers) -> CIMultiDict[str]:
    """The headers to send; of two spellings of one name the later wins. Raises Refused for invalid characters."""
    found: CIMultiDict[str] = CIMultiDict()
    for name, given in headers.items():
        values = [given] if isinstance(given, str) else given
        if not TOKEN.fullmatch(name) or any(map(_UNSENDABLE.search, values)):
            raise Refused(
                f"The header {name!r} contains a character that is not valid in a header, such as a line break."
            )
        found.popall(name, None)
        if name.lower() not in _OURS and not speaks_for_a_proxy(name):
            found.extend((name, value) for value in values)
    return found
