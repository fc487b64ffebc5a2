"""The form of an authorization holds a token that no authentication scheme has checked: the role of its member counts
all the same, when the user leaves for the provider and when the user comes back."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from penstock.foundation import ids
from penstock.foundation.callers import CALLERS
from penstock.services.login.store import tokens
from penstock.services.management.models.people import Role, User
from penstock.services.management.store.members import members
from tests.support.http import Response
from tests.support.providers import Browser, Provider
from tests.unit.services.login.people import personal_token, sign_up
from tests.unit.services.members import join, make_user, sign_in
from tests.unit.services.oauth.broker import COMPONENT, RETURN, Broker

HTML = "text/html,application/xhtml+xml,*/*;q=0.8"


def join_with(broker: Broker, role: Role) -> tuple[User, str]:
    """A member, and the text of its token."""
    user = make_user(broker.services)
    join(broker.services, broker.project, user, role)
    return user, sign_in(broker.services, broker.project, user).token or ""


def change_role(broker: Broker, user: User, role: Role) -> None:
    with broker.stack.database.writing() as tx:
        ids.count_change(tx, CALLERS)
        tx.change(update(members).where(members.c.user_id == user.id).values(role=role))


def narrow_token(broker: Broker) -> tuple[str, str]:
    """The id and the text of one that may use the component, and no more."""
    body = {"description": "narrow", "componentAccess": [COMPONENT]}
    made = broker.services.service("storage").post("/v2/storage/tokens", body).json
    return made["id"], made["token"]


def finish(browser: Browser, started: Response, accept: str = "*/*") -> Response:
    assert started.status == 302, started.text
    return browser.visit(browser.visit(started.headers["location"]).headers["location"], accept)


@pytest.mark.parametrize("role", ["guest", "readOnly"])
def test_a_member_who_only_reads_replaces_no_credential(broker: Broker, provider: Provider, role: Role) -> None:
    broker.register(provider.consumer())
    known = broker.add({"access_token": "of the administrator"})
    refused = broker.start(Browser(), broker.form(id=known, token=join_with(broker, role)[1]))

    assert refused.status == 403
    assert f'"{role}"' in refused.json["error"]
    assert "set-cookie" not in refused.headers
    assert broker.data(known) == {"access_token": "of the administrator"}


def test_nor_does_a_personal_token_that_only_reads(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    known = broker.add({"access_token": "of the administrator"})
    token = personal_token(broker.services, sign_up(broker.services), onlyReads=True)
    form = broker.form(id=known, token=f"{token} {broker.project.caller.project_id}")

    assert broker.start(Browser(), form).status == 403


def test_the_role_is_checked_again_when_the_user_comes_back(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    (user, token), browser = join_with(broker, "admin"), Browser()
    form = broker.form(token=token)
    started = broker.start(browser, form)
    change_role(broker, user, "readOnly")
    back = finish(browser, started)

    assert back.status == 403
    assert '"readOnly"' in back.json["error"]
    assert broker.http.get(f"/credentials/{COMPONENT}/{form['id']}").status == 404


def test_a_personal_token_that_is_revoked_meanwhile_authorizes_nothing(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    user, browser = sign_up(broker.services), Browser()
    token = personal_token(broker.services, user)
    form = broker.form(token=f"{token} {broker.project.caller.project_id}")
    started = broker.start(browser, form)
    with broker.stack.database.writing() as tx:
        [row] = tokens.list_tokens(tx, ("personal",), user.id)
        tokens.remove_family(tx, user.id, row.family_id)
    back = finish(browser, started)

    assert (back.status, back.json["error"]) == (401, "Invalid access token")
    assert broker.http.get(f"/credentials/{COMPONENT}/{form['id']}").status == 404


def test_a_personal_token_that_still_works_authorizes(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    token, browser = personal_token(broker.services, sign_up(broker.services)), Browser()
    form = broker.form(token=f"{token} {broker.project.caller.project_id}")

    assert finish(browser, broker.start(browser, form)).status == 302
    assert broker.credential(form["id"])["id"] == form["id"]


def test_a_narrow_token_replaces_only_what_it_has_made(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    (token_id, token), known = narrow_token(broker), broker.add({"access_token": "of the administrator"})
    caller, form = broker.project.caller, broker.form(token=token)
    assert [broker.authorize(form).status for _ in range(2)] == [302, 302]
    refused = broker.start(Browser(), broker.form(id=known, token=token))

    assert refused.status == 403
    assert f'by the token {caller.token_id} ("{caller.description}")' in refused.json["error"]
    assert broker.credential(known)["created"][:10] in refused.json["error"]
    assert broker.credential(form["id"])["creator"]["id"] == token_id


def test_nor_may_it_delete_the_credential_of_another_to_make_room(broker: Broker) -> None:
    (_, token), known = narrow_token(broker), broker.add("{}")
    client = broker.services.service("oauth", token)

    assert client.delete(f"/credentials/{COMPONENT}/{known}").status == 403
    assert broker.credential(known)["id"] == known


def test_a_credential_that_appears_meanwhile_is_not_replaced(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    browser, form = Browser(), broker.form(token=narrow_token(broker)[1])
    started = broker.start(browser, form)
    body = {"id": form["id"], "authorizedFor": "me", "#data": {"access_token": "of the administrator"}}
    assert broker.http.post(f"/credentials/{COMPONENT}", body).status == 201

    assert finish(browser, started).status == 403
    assert broker.data(form["id"]) == {"access_token": "of the administrator"}


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"token": "1-2-nobody"}, 401, "Invalid access token"),
        ({"returnUrl": "javascript:alert(1)"}, 400, "returnUrl is not valid"),
        ({"id": "a/b"}, 400, "id"),
    ],
)
def test_a_browser_whose_form_is_refused_sees_a_page(
    broker: Broker, provider: Provider, change: dict[str, str], status: int, sentence: str
) -> None:
    broker.register(provider.consumer())
    refused = Browser().submit(f"{broker.http.base}/authorize/{COMPONENT}", broker.form(**change), HTML)

    assert (refused.status, refused.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert sentence in refused.text
    assert '/_svc/storage/admin"' in refused.text
    assert RETURN not in refused.text


def test_a_browser_that_comes_back_with_another_role_sees_a_page(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    (user, token), browser = join_with(broker, "admin"), Browser()
    started = broker.start(browser, broker.form(token=token))
    change_role(broker, user, "guest")
    back = finish(browser, started, HTML)

    assert (back.status, back.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert "Your role in this project is" in back.text
