"""Which web pages may send requests that need no token.

A page of any site can make the browser of its visitor send requests to the visitor's own machine. For a stack that
listens on loopback only, this is the way in from the outside: there such a request is refused on every row that costs
something. Links work: what opens a page, such as the way back from an OAuth provider, is not refused.
"""

from __future__ import annotations

from typing import Self
from urllib.parse import urlsplit

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.foundation.errors import Forbidden
from penstock.foundation.machine import is_loopback
from penstock.foundation.settings import Settings
from penstock.web.auth.session import origin_of
from penstock.web.routing import Route

LOOPBACK_NAMES = ("loopback", "localhost")
"""`loopback` is the setting for both loopback addresses."""


class CrossSiteRequest(Forbidden):
    code = "crossSiteRequest"

    def __init__(self, origin: str | None) -> None:
        page = f"a page of {origin}" if origin and origin != "null" else "a page of another site"
        super().__init__(
            f"This request was sent by {page}, and without a valid token this stack, which only its own machine can "
            "reach, responds to no other site. Send a token, or have the operator add the origin of the page to "
            "`allowed_origins`."
        )


class Sites(msgspec.Struct, frozen=True):
    is_local: bool = False
    """Whether the stack listens on loopback only."""
    is_forwarded: bool = False
    """Whether others reach it through a proxy: then only requests to names of this machine are limited."""
    own_hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    """Origins of other sites that are allowed."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        public = urlsplit(settings.public_url).hostname if settings.public_url else None
        return cls(
            is_local=settings.host in LOOPBACK_NAMES or is_loopback(settings.host),
            is_forwarded=bool(settings.public_url or settings.trusted_proxies),
            own_hosts=frozenset({settings.domain.lower(), *([public] if public else [])}),
            origins=frozenset(each.lower().rstrip("/") for each in settings.allowed_origins),
        )

    def refuses(self, route: Route, http: HttpRequest) -> bool:
        """Unless the request has a valid token. Documents are sent from memory, and a signature is as good as a
        token."""
        if not self.is_local or route.document or route.is_signed or route.is_for_any_site:
            return False
        if self.is_forwarded and not _is_local_name(_host_of(http)):
            return False
        return self._is_cross_site(http) and not _opens_a_page(http)

    def _is_cross_site(self, http: HttpRequest) -> bool:
        """Trust the browser's own header; an older browser has only the origin, if at all."""
        site, origin = http.headers.get("sec-fetch-site", "").lower(), http.headers.get("origin")
        is_other = site == "cross-site" if site else origin is not None
        return is_other and not (origin and self._allows(origin.lower()))

    def _allows(self, origin: str) -> bool:
        host = origin_of(origin).hostname or ""
        is_own = host in self.own_hosts or any(host.endswith(f".{own}") for own in self.own_hosts)
        return origin in self.origins or is_own or _is_local_name(host)


EVERY_SITE = Sites()
"""Nothing is limited."""


def _opens_a_page(http: HttpRequest) -> bool:
    """Tell whether a page is opened in a window because a user follows a link: not in a frame, and not in advance."""
    headers = http.headers
    is_navigation = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return is_navigation and http.method in ("GET", "HEAD") and "sec-purpose" not in headers


def _host_of(http: HttpRequest) -> str:
    return origin_of(f"//{http.scope.get('penstock.authority', '')}").hostname or ""


def _is_local_name(host: str) -> bool:
    return host == "localhost" or host.endswith(".localhost") or is_loopback(host)
