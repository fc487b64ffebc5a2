"""The page on which a person decides about a program, and what proves that a form was on that page.

The key of the form is made from the secret of the browser's session and from the request. So neither another site nor
another user can send the form, and nothing in it can be another request than the one that was shown.
"""

from __future__ import annotations

import hashlib
import hmac
from html import escape
from urllib.parse import urlsplit

import msgspec
from starlette.responses import Response

from penstock.foundation.callers import READING_ROLES
from penstock.foundation.errors import Forbidden, Invalid
from penstock.services.login.models import Membership
from penstock.services.login.oauth.models import AuthorizationRequest
from penstock.services.login.pages import done_page, hide_fields, make_choice, make_form
from penstock.services.login.store.clients import Client
from penstock.web.small_pages import page


class NotFromThisPage(Forbidden):
    def __init__(self) -> None:
        super().__init__(
            "The form does not belong to this session of the browser, or it was changed. Start again in the program."
        )


class NotYourProject(Invalid):
    def __init__(self) -> None:
        super().__init__("You are not a member of the project that you have chosen. Start again in the program.")


class MayNotWrite(Invalid):
    def __init__(self) -> None:
        super().__init__("The program asked to read only, so that it cannot be allowed to write.")


def make_key(session: str, request: AuthorizationRequest) -> str:
    return hmac.new(session.encode(), msgspec.json.encode(request), hashlib.sha256).hexdigest()


def check_key(session: str, request: AuthorizationRequest, key: str) -> None:
    if not hmac.compare_digest(make_key(session, request).encode(), key.encode()):
        raise NotFromThisPage


def consent_page(
    email: str, client: Client, projects: list[Membership], request: AuthorizationRequest, session: str
) -> Response:
    if not projects:
        text = f"{email} is not a member of any project, so there is nothing that the program could use."
        return done_page("No project", text)
    text = (
        f"<p>The program that calls itself <strong>{escape(client.name)}</strong> wants to use a project as "
        f"<strong>{escape(email)}</strong>. If you allow it, the browser goes to "
        f"<strong>{escape(urlsplit(request.redirect_uri).netloc)}</strong>. "
        "Allow it only if you have just started it.</p>"
    )
    fields = _choose_project(projects) + _choose_access(request) + _hide(request, session) + make_choice()
    return page("Let a program into a project", text + make_form("", fields), leads_to=request.redirect_uri)


def _choose_project(projects: list[Membership]) -> str:
    options = "".join(
        f'<option value="{each.id}">{escape(each.name)} ({escape(_describe_role(each))})</option>' for each in projects
    )
    return f'<label for="project">Project</label><select id="project" name="project">{options}</select>'


def _describe_role(project: Membership) -> str:
    return f"{project.role}, only reads" if project.role in READING_ROLES else project.role


def _choose_access(request: AuthorizationRequest) -> str:
    """Reading is what is chosen unless the person changes it."""
    write = '<option value="write">Read and change: tables, configurations, jobs</option>' if request.may_write else ""
    return (
        '<label for="access">It may</label><select id="access" name="access">'
        f'<option value="read" selected>Only read</option>{write}</select>'
    )


def _hide(request: AuthorizationRequest, session: str) -> str:
    return hide_fields(**msgspec.structs.asdict(request), key=make_key(session, request))
