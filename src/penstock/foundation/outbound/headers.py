"""The caller's headers, checked: one name or many values, but never a second request hidden in a line break."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from multidict import CIMultiDict

from penstock.foundation.outbound.errors import Refused

Headers = Mapping[str, str | Sequence[str]]

DEFAULTS = {"User-Agent": "penstock", "Accept-Encoding": "gzip, deflate"}
"""Sent unless the caller says otherwise."""

TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_UNSENDABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# They frame the message or speak to the proxy: whoever sets them could hide a second request in the first.
_OURS = frozenset({
    "connection", "content-length", "expect", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
})  # fmt: skip


MARK = "X-Penstock-Stack"
"""Says which stack a request comes from: its own services do not answer it."""

_PROXIES_ONLY = frozenset({"forwarded", "via", "x-real-ip"})


def speaks_for_a_proxy(name: str) -> bool:
    """Whether a header is for proxies alone to set: a server that believes one takes the sender for its proxy."""
    lower = name.lower()
    return lower in _PROXIES_ONLY or lower.startswith("x-forwarded-")


def read_headers(headers: Headers) -> CIMultiDict[str]:
    """What is sent of them; of two spellings of one name the later counts. Raises Refused for what no header holds."""
    found: CIMultiDict[str] = CIMultiDict()
    for name, given in headers.items():
        values = [given] if isinstance(given, str) else given
        if not TOKEN.fullmatch(name) or any(map(_UNSENDABLE.search, values)):
            raise Refused(f"The header {name!r} holds a line break or another character that no header may hold.")
        found.popall(name, None)
        if name.lower() not in _OURS and not speaks_for_a_proxy(name):
            found.extend((name, value) for value in values)
    return found
