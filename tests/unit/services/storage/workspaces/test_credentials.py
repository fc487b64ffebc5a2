"""Passwords and key pairs of workspaces: each secret is shown once, and is nowhere in the data folder."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from penstock.services.storage.operations.workspaces.secrets import new_key_pair
from penstock.services.storage.store.workspaces import find_any_workspace
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.loading import storage
from tests.unit.services.storage.workspaces.test_workspaces import make


@pytest.fixture(scope="module")
def public_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048).public_key()
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def test_a_new_password_replaces_the_old_one(services_on_each: ServicesOnly) -> None:
    http = storage(services_on_each)
    made = make(http)
    response = http.post(f"/workspaces/{made['id']}/password")

    assert response.status == 201
    assert list(response.json) == ["password"]
    assert response.json["password"] != made["connection"]["password"]
    assert http.get("/events").json[0]["event"] == "storage.workspacePasswordReset"


@pytest.mark.parametrize("login_type", ["none", "snowflake-person-sso", "snowflake-service-keypair"])
def test_without_a_password_there_is_none_to_reset(shared: ServicesOnly, login_type: str) -> None:
    http = storage(shared)
    made = make(http, loginType=login_type)
    response = http.post(f"/workspaces/{made['id']}/password")

    assert (response.status, response.json["code"]) == (400, "workspace.resetPasswordNotSupported")


def test_credentials_are_a_user_with_a_key_pair(services_on_each: ServicesOnly) -> None:
    http = storage(services_on_each)
    made = make(http, loginType="snowflake-service-keypair")
    path = f"/workspaces/{made['id']}/credentials"
    response = http.send("POST", path)

    assert response.status == 200
    shown = response.json
    connection: dict[str, Any] = shown["connection"]
    private, number = connection.pop("privateKey"), connection["credentials"]["id"]
    assert private.startswith("-----BEGIN PRIVATE KEY-----")
    assert isinstance(load_pem_private_key(private.encode(), None), rsa.RSAPrivateKey)
    assert isinstance(number, int)
    assert "_QS" in connection["user"]
    same = ("host", "region", "database", "schema", "loginType", "role", "warehouse", "account")
    assert {name: connection[name] for name in same} == {name: made["connection"][name] for name in same}
    assert http.get(f"{path}/{number}").json == shown
    assert http.delete(f"{path}/{number}").status == 204
    for method in ("GET", "DELETE"):
        gone = http.send(method, f"{path}/{number}")
        assert (gone.status, gone.json["code"]) == (404, "workspace.credentialsNotFound")


def test_credentials_belong_to_one_workspace(shared: ServicesOnly) -> None:
    http = storage(shared)
    one, two = make(http), make(http)
    number = http.post(f"/workspaces/{one['id']}/credentials", {}).json["connection"]["credentials"]["id"]

    assert http.get(f"/workspaces/{two['id']}/credentials/{number}").status == 404
    assert http.delete(f"/workspaces/{two['id']}/credentials/{number}").status == 404
    assert http.get(f"/workspaces/{one['id']}/credentials/{number}").status == 200


def test_a_public_key_can_be_given_and_replaced(shared: ServicesOnly, public_key: str) -> None:
    http = storage(shared)
    made = make(http, loginType="snowflake-service-keypair", publicKey=public_key)
    bare = "".join(public_key.split("\n")[1:-2])

    for key in (public_key, bare):
        response = http.post(f"/workspaces/{made['id']}/public-key", {"publicKey": key})
        assert (response.status, response.json) == (200, made)


def test_a_workspace_has_two_public_keys_which_are_set_by_name(services_on_each: ServicesOnly) -> None:
    http, (first, second, third) = storage(services_on_each), (new_key_pair().public for _ in range(3))
    made = make(http, loginType="snowflake-service-keypair", publicKey=first)
    path = f"/workspaces/{made['id']}/public-key"

    response = http.post(f"{path}/RSA_PUBLIC_KEY_2", {"publicKey": second})
    assert (response.status, response.json) == (200, made)
    assert _keys(services_on_each, made["id"]) == (first, second)
    assert http.post(f"{path}/RSA_PUBLIC_KEY", {"publicKey": third}).status == 200
    assert _keys(services_on_each, made["id"]) == (third, second)
    assert http.post(path, {"publicKey": first}).status == 200
    assert _keys(services_on_each, made["id"]) == (first, second)


def _keys(services: ServicesOnly, workspace_id: int) -> tuple[str | None, str | None]:
    """As they are stored: no response shows them."""
    with services.stack.database.reading() as tx:
        row = find_any_workspace(tx, workspace_id)
    assert row
    return row.public_key, row.public_key_2


@pytest.mark.parametrize("name", ["RSA_PUBLIC_KEY_3", "rsa_public_key", "%00", "password_hash"])
def test_an_unknown_name_of_a_public_key_is_refused_with_the_names_that_there_are(
    shared: ServicesOnly, public_key: str, name: str
) -> None:
    http = storage(shared)
    response = http.post(f"/workspaces/{make(http)['id']}/public-key/{name}", {"publicKey": public_key})

    assert (response.status, response.json["code"]) == (400, "workspace.invalidPublicKeyName")
    assert "RSA_PUBLIC_KEY, RSA_PUBLIC_KEY_2" in response.json["error"]


@pytest.mark.parametrize("given", ["", "x", "-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----", "AAAA", "\x00é"])
def test_what_is_no_public_key_is_refused(shared: ServicesOnly, given: str) -> None:
    http = storage(shared)
    response = http.post(f"/workspaces/{make(http)['id']}/public-key", {"publicKey": given})

    assert (response.status, response.json["code"]) == (400, "workspace.invalidPublicKey")


def test_a_key_of_another_kind_or_a_short_one_is_refused(shared: ServicesOnly) -> None:
    http = storage(shared)
    short = rsa.generate_private_key(public_exponent=65537, key_size=1024).public_key()
    for key in (short, ec.generate_private_key(ec.SECP256R1()).public_key()):
        text = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        response = http.post(f"/workspaces/{make(http)['id']}/public-key", {"publicKey": text})
        assert response.json["code"] == "workspace.invalidPublicKey"


def test_no_secret_is_kept(services: ServicesOnly) -> None:
    http = storage(services)
    made = make(http)
    secrets = [made["connection"]["password"], http.post(f"/workspaces/{made['id']}/password").json["password"]]
    key = http.post(f"/workspaces/{made['id']}/credentials", {}).json["connection"]["privateKey"]
    secrets.append(key.split("\n")[5])

    services.close()
    files = [path for path in services.stack.folder.rglob("*") if path.is_file()]
    assert files
    assert [(path, secret) for path in files for secret in secrets if secret.encode() in path.read_bytes()] == []
