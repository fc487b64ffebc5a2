"""One request, from the matched row to the response, over a real socket."""

from __future__ import annotations

import gzip
import json
import shutil
import socket
from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.web.bodies import DRAINED
from tests.support.http import Http, Response
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly
from tests.unit.web import raw

LIMIT = 2000
CONFIGS = "/v2/storage/components/ex-generic-v2/configs"


@pytest.fixture(scope="module")
def narrow(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServicesOnly]:
    """Services that take small bodies only."""
    folder = tmp_path_factory.mktemp("narrow") / "data"
    shutil.copytree(new_data_folder, folder)
    stack = ServicesOnly(folder, body_limit=LIMIT)
    yield stack
    stack.close()


def head(services: ServicesOnly, *lines: str) -> bytes:
    return "\r\n".join([f"POST /_svc/storage{CONFIGS} HTTP/1.1", "Host: 127.0.0.1", *lines, "", ""]).encode()


def token_line(services: ServicesOnly) -> str:
    return f"X-StorageApi-Token: {services.project.token}"


def first_answer(services: ServicesOnly, request: bytes) -> bytes:
    """What comes back while the rest of the request is still owed."""
    with socket.create_connection(("127.0.0.1", services.port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        return connection.recv(65536)


def test_who_asks_is_settled_before_the_body_is_read(narrow: ServicesOnly) -> None:
    assert b" 401 " in first_answer(narrow, head(narrow, "Content-Length: 1500"))
    assert b" 401 " in first_answer(narrow, head(narrow, "X-StorageApi-Token: nonsense", "Content-Length: 1500"))


def test_nobody_learns_what_is_wrong_with_a_body_without_a_token(narrow: ServicesOnly) -> None:
    response = narrow.service("storage", token="").send(
        "POST", CONFIGS, b"no json", {"Content-Type": "application/json"}
    )

    assert (response.status, response.json["error"]) == (401, "Access token must be set")


def test_a_body_that_is_far_too_large_is_not_read_to_its_end(narrow: ServicesOnly) -> None:
    announced = LIMIT * 1000
    request = head(narrow, token_line(narrow), f"Content-Length: {announced}")

    assert b" 413 " in first_answer(narrow, request + b"x" * LIMIT * (DRAINED + 1))


@pytest.mark.parametrize(("size", "status"), [(LIMIT - 1, 201), (LIMIT, 201), (LIMIT + 1, 413)])
def test_a_body_may_be_as_large_as_the_limit(narrow: ServicesOnly, size: int, status: int) -> None:
    response = narrow.service("storage").send("POST", CONFIGS, body_of(size), {"Content-Type": "application/json"})

    assert response.status == status
    if status == 413:
        assert response.json["code"] == "requestTooLarge"
        assert f"{LIMIT:,} bytes" in response.json["error"]


@pytest.mark.parametrize(("size", "status"), [(LIMIT, 201), (LIMIT + 1, 413)])
def test_a_body_in_chunks_may_be_as_large_as_the_limit(narrow: ServicesOnly, size: int, status: int) -> None:
    body = body_of(size)
    chunks = b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in (body[:700], body[700:]))
    lines = (token_line(narrow), "Transfer-Encoding: chunked", "Connection: close")

    assert raw.ask(narrow.port, head(narrow, *lines) + chunks + b"0\r\n\r\n").status == status


def body_of(size: int) -> bytes:
    empty = b'{"name":""}'
    return empty[:-2] + b"x" * (size - len(empty)) + empty[-2:]


def test_a_row_says_who_may(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    limited = storage.post("/v2/storage/tokens", {"description": "may nothing"}).json["token"]

    for response in (
        shared.service("storage", limited).get("/v2/storage/tokens"),
        shared.service("storage", limited).delete("/v2/storage/tokens/1"),
        shared.service("queue", limited).post("/jobs", {"component": "ex-generic-v2", "config": "sample-orders"}),
    ):
        assert response.status == 403
        assert response.json["error"].startswith("You don't have access to the resource.")
    assert shared.service("storage", limited).get("/v2/storage/tokens").json["code"] == "accessDenied"
    assert shared.service("storage", limited).get("/v2/storage/tokens/verify").status == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v2/storage/nothing"),
        ("GET", "/v2/storage//tokens"),
        ("GET", "/v2//storage"),
        ("GET", "/v2/storage//"),
        ("GET", "//"),
        ("GET", "/v2/storage/tokens//"),
        ("GET", "/v2/storage/./tokens"),
        ("GET", "/v2/storage/tokens;x=1"),
        ("GET", "/V2/STORAGE"),
        ("GET", "/health"),
        ("GET", "/docs"),
        ("GET", "/openapi.json"),
        ("POST", "/v2/storage/buckets/x/workspaces"),
    ],
)
def test_what_is_not_in_the_table_is_not_found(shared: ServicesOnly, method: str, path: str) -> None:
    response = shared.service("storage").send(method, path)

    assert (response.status, response.headers["content-type"]) == (404, "application/json")
    assert response.json["code"] == "notFound"
    assert "location" not in response.headers


@pytest.mark.parametrize(("method", "allowed"), [("PUT", "POST"), ("DELETE", "POST"), ("PATCH", "POST")])
def test_a_wrong_method_is_not_allowed(shared: ServicesOnly, method: str, allowed: str) -> None:
    response = shared.service("queue").send(method, "/jobs")

    assert (response.status, response.headers["content-type"]) == (405, "application/json")
    assert response.json["code"] == 405
    assert response.headers["allow"] == allowed


@pytest.mark.parametrize("path", ["/v2/storage", "/v2/storage/tokens/verify", "/v2/storage/buckets", CONFIGS])
def test_both_spellings_answer_and_nothing_redirects(shared: ServicesOnly, path: str) -> None:
    storage = shared.service("storage")

    assert storage.get(path).status == storage.get(f"{path}/").status == 200


@pytest.mark.parametrize(
    "path", ["/v2/storage", "/v2/storage/tokens/verify", "/v2/storage/nothing", "/v2/storage/tokens/0"]
)
def test_json_has_exactly_one_content_type(shared: ServicesOnly, path: str) -> None:
    assert shared.service("storage").get(path).headers["content-type"] == "application/json"


def test_a_token_may_be_named_in_any_case(shared: ServicesOnly) -> None:
    client = Http(f"http://127.0.0.1:{shared.port}/_svc/storage", headers={"X-StorageAPI-Token": shared.project.token})

    assert client.get("/v2/storage/tokens/verify").status == 200


def encoded(services: ServicesOnly, accept: str | None) -> Response:
    return services.service("sample").send("GET", "/customers", headers={"Accept-Encoding": accept} if accept else {})


def test_gzip_is_sent_to_who_offers_it(shared: ServicesOnly) -> None:
    response = encoded(shared, "gzip, br")

    assert response.headers["content-encoding"] == "gzip"
    assert len(json.loads(gzip.decompress(response.body))["customers"]) == 100


@pytest.mark.parametrize("accept", ["identity", "br", "deflate", ""])
def test_gzip_is_not_sent_to_who_does_not(shared: ServicesOnly, accept: str) -> None:
    response = encoded(shared, accept)

    assert "content-encoding" not in response.headers
    assert len(response.json["customers"]) == 100


@pytest.mark.parametrize("path", ["/v2/storage", "/v2/storage/tokens/verify", "/v2/storage/nothing"])
def test_pages_of_other_hosts_may_ask(shared: ServicesOnly, path: str) -> None:
    response = shared.service("storage").send("GET", path, headers={"Origin": "https://pages.example"})

    assert response.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in response.headers


def test_a_browser_may_send_the_token(shared: ServicesOnly) -> None:
    wish = {
        "Origin": "https://pages.example",
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "x-storageapi-token",
    }
    response = shared.service("storage", token="").send("OPTIONS", "/v2/storage/tokens/5", headers=wish)

    assert response.status == 200
    assert "DELETE" in response.headers["access-control-allow-methods"]
    assert "x-storageapi-token" in response.headers["access-control-allow-headers"].lower()


def test_answers_cannot_be_sniffed_or_framed(shared: ServicesOnly) -> None:
    response = shared.service("portal").get("/")

    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["x-frame-options"] == "DENY"


def test_a_token_in_the_address_opens_nothing(shared: ServicesOnly) -> None:
    client = shared.service("storage", token="")

    assert client.get(f"/v2/storage/tokens/verify?token={shared.project.token}").status == 401
    assert client.get(f"/v2/storage/tokens/verify?X-StorageApi-Token={shared.project.token}").status == 401


def test_an_empty_answer_has_no_body(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    made = storage.post("/v2/storage/tokens", {}).json["id"]
    response = storage.delete(f"/v2/storage/tokens/{made}")

    assert (response.status, response.body) == (204, b"")
    assert "content-type" not in response.headers


def test_a_form_is_as_good_as_json(shared: ServicesOnly) -> None:
    form = b"description=from+a+form&canManageBuckets=1&componentAccess[]=ex-generic-v2&expiresIn=60"
    response = shared.service("storage").send(
        "POST", "/v2/storage/tokens", form, {"Content-Type": "application/x-www-form-urlencoded"}
    )

    assert (response.status, response.json["description"]) == (201, "from a form")
    assert response.json["componentAccess"] == ["ex-generic-v2"]
