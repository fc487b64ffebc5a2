"""The page on which a person lets a registered program into a project."""

from __future__ import annotations

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import SignedIn
from penstock.foundation.errors import Unauthorized
from penstock.services.login.authorizing import add_to
from penstock.services.login.errors import InvalidToken
from penstock.services.login.models import Membership
from penstock.services.login.oauth import consent, grants
from penstock.services.login.oauth.models import WRITE, AuthorizationRequest, Decision
from penstock.services.login.oauth.requests import check_request, find_resource
from penstock.services.login.people import list_projects
from penstock.services.login.routes.browsers import read_fields
from penstock.services.login.routes.oauth import find_issuer
from penstock.services.login.routes.pages import (
    AUTHORIZE_PATH,
    OF_PEOPLE,
    ask_to_sign_in,
    find_person,
    read_query,
    redirect,
)
from penstock.services.login.store.clients import Client
from penstock.services.management.interface import find_user
from penstock.web.auth.session import find_session
from penstock.web.bodies import to_model
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.streaming import on_disk


def routes() -> list[Route]:
    return [
        get(AUTHORIZE_PATH, show_consent, **OF_PEOPLE),
        post(AUTHORIZE_PATH, decide, **OF_PEOPLE),
    ]


async def show_consent(request: Request, http: HttpRequest) -> Response:
    """Ask the person which project a program may use, and whether it may write."""
    asked = read_query(http, AuthorizationRequest)
    client = await on_disk(_check, request, asked)
    caller = await find_person(request, http)
    if not caller:
        return ask_to_sign_in(request, f"{AUTHORIZE_PATH}?{http.url.query}")
    projects = await on_disk(_list_projects, request, caller)
    return consent.consent_page(caller.description, client, projects, asked, find_session(http))


async def decide(request: Request, http: HttpRequest) -> Response:
    """Send the browser back to the program: with a code, or with the word that the person has refused."""
    fields = await read_fields(request, http)
    asked, decision = to_model(fields, AuthorizationRequest), to_model(fields, Decision)
    caller = await find_person(request, http)
    if not caller:
        raise Unauthorized("Your session has ended. Start again in the program.")
    consent.check_key(find_session(http), asked, decision.key)
    outcome = await on_disk(_decide, request, caller, asked, decision)
    return redirect(add_to(asked.redirect_uri, **outcome, state=asked.state, iss=find_issuer(request)))


def _check(request: Request, asked: AuthorizationRequest) -> Client:
    with request.reading() as tx:
        return check_request(tx, request.addresses, asked)


def _list_projects(request: Request, caller: SignedIn) -> list[Membership]:
    with request.reading() as tx:
        user = find_user(tx, caller.user_id)
        if not user:
            raise InvalidToken
        return list_projects(tx, user)


def _decide(request: Request, caller: SignedIn, asked: AuthorizationRequest, decision: Decision) -> dict[str, str]:
    """What is added to the address of the program."""
    client, projects = _check(request, asked), _list_projects(request, caller)
    with request.writing() as tx:
        if decision.decision != "allow":
            grants.record_refusal(tx, caller, client)
            return {"error": "access_denied"}
        if decision.project not in [each.id for each in projects]:
            raise consent.NotYourProject
        if decision.access == WRITE and not asked.may_write:
            raise consent.MayNotWrite
        grant = grants.Grant(
            project_id=decision.project,
            only_reads=decision.access != WRITE,
            resource=find_resource(request.addresses),
        )
        return {"code": grants.make_code(tx, caller, client, asked, grant)}
