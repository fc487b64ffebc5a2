"""Credentials in the configurations that jobs run."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from penstock.services.oauth import interface
from penstock.services.oauth.errors import CredentialMissing
from tests.support.api import Api, Response, Seen
from tests.support.providers import CLIENT, Provider
from tests.support.signatures import OAuth1Server
from tests.unit.services.oauth.broker import COMPONENT, Broker
from tests.unit.services.queue.own_components import add_component, preview, run

TELLER = """
import hashlib
found = config["authorization"]["oauth_api"]["credentials"]
token = json.loads(found["#data"])["access_token"]
print("the token is", token, "and the secret", found["#appSecret"])
write_table("seen", "id,token\\n" + found["id"] + "," + hashlib.sha256(token.encode()).hexdigest() + "\\n")
"""
AS_IT_IS: list[dict[str, Any]] = [
    {},
    {"authorization": None},
    {"authorization": []},
    {"authorization": {"oauth_api": "x"}},
    {"authorization": {"oauth_api": {}}},
    {"authorization": {"oauth_api": {"id": None}}},
    {"authorization": {"oauth_api": {"id": True}}},
    {"authorization": {"oauth_api": {"id": ["x"]}}},
    {"authorization": {"oauth_api": {"id": "unknown", "credentials": {"#data": "own", "appKey": "k"}}}},
]


def configuration(credential_id: str, **parameters: Any) -> dict[str, Any]:
    authorization = {"oauth_api": {"id": credential_id, "version": 3}}
    return {"configData": {"parameters": parameters, "authorization": authorization}}


def log_of(broker: Broker, job: dict[str, Any]) -> str:
    return broker.services.service("storage").get(f"/v2/storage/events?runId={job['id']}&limit=1000").text


def test_a_component_gets_the_credential_and_no_log_shows_it(broker: Broker, tmp_path: Path) -> None:
    add_component(broker.services, tmp_path, "own.teller", TELLER)
    data, secret = {"access_token": "canary-a1c9e2"}, {"#appSecret": "canary-77d1"}
    body = {"id": "told", "authorizedFor": "me", "#data": data, **secret}
    assert broker.http.post("/credentials/own.teller", body).status == 201
    wanted = configuration("told")
    tables = [{"source": "seen", "destination": "in.c-oauth-seen.seen"}]
    wanted["configData"]["storage"] = {"output": {"tables": tables}}
    job = run(broker.services, "own.teller", **wanted)
    log = log_of(broker, job)

    assert job["status"] == "success", job["result"]
    digest = hashlib.sha256(data["access_token"].encode()).hexdigest()
    assert preview(broker.services, "in.c-oauth-seen.seen") == [f'"told","{digest}"']
    assert "the token is" in log
    assert "canary" not in log + json.dumps(job)


def test_a_missing_credential_is_an_error_of_the_user(broker: Broker, tmp_path: Path) -> None:
    add_component(broker.services, tmp_path, "own.lost", TELLER)
    job = run(broker.services, "own.lost", **configuration("nobody"))

    assert job["status"] == "error"
    assert job["result"]["error"]["type"] == "user"
    assert job["result"]["message"].startswith('The configuration uses the OAuth credentials "nobody"')


def test_an_empty_id_is_the_id_of_no_credential(broker: Broker) -> None:
    broker.add("of another configuration")

    with pytest.raises(CredentialMissing):
        broker.injected("")


@pytest.mark.parametrize("document", AS_IT_IS)
def test_a_configuration_that_names_no_credential_or_has_its_own_is_left_alone(
    broker: Broker, document: dict[str, Any]
) -> None:
    assert interface.with_credentials(broker.stack, broker.project.caller, COMPONENT, document) == document


def test_a_number_may_be_an_id(broker: Broker) -> None:
    broker.http.post(f"/credentials/{COMPONENT}", {"id": "123", "authorizedFor": "me", "#data": "x"})
    found = interface.with_credentials(
        broker.stack, broker.project.caller, COMPONENT, {"authorization": {"oauth_api": {"id": 123}}}
    )

    assert found["authorization"]["oauth_api"]["credentials"]["#data"] == "x"


def test_the_extractor_calls_an_api_with_the_bearer_token_of_the_authorization(
    broker: Broker, provider: Provider
) -> None:
    broker.register(provider.consumer())
    form = broker.form()
    assert broker.authorize(form).status == 302
    token = broker.data(form["id"])["access_token"]
    headers = {"Authorization": {"function": "concat", "args": ["Bearer ", {"authorization": "data.access_token"}]}}
    with Api() as api:
        api.on("/users", Response(200, b'[{"id": 1}]', {"Content-Type": "application/json"}))
        authentication = {"type": "oauth20", "format": "json", "headers": headers}
        job = run(broker.services, COMPONENT, **extraction(api, form["id"], authentication))

        assert job["status"] == "success", job["result"]
        assert api.seen[0].headers["authorization"] == f"Bearer {token}"
    assert token not in log_of(broker, job)


def test_the_extractor_signs_requests_with_the_credential_of_oauth_1(broker: Broker) -> None:
    server = OAuth1Server(CLIENT, ("user-token", "user-secret"))
    data = {"oauth_token": "user-token", "oauth_token_secret": "user-secret"}
    added = broker.add(data, appKey=CLIENT[0], **{"#appSecret": CLIENT[1]})

    def answer(seen: Seen) -> Response:
        return Response.json([{"id": 1}]) if server.accepts(seen) else Response(401)

    with Api() as api:
        api.on("/users", answer)
        job = run(broker.services, COMPONENT, **extraction(api, added, {"type": "oauth10"}))

    assert job["status"] == "success", job["result"]
    assert server.nonces


def extraction(api: Api, credential_id: str, authentication: dict[str, Any]) -> dict[str, Any]:
    parameters: dict[str, Any] = {
        "api": {"baseUrl": f"{api.url}/", "authentication": authentication},
        "config": {"outputBucket": "oauth", "jobs": [{"endpoint": "users"}]},
    }
    return configuration(credential_id, **parameters)
