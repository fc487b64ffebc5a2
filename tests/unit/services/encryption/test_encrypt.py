"""POST /encrypt: ciphers for every kind of limit, for everyone, and no way back."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import msgspec
import pytest

from penstock.app import build_app
from penstock.foundation.secrets import Cipher, Label, Scope, is_cipher
from penstock.foundation.secrets.scopes import KINDS, prefix_of
from penstock.foundation.stacks import service_host
from penstock.services.encryption import operations
from penstock.services.encryption.errors import TooManySecrets
from penstock.services.encryption.models import EncryptQuery
from penstock.services.encryption.operations import MAX_SECRETS
from penstock.services.encryption.routes import BODY_BYTES
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly

CANARY = "canary-7d01b2"
QUERIES = {
    "Secure": "",
    "ComponentSecure": "componentId=ex-generic-v2",
    "ProjectSecure": "componentId=ex-generic-v2&projectId=1",
    "ConfigSecure": "componentId=ex-generic-v2&projectId=1&configId=7",
    "ProjectWideSecure": "projectId=1",
    "BranchTypeSecure": "componentId=ex-generic-v2&projectId=1&branchType=default",
    "BranchTypeConfigSecure": "componentId=ex-generic-v2&projectId=1&configId=7&branchType=default",
    "ProjectWideBranchTypeSecure": "projectId=1&branchType=default",
}
HERE = Scope(1, "ex-generic-v2", "api.example.com", config_id="7", branch_type="default")


def encrypt(
    services: ServicesOnly, content: Any, query: str = "", kind: str = "application/json", token: str | None = None
) -> Response:
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    client = Http(services.service("encryption").base, token)
    return client.send("POST", f"/encrypt?{query}", body, {"Content-Type": kind})


def opened(services: ServicesOnly, document: Any) -> Any:
    """As a component gets it, when it was stored before."""
    cipher = services.stack.cipher
    return cipher.decrypt(cipher.encrypt(document, HERE), HERE)


@pytest.mark.parametrize(("count", "status"), [(MAX_SECRETS, 200), (MAX_SECRETS + 1, 400), (55_000, 400)])
def test_a_document_has_so_many_secrets_and_no_more(shared: ServicesOnly, count: int, status: int) -> None:
    response = encrypt(shared, {"#many": [1] * count})

    assert response.status == status
    if status == 400:
        assert response.json["error"] == (
            "The document has more than 1,000 values under `#` keys. Send it in parts, each with at most 1,000."
        )


class CountingCipher(Cipher):
    """Counts the secrets that it encrypts."""

    count = 0

    def encrypt_unbound(self, document: Any, label: Label) -> Any:
        self.count += 1
        return super().encrypt_unbound(document, label)


def test_a_document_with_too_many_secrets_is_refused_before_one_is_encrypted() -> None:
    cipher, label = CountingCipher(b"k" * 32), operations.make_label(EncryptQuery())
    with pytest.raises(TooManySecrets):
        operations.encrypt(cipher, label, json.dumps({"#many": [1] * (MAX_SECRETS + 1)}).encode(), operations.JSON)

    assert cipher.count == 0


@pytest.mark.parametrize("kind", KINDS)
def test_each_combination_of_limits_has_its_prefix(shared: ServicesOnly, kind: str) -> None:
    response = encrypt(shared, {"#password": CANARY}, QUERIES[kind])
    text = encrypt(shared, CANARY.encode(), QUERIES[kind], "text/plain; charset=utf-8")

    assert response.status == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json["#password"].startswith(prefix_of(kind))
    assert opened(shared, response.json) == {"#password": CANARY}
    assert text.headers["content-type"].startswith("text/plain")
    assert opened(shared, {"#a": text.text}) == {"#a": CANARY}
    assert CANARY not in response.text + text.text


@pytest.mark.parametrize(
    "query",
    [
        "configId=7",
        "configId=7&projectId=1",
        "configId=7&componentId=x",
        "branchType=dev",
        "branchType=dev&componentId=x",
        "branchType=other&projectId=1",
        "branchType=&projectId=1",
        "componentId=&projectId=1",
        "projectId=1&configId=7&branchType=dev",
        f"componentId={'x' * 256}",
    ],
)
def test_limits_that_no_cipher_has_are_refused(shared: ServicesOnly, query: str) -> None:
    response = encrypt(shared, {"#a": CANARY}, query)

    assert response.status == 400
    assert response.json["code"] == 400
    assert CANARY not in response.text


def test_every_secret_of_a_document_is_encrypted_and_the_rest_stays_in_order(shared: ServicesOnly) -> None:
    document = {
        "z": 1,
        "#b": CANARY,
        "a": [{"#deep": [CANARY, 1, True], "plain": None}],
        "#object": {"inside": CANARY, "#empty": "", "#null": None},
    }
    made = encrypt(shared, document, QUERIES["ProjectSecure"]).json

    assert list(made) == list(document)
    assert list(made["a"][0]) == ["#deep", "plain"]
    assert made["a"][0]["plain"] is None
    assert made["#object"].keys() == {"inside", "#empty", "#null"}
    assert all(map(is_cipher, [made["#b"], *made["a"][0]["#deep"], *made["#object"].values()]))
    assert opened(shared, made)["#object"] == {"inside": CANARY, "#empty": "", "#null": ""}
    assert opened(shared, made)["a"][0]["#deep"] == [CANARY, 1, True]
    assert encrypt(shared, [{"#a": CANARY}]).json[0]["#a"].startswith("KBC::Secure::")


@pytest.mark.parametrize(
    "value",
    [
        "{{ vault.password }}",
        "KBC::Encrypted==abc",
        "KBC::ComponentEncrypted==abc",
        "KBC::ComponentProjectEncrypted==abc",
        *(f"KBC::{kind}{flavour}::abc" for kind in KINDS for flavour in ("", "KV", "GKMS")),
    ],
)
def test_what_is_encrypted_already_stays_as_it_is(shared: ServicesOnly, value: str) -> None:
    assert encrypt(shared, {"#a": value}).json == {"#a": value}
    assert encrypt(shared, value.encode(), kind="text/plain").text == value


def test_encrypting_twice_is_encrypting_once(shared: ServicesOnly) -> None:
    once = encrypt(shared, {"#a": CANARY, "b": 1}).json

    assert encrypt(shared, once, QUERIES["ConfigSecure"]).json == once


def test_an_empty_text_gets_a_cipher(shared: ServicesOnly) -> None:
    assert opened(shared, {"#a": encrypt(shared, b"", kind="text/plain").text}) == {"#a": ""}


@pytest.mark.parametrize("token", [None, "", "nonsense", "1-2-of-another-stack"])
def test_a_token_is_not_looked_at(shared: ServicesOnly, token: str | None) -> None:
    assert encrypt(shared, {"#a": CANARY}, token=token).status == 200


@pytest.mark.parametrize("kind", ["", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_other_content_types_are_refused(shared: ServicesOnly, kind: str) -> None:
    response = encrypt(shared, {"#a": CANARY}, kind=kind)

    assert response.status == 415
    assert "application/json or text/plain" in response.json["error"]


def test_a_json_text_becomes_a_cipher_as_a_json_text(shared: ServicesOnly) -> None:
    """The request of the MCP server."""
    response = encrypt(shared, CANARY, QUERIES["ProjectSecure"])

    assert (response.status, response.headers["content-type"]) == (200, "application/json")
    assert response.json.startswith(prefix_of("ProjectSecure"))
    assert opened(shared, {"#a": response.json}) == {"#a": CANARY}
    assert encrypt(shared, response.json).json == response.json


@pytest.mark.parametrize(
    "content", [b"", b"{", b"1", b"true", b'"x', b"null", b"\xff", b"[" * 100_000, b'{"#a":' * 300]
)
def test_a_body_that_is_no_document_is_refused(shared: ServicesOnly, content: bytes) -> None:
    assert encrypt(shared, content).status == 400


def test_a_text_that_is_not_utf_8_is_refused(shared: ServicesOnly) -> None:
    assert encrypt(shared, b"\xff", kind="text/plain").status == 400


def test_a_body_has_a_limit(shared: ServicesOnly) -> None:
    assert encrypt(shared, b"x" * BODY_BYTES, kind="text/plain").status == 200
    assert encrypt(shared, b"x" * (BODY_BYTES + 1), kind="text/plain").status == 413


def test_it_says_what_it_is_and_is_in_the_index(shared: ServicesOnly) -> None:
    encryption, index = shared.service("encryption"), shared.service("storage").get("/v2/storage").json

    assert encryption.get("/").json.keys() == {"appName", "appVersion", "apiDocs"}
    assert encryption.get("/health-check").json == {"status": "ok"}
    assert any(each["id"] == "encryption" for each in index["services"])


def test_nothing_decrypts(shared: ServicesOnly) -> None:
    cipher = encrypt(shared, {"#a": CANARY}).json
    for path in ("/decrypt", "/encrypt/decrypt"):
        assert shared.service("encryption").post(path, cipher).status == 404


def test_an_address_has_a_limit_and_is_told_when_to_come_back(shared: ServicesOnly) -> None:
    app = build_app(msgspec.structs.replace(shared.stack.settings, requests_per_address=1), shared.stack)
    host = service_host("encryption", shared.stack.domain)

    async def ask(address: str) -> tuple[int, dict[str, str]]:
        return await call(app, host, address)

    async def run() -> None:
        found = [await ask("203.0.113.9") for _ in range(30)]
        refused = [headers for status, headers in found if status == 429]
        assert found[0][0] == 200
        assert all(int(headers["retry-after"]) >= 1 for headers in refused)
        assert refused
        assert (await ask("203.0.113.10"))[0] == 200

    anyio.run(run)


def test_documents_of_one_address_do_not_keep_others_waiting(shared: ServicesOnly) -> None:
    """Sent last, and not served last: addresses take turns."""
    app = build_app(shared.stack.settings, shared.stack)
    host, content = service_host("encryption", shared.stack.domain), json.dumps({"#many": [1] * MAX_SECRETS}).encode()
    finished: list[tuple[str, int]] = []

    async def ask(address: str) -> None:
        status, _ = await call(app, host, address, content, b"application/json")
        finished.append((address, status))

    async def run() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(30):
                tasks.start_soon(ask, "203.0.113.9")
            tasks.start_soon(ask, "198.51.100.1")

    anyio.run(run)

    assert {status for _, status in finished} == {200}
    assert finished.index(("198.51.100.1", 200)) < 20


async def call(
    app: Callable[..., Awaitable[None]], host: str, address: str, content: bytes = b"x", kind: bytes = b"text/plain"
) -> tuple[int, dict[str, str]]:
    """A request that comes from another machine."""
    headers = [(b"host", host.encode()), (b"content-type", kind)]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "https",
        "path": "/encrypt",
        "raw_path": b"/encrypt",
        "root_path": "",
        "query_string": b"",
        "headers": headers,
        "client": (address, 1),
        "server": (host, 443),
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = sent[0]
    return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}
