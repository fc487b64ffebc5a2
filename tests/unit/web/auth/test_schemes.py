"""Every authentication scheme, named by a small service and asked over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext

import pytest
import uvicorn

from penstock.foundation import ids
from penstock.foundation.callers import CALLERS, Caller, Right, SignedIn, of_scope
from penstock.foundation.errors import Unauthorized
from penstock.foundation.stack import Stack
from penstock.server.sockets import open_sockets
from penstock.services.storage.interface import authenticate
from penstock.web.application import build_service
from penstock.web.auth.bearer import bearer
from penstock.web.auth.manage_token import manage_token
from penstock.web.auth.none import NONE
from penstock.web.auth.path_secret import path_secret
from penstock.web.auth.scheme import FindCaller, Scheme
from penstock.web.auth.session import session
from penstock.web.auth.storage_token import storage_token
from penstock.web.hosts import HostDispatcher
from penstock.web.openapi import make_document
from penstock.web.request_threads import RequestThreads
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.service import Service
from tests.support.http import Http
from tests.support.stacks import ServicesOnly, wait_for

SECRET = "right"
SENT: dict[str, dict[str, str]] = {
    "manage token": {"X-KBC-ManageApiToken": "{}"},
    "bearer": {"Authorization": "Bearer {}"},
    "session": {"Cookie": "penstock_session={}"},
}
"""The headers of each scheme that has one."""
ADVICE = {
    "manage token": "X-KBC-ManageApiToken",
    "bearer": "Authorization: Bearer",
    "session": "not signed in",
}


class Issued:
    """The credentials of a service, as it stores them."""

    def __init__(self) -> None:
        self.known, self.lookups = {SECRET: "ada"}, 0

    def find(self, scheme: str) -> FindCaller:
        def find_caller(_stack: Stack, credential: str) -> SignedIn:
            self.lookups += 1
            if credential not in self.known:
                raise Unauthorized("Invalid credential")
            return SignedIn(scheme=scheme, project_id=0, token_id=7, description="", subject=self.known[credential])

        return find_caller


MANAGE_OAUTH = of_scope("MANAGE_OAUTH", "oauth:manage")


def schemes(issued: Issued) -> list[Scheme]:
    made = {"manage token": manage_token, "bearer": bearer, "session": session, "path secret": path_secret}
    return [make(issued.find(name)) for name, make in made.items()]


def rows(path: str = "/who") -> list[Route]:
    return [
        get("/open", say_nothing, needs=Right.PUBLIC),
        get(path, say_who_by_secret if "{secret}" in path else say_who, needs=Right.TOKEN),
        post("/who", say_who, needs=Right.TOKEN),
    ]


def say_nothing(request: Request) -> dict[str, str]:
    return {"scheme": request.identity.scheme}


def say_who(request: Request) -> dict[str, str]:
    assert isinstance(request.identity, SignedIn)
    return {"scheme": request.identity.scheme, "subject": request.identity.subject}


def say_who_by_secret(request: Request, secret: str) -> dict[str, str]:
    assert request.token == secret
    return say_who(request)


@contextmanager
def serve(services: ServicesOnly, auth: Scheme, path: str = "/who", extra: Sequence[Route] = ()) -> Generator[Http]:
    service = Service(id="small", name="Small", routes=[*rows(path), *extra], auth=auth)
    sockets = open_sockets("loopback", 0)
    app = build_service(service, services.stack, (service,), RequestThreads.of(services.stack.database), 1000)
    dispatcher = HostDispatcher("penstock.localhost", {"small": app}, None, ())
    server = uvicorn.Server(uvicorn.Config(dispatcher, lifespan="off", log_config=None))
    thread = threading.Thread(target=server.run, args=(sockets,), daemon=True)
    thread.start()
    wait_for(lambda: server.started)
    yield Http(f"http://127.0.0.1:{sockets[0].getsockname()[1]}/_svc/small")
    server.should_exit = True
    thread.join()


def headers_of(scheme: Scheme, credential: str) -> dict[str, str]:
    return {name: text.format(credential) for name, text in SENT[scheme.name].items()}


@pytest.mark.parametrize(
    "scheme", [each for each in schemes(Issued()) if each.name in SENT], ids=lambda each: each.name
)
def test_a_scheme_lets_in_who_has_the_credential_and_says_what_is_missing(shared: ServicesOnly, scheme: Scheme) -> None:
    with serve(shared, scheme) as http:
        missing = http.get("/who")
        wrong = http.send("GET", "/who", headers=headers_of(scheme, "wrong"))
        right = http.send("GET", "/who", headers=headers_of(scheme, SECRET))
        assert http.get("/open").json == {"scheme": "none"}

    assert (missing.status, wrong.status, right.status) == (401, 401, 200)
    assert ADVICE[scheme.name] in missing.json["error"]
    assert wrong.json["error"] == "Invalid credential"
    assert right.json == {"scheme": scheme.name, "subject": "ada"}


def test_a_row_may_name_another_scheme_than_its_service(shared: ServicesOnly) -> None:
    issued = Issued()
    of_row, of_service = manage_token(issued.find("manage token")), bearer(issued.find("bearer"))
    managed = get("/managed", say_who, needs=Right.TOKEN, auth=of_row)
    with serve(shared, of_service, extra=[managed]) as http:
        sent = {scheme.name: headers_of(scheme, SECRET) for scheme in (of_row, of_service)}
        found = {
            (path, name): http.send("GET", path, headers=headers)
            for path in ("/who", "/managed")
            for name, headers in sent.items()
        }

    assert {key: response.status for key, response in found.items()} == {
        ("/who", "bearer"): 200,
        ("/who", "manage token"): 401,
        ("/managed", "bearer"): 401,
        ("/managed", "manage token"): 200,
    }
    assert found["/managed", "manage token"].json["scheme"] == "manage token"


def test_the_specification_names_the_scheme_of_each_row() -> None:
    issued = Issued()
    managed = get("/managed", say_who, needs=MANAGE_OAUTH, auth=manage_token(issued.find("manage token")))
    document = make_document("Small", "1", "http://small", [*rows(), managed], bearer(issued.find("bearer")))

    assert set(document["components"]["securitySchemes"]) == {"token", "manageToken"}
    security = {path: document["paths"][path]["get"]["security"] for path in ("/open", "/who", "/managed")}
    assert security == {"/open": [], "/who": [{"token": ["token"]}], "/managed": [{"manageToken": ["manage-oauth"]}]}


def test_a_secret_in_the_path_lets_in(shared: ServicesOnly) -> None:
    with serve(shared, path_secret(Issued().find("path secret")), "/to/{secret}/who") as http:
        found = [http.get(f"/to/{secret}/who") for secret in (SECRET, "wrong")]
        missing = http.post("/who", {})

    assert [each.status for each in (*found, missing)] == [200, 401, 401]
    assert found[0].json == {"scheme": "path secret", "subject": "ada"}
    assert "no secret in its path" in missing.json["error"]


def test_a_page_of_another_site_changes_nothing_with_a_session(shared: ServicesOnly) -> None:
    scheme = session(Issued().find("session"))
    with serve(shared, scheme) as http:
        cookie, own = headers_of(scheme, SECRET), http.base.removesuffix("/_svc/small")
        origins = (None, own, "https://evil.example", "null")
        sent = [{**cookie, **({"Origin": origin} if origin else {})} for origin in origins]
        changing = [http.send("POST", "/who", headers=headers).status for headers in sent]
        reading = [http.send("GET", "/who", headers=headers).status for headers in sent]

    assert changing == [200, 200, 401, 401]
    assert reading == [200] * 4


def test_a_caller_is_cached_until_a_credential_changes(shared: ServicesOnly) -> None:
    issued = Issued()
    scheme = bearer(issued.find("bearer"))
    with serve(shared, scheme) as http:
        asked = [http.send("GET", "/who", headers=headers_of(scheme, SECRET)).status for _ in range(3)]
        assert (asked, issued.lookups) == ([200] * 3, 1)
        del issued.known[SECRET]
        with shared.stack.database.writing() as tx:
            ids.count_change(tx, CALLERS)
        assert http.send("GET", "/who", headers=headers_of(scheme, SECRET)).status == 401


@pytest.mark.parametrize("scheme", [NONE, *schemes(Issued())], ids=lambda each: each.name)
def test_a_right_that_a_scheme_cannot_give_is_refused_when_the_service_is_declared(scheme: Scheme) -> None:
    for right in set(Right) - scheme.rights:
        with pytest.raises(ValueError, match=rf"GET /who needs {right.name}.*{scheme.name}"):
            Service(id="small", name="Small", routes=[get("/who", say_who, needs=right)], auth=scheme)


@pytest.mark.parametrize("is_declared", [False, True])
def test_a_right_of_a_scope_is_for_rows_of_the_service_that_declares_it(is_declared: bool) -> None:
    row = get("/managed", say_who, needs=MANAGE_OAUTH, auth=manage_token(Issued().find("manage token")))
    rights = [MANAGE_OAUTH] if is_declared else []

    with nullcontext() if is_declared else pytest.raises(ValueError, match="needs MANAGE_OAUTH"):
        Service(id="small", name="Small", routes=[row], rights=rights)
    row_of_others = get("/managed", say_who, needs=MANAGE_OAUTH, auth=bearer(Issued().find("bearer")))
    with pytest.raises(ValueError, match="needs MANAGE_OAUTH"):
        Service(id="small", name="Small", routes=[row_of_others], rights=rights)


def test_a_storage_token_says_that_it_made_the_caller(shared: ServicesOnly) -> None:
    scheme = storage_token(authenticate)
    caller = scheme.find_caller(shared.stack, shared.project.token)

    assert isinstance(caller, Caller)
    assert (caller.scheme, caller.project_id) == (scheme.name, shared.project.id)
    assert scheme.rights == {right for right in Right if not right.is_of_manage_token}
