"""Stored credentials: added, listed, found, removed, and never shown in plain text."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest

from penstock.foundation.secrets import PREFIX, Scope, UnreadableSecret
from penstock.services.oauth import interface
from tests.support.http import Http
from tests.unit.services.fill import add_project
from tests.unit.services.oauth.broker import COMPONENT, Broker
from tests.unit.services.vault.test_reactions import create_branch

CANARY = "canary-71b2e0"
PATH = f"/credentials/{COMPONENT}"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def new(credential_id: str, **more: Any) -> dict[str, Any]:
    return {"id": credential_id, "authorizedFor": "me", "#data": json.dumps({"access_token": CANARY}), **more}


def encrypt(broker: Broker, project_id: int) -> str:
    """A cipher of the encryption service, which knows no host."""
    path = f"/encrypt?componentId={COMPONENT}&projectId={project_id}"
    http = broker.services.service("encryption")
    return http.send("POST", path, CANARY.encode(), {"Content-Type": "text/plain"}).text


def test_credentials_are_added_as_json_and_shown_as_ciphers(broker_on_each: Broker) -> None:
    made = broker_on_each.http.post(PATH, new("json", appKey="key", **{"#appSecret": CANARY}))

    assert made.status == 201, made.text
    shown = made.json
    assert (shown["id"], shown["authorizedFor"], shown["branchId"], shown["appKey"]) == ("json", "me", None, "key")
    assert shown["creator"]["id"] == str(broker_on_each.project.caller.token_id)
    assert shown["#data"].startswith(PREFIX)
    assert shown["#appSecret"].startswith(PREFIX)
    one, all_ = broker_on_each.http.get(f"{PATH}/json"), broker_on_each.http.get("/credentials")
    assert one.json == shown
    assert shown in all_.json
    assert CANARY not in made.text + one.text + all_.text
    given = broker_on_each.injected("json")
    assert (json.loads(given["#data"]), given["#appSecret"]) == ({"access_token": CANARY}, CANARY)
    assert broker_on_each.http.delete(f"{PATH}/json").status == 204
    assert broker_on_each.http.get(f"{PATH}/json").status == 404
    assert broker_on_each.http.delete(f"{PATH}/json").status == 404


def test_credentials_are_added_as_a_form(broker: Broker) -> None:
    made = broker.http.send("POST", PATH, urlencode(new("form")).encode(), FORM)

    assert made.status == 201, made.text
    assert broker.data("form") == {"access_token": CANARY}


def test_data_may_be_an_object(broker: Broker) -> None:
    assert broker.data(broker.add({"access_token": CANARY, "n": [1, {"#x": 2}]})) == {
        "access_token": CANARY,
        "n": [1, {"#x": 2}],
    }


def test_data_may_be_a_cipher_for_the_component_and_project(broker: Broker) -> None:
    added = broker.add(encrypt(broker, broker.project.caller.project_id))
    shown = broker.credential(added)

    assert broker.injected(added)["#data"] == CANARY
    with pytest.raises(UnreadableSecret):
        broker.stack.cipher.decrypt(shown, Scope(broker.project.caller.project_id, COMPONENT))


def test_a_cipher_of_another_project_opens_nothing(broker: Broker) -> None:
    added = broker.add(encrypt(broker, 999_999))

    with pytest.raises(UnreadableSecret):
        broker.injected(added)


def test_a_cipher_that_is_shown_opens_in_no_configuration(broker: Broker) -> None:
    """So nobody copies it beside a host of their own."""
    shown = broker.credential(broker.add(CANARY))

    with pytest.raises(UnreadableSecret):
        broker.stack.cipher.decrypt(shown, Scope(broker.project.caller.project_id, COMPONENT))


def test_an_id_exists_once(broker_on_each: Broker) -> None:
    first, again = (broker_on_each.http.post(PATH, new("twice")) for _ in range(2))

    assert (first.status, again.status) == (201, 422)
    assert again.json["error"] == again.json["message"]
    assert again.json["code"] == 422


def test_credentials_of_a_branch_are_separate(broker_on_each: Broker) -> None:
    http = broker_on_each.http
    branch = create_branch(broker_on_each.services.service("storage"), f"oauth-{id(http)}")
    wide = http.post(PATH, new("branched", authorizedFor="all")).json
    own = http.post(PATH, new("branched", authorizedFor="branch", branchId=branch)).json

    assert http.post(PATH, new("branched", branchId=branch)).status == 422
    assert own["branchId"] == branch
    assert http.get(f"{PATH}/branched").json == wide
    assert http.get(f"{PATH}/branched?branchId={branch}").json == own
    assert http.get(f"/credentials?branchId={branch}").json == [own]
    listed = http.get(f"/credentials?componentId={COMPONENT}&branchId=null").json
    assert wide in listed
    assert own not in listed
    assert broker_on_each.injected("branched")["authorizedFor"] == "all"
    assert http.delete(f"{PATH}/branched").status == 204
    assert http.get(f"{PATH}/branched").json == own


def test_a_delete_without_a_branch_leaves_credentials_of_branches(broker: Broker) -> None:
    branch = create_branch(broker.services.service("storage"), "stays")
    added = broker.add("{}", branchId=branch)

    for query in ("", "?branchId=", "?branchId=null"):
        assert broker.http.delete(f"{PATH}/{added}{query}").status == 404
    assert broker.http.get(f"{PATH}/{added}").status == 200
    assert broker.http.delete(f"{PATH}/{added}?branchId={branch}").status == 204


def test_a_job_in_a_branch_gets_the_credential_of_the_branch(broker: Broker) -> None:
    branch = create_branch(broker.services.service("storage"), "runs")
    broker.http.post(PATH, new("runs", authorizedFor="all"))
    caller = broker.project.caller
    in_branch = type(caller)(project_id=caller.project_id, branch_id=int(branch), token_id=1, description="job")
    document: dict[str, Any] = {"authorization": {"oauth_api": {"id": "runs"}}}

    def label() -> str:
        found = interface.with_credentials(broker.stack, in_branch, COMPONENT, document)
        return found["authorization"]["oauth_api"]["credentials"]["authorizedFor"]

    assert label() == "all"
    broker.http.post(PATH, new("runs", authorizedFor="branch", branchId=branch))
    assert label() == "branch"


@pytest.mark.parametrize("branch", ["999999", "x", "-1"])
def test_a_branch_that_is_not_there_is_refused(broker: Broker, branch: str) -> None:
    assert broker.http.post(PATH, new("nowhere", branchId=branch)).status == 404
    assert broker.http.get(f"/credentials?branchId={branch}").status == 404


def test_credentials_of_another_project_are_not_there(broker: Broker) -> None:
    added, theirs = broker.add(CANARY), broker.services.service("oauth", add_project(broker.services).token)

    assert theirs.get(f"{PATH}/{added}").status == 404
    assert theirs.delete(f"{PATH}/{added}").status == 404
    assert theirs.get(PATH).json == theirs.get("/credentials").json == []
    assert theirs.post(PATH, new(added)).status == 201


def test_a_token_reaches_the_credentials_of_components_that_it_may_use(broker: Broker) -> None:
    added, storage = broker.add(CANARY), broker.services.service("storage")

    def with_access(*components: str) -> Http:
        made = storage.post("/v2/storage/tokens", {"description": "t", "componentAccess": list(components)}).json
        return broker.services.service("oauth", made["token"])

    allowed, other = with_access(COMPONENT), with_access("keboola.flow")
    assert allowed.get(f"{PATH}/{added}").status == 200
    assert added in [each["id"] for each in allowed.get("/credentials").json]
    assert other.get("/credentials").json == []
    for refused in (
        other.get(PATH),
        other.get(f"{PATH}/{added}"),
        other.post(PATH, new("x")),
        other.delete(f"{PATH}/x"),
    ):
        assert refused.status == 403
    own = allowed.post(PATH, new("narrow")).json["id"]
    assert allowed.delete(f"{PATH}/{own}").status == 204


@pytest.mark.parametrize("missing", ["id", "authorizedFor", "#data"])
def test_a_body_without_a_field_says_which(broker: Broker, missing: str) -> None:
    body = new("incomplete")
    del body[missing]
    refused = broker.http.post(PATH, body)

    assert refused.status == 400
    assert missing in refused.json["error"]


def test_the_application_is_the_consumers_unless_another_is_given(broker: Broker) -> None:
    consumer = {"componentId": COMPONENT, "friendlyName": "X", "appKey": "stack-key", "appSecret": "stack-secret"}
    broker.register({**consumer, "authUrl": "https://p.example.com/a", "tokenUrl": "https://p.example.com/t"})
    its, own = broker.injected(broker.add("{}")), broker.injected(broker.add("{}", appKey="own"))

    assert (its["appKey"], its["#appSecret"]) == ("stack-key", "stack-secret")
    assert (own["appKey"], own["#appSecret"]) == ("own", "")
