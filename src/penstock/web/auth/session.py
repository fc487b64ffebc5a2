"""A session of a browser: its id is in a cookie, which the browser sends automatically.

So a page of another site could make the browser send a request that changes something. Such a request names its origin,
and counts as one without a session.
"""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from starlette.requests import Request as HttpRequest

from penstock.foundation.errors import Unauthorized
from penstock.foundation.stacks import STORAGE
from penstock.web.addresses import Addresses
from penstock.web.auth.scheme import FindCaller, Scheme

COOKIE = "penstock_session"
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class MissingSession(Unauthorized):
    def __init__(self) -> None:
        super().__init__("You are not signed in, or the request comes from a page of another site. Sign in first.")


def session(find_caller: FindCaller) -> Scheme:
    return Scheme(
        name="session",
        find_credential=find_session,
        explain_missing=lambda _http: MissingSession(),
        find_caller=find_caller,
        security={"type": "apiKey", "in": "cookie", "name": COOKIE},
    )


def find_session(http: HttpRequest) -> str:
    if http.method not in _SAFE_METHODS and not is_of_this_site(http):
        return ""
    return http.cookies.get(cookie_name(COOKIE, is_secure=_scheme_of(http) == "https"), "")


def cookie_name(name: str, *, is_secure: bool) -> str:
    """Over TLS with the prefix that browsers accept only from this host and only over TLS: neither another host of the
    domain nor the plain port can set such a cookie. The plain port has no way to use it."""
    return f"__Host-{name}" if is_secure else name


def is_of_this_site(http: HttpRequest) -> bool:
    """Compared with where the request was sent to, as a trusted proxy says, by scheme and host. A browser that does not
    name the origin may say that it is another site."""
    if http.headers.get("sec-fetch-site", "").lower() == "cross-site":
        return False
    header, there = http.headers.get("origin"), http.scope.get("penstock.authority", http.headers.get("host", ""))
    if header is None:
        return True
    origin = origin_of(header)
    return origin.scheme == _scheme_of(http) and origin.netloc.lower() == there.lower()


def _scheme_of(http: HttpRequest) -> str:
    addresses: Addresses | None = http.scope.get("penstock.addresses")
    return urlsplit(addresses.url_of(STORAGE)).scheme if addresses else http.url.scheme


def origin_of(header: str) -> SplitResult:
    """Return an origin without a host, which no site has, if the header is not an address."""
    try:
        return urlsplit(header)
    except ValueError:
        return urlsplit("")
