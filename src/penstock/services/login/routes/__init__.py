"""Signing in over HTTP.

programs.py       rows for programs: passwords, PKCE, the device flow, the life of tokens
people.py         rows for whoever has signed in: projects, sign-ins, personal tokens, password and second factor
browsers.py       the session of a browser
pages.py          the pages to sign in
program_pages.py  the pages on which a person agrees that a program signs in
link_pages.py     the pages of links, invitations and forgotten passwords
oauth.py          rows for programs that register themselves: metadata, registration, tokens
oauth_pages.py    the page on which a person lets such a program into a project
sso.py            the way to the provider of single sign-on and back
"""

from __future__ import annotations

from penstock.services.login.errors import as_grant_error
from penstock.services.login.pages import error_page
from penstock.services.login.routes import (
    browsers,
    link_pages,
    oauth,
    oauth_pages,
    pages,
    people,
    program_pages,
    programs,
    sso,
)
from penstock.web.routing import Route

ERRORS_BELOW = {
    "/v1/auth/device/token": as_grant_error,
    "/v1/auth/pkce/token": as_grant_error,
    "/v1/auth/token": as_grant_error,
    "/v1/auth/page": error_page,
    "/v1/auth/authorize": error_page,
    "/admin/auth": error_page,
    "/oauth/authorize": error_page,
    "/oauth": as_grant_error,
}
"""Where OAuth says how errors look, and where people read them."""


def routes() -> list[Route]:
    files = (programs, people, browsers, pages, program_pages, link_pages, sso, oauth, oauth_pages)
    return [row for each in files for row in each.routes()]
