"""Signing in over HTTP.

programs.py   rows for programs: passwords, PKCE, the device flow, the life of tokens
people.py     rows for whoever has signed in: projects, sign-ins, personal tokens, password and second factor
browsers.py   the session of a browser
pages.py      the pages that a browser shows
sso.py        the way to the provider of single sign-on and back
"""

from __future__ import annotations

from penstock.services.management.login.errors import as_grant_error
from penstock.services.management.login.pages import error_page
from penstock.services.management.login.routes import browsers, pages, people, programs, sso
from penstock.web.routing import Route

ERRORS_BELOW = {
    "/v1/auth/device/token": as_grant_error,
    "/v1/auth/pkce/token": as_grant_error,
    "/v1/auth/token": as_grant_error,
    "/v1/auth/page": error_page,
    "/v1/auth/authorize": error_page,
    "/admin/auth": error_page,
}
"""Where OAuth says how errors look, and where people read them."""


def routes() -> list[Route]:
    return [*programs.routes(), *people.routes(), *browsers.routes(), *pages.routes(), *sso.routes()]
