"""Who asks is remembered, and never for longer than it is so: not even when another process changes it."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Generator
from typing import IO, Any

import pytest

from tests.support.http import Http, Response
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import load_table

TOKENS, VERIFY = "/v2/storage/tokens", "/v2/storage/tokens/verify"

OTHER_PROCESS = """
import sys
from pathlib import Path
from penstock.foundation.database import Database
from penstock.services.storage.operations import tokens
from penstock.services.storage.store import branches, tokens as store

database = Database(Path(sys.argv[1]))
for line in sys.stdin:
    word, project_id, token_id = line.split()
    with database.writing() as tx:
        row = store.find_token(tx, int(project_id), int(token_id))
        if word == "revoke":
            store.remove_token(tx, row.project_id, row.id)
        else:
            import msgspec
            store.change_token(tx, msgspec.structs.replace(row, description=word))
    print("done", flush=True)
"""


class Other:
    """Another process, which changes tokens of the same stack."""

    def __init__(self, services: ServicesOnly) -> None:
        path = services.stack.database.place
        self.process = subprocess.Popen(
            [sys.executable, "-c", OTHER_PROCESS, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._project = services.project.id

    def do(self, word: str, token_id: str) -> None:
        """Comes back when it has committed."""
        pipe_in, pipe_out = self._pipes()
        pipe_in.write(f"{word} {self._project} {token_id}\n")
        pipe_in.flush()
        assert pipe_out.readline() == "done\n"

    def end(self) -> None:
        self._pipes()[0].close()
        self.process.wait(PATIENCE)

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self.process.stdin
        assert self.process.stdout
        return self.process.stdin, self.process.stdout


@pytest.fixture(scope="module")
def other(shared: ServicesOnly) -> Generator[Other]:
    process = Other(shared)
    yield process
    process.end()


def make(services: ServicesOnly, **wanted: Any) -> dict[str, Any]:
    return services.service("storage").post(TOKENS, wanted).json


def verify(services: ServicesOnly, token: str) -> Response:
    return services.service("storage", token).get(VERIFY)


def test_a_token_that_another_process_revokes_ends_with_its_commit(shared: ServicesOnly, other: Other) -> None:
    for _ in range(20):
        made = make(shared)
        assert [verify(shared, made["token"]).status for _ in range(3)] == [200] * 3
        other.do("revoke", made["id"])
        assert verify(shared, made["token"]).status == 401


def test_a_change_by_another_process_is_seen_with_its_commit(shared: ServicesOnly, other: Other) -> None:
    made = make(shared)
    for number in range(20):
        other.do(f"name-{number}", made["id"])
        assert verify(shared, made["token"]).json["description"] == f"name-{number}"


def test_no_request_that_begins_after_a_revocation_gets_in(shared: ServicesOnly, other: Other) -> None:
    """While others ask all the time, so that something is always remembered and always being read."""
    for _ in range(5):
        made = make(shared)
        responses, is_over = list[tuple[float, int]](), threading.Event()
        threads = [threading.Thread(target=keep_asking, args=(shared, made, responses, is_over)) for _ in range(4)]
        for thread in threads:
            thread.start()
        wait_until(responses, 0.0)
        other.do("revoke", made["id"])
        revoked = time.monotonic()
        wait_until(responses, revoked)
        is_over.set()
        for thread in threads:
            thread.join()

        assert {status for begun, status in responses if begun > revoked} == {401}
        assert responses[0][1] == 200


def keep_asking(
    services: ServicesOnly, made: dict[str, Any], responses: list[tuple[float, int]], is_over: threading.Event
) -> None:
    while not is_over.is_set():
        begun = time.monotonic()
        responses.append((begun, verify(services, made["token"]).status))


def wait_until(responses: list[tuple[float, int]], moment: float) -> None:
    """Until some requests that began later were answered."""
    wait_for(lambda: sum(begun > moment for begun, _ in responses) >= 10)


def test_a_right_that_is_taken_away_is_gone_on_every_route(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    made = make(services, bucketPermissions={"in.c-main": "read"})
    limited = services.service("storage", made["token"])
    assert [limited.get("/v2/storage/tables/in.c-main.users").status for _ in range(3)] == [200] * 3

    services.service("storage").put(f"{TOKENS}/{made['id']}", {"bucketPermissions": {}})
    assert limited.get("/v2/storage/tables/in.c-main.users").status == 403


def test_what_is_remembered_shows_what_else_has_changed(services: ServicesOnly) -> None:
    assert verify(services, services.project.token).json["bucketPermissions"] == {}

    load_table(services, "in.c-main.users", "id\n1\n")
    assert verify(services, services.project.token).json["bucketPermissions"] == {"in.c-main": "manage"}


def test_one_token_never_gets_the_answer_of_another(shared: ServicesOnly) -> None:
    tokens = [make(shared, description=f"number {number}")["token"] for number in range(5)]

    for _ in range(3):
        shown = [verify(shared, token).json for token in tokens]
        assert [each["token"] for each in shown] == tokens
        assert [each["description"] for each in shown] == [f"number {number}" for number in range(5)]


def test_what_is_remembered_is_told_in_the_form_in_which_each_asks(shared: ServicesOnly) -> None:
    by_path = verify(shared, shared.project.token).json
    host = f"connection.{shared.settings.domain}"
    for _ in range(2):
        by_host = shared.by_host(host, shared.project.token).get(VERIFY).json
        assert by_host["uri"].startswith(f"http://{host}/")
        assert by_path["uri"].startswith(f"http://127.0.0.1:{shared.port}/_svc/storage/")
        by_path = verify(shared, shared.project.token).json


def test_an_unknown_branch_is_not_answered_from_memory(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    assert storage.get("/v2/storage/branch/default/tokens/verify").status == 200

    for _ in range(2):
        assert storage.get("/v2/storage/branch/999999/tokens/verify").status == 404


@pytest.mark.parametrize("header", ["Bearer ", "bearer", " ", ""])
def test_an_empty_authorization_is_a_missing_token(shared: ServicesOnly, header: str) -> None:
    response = verify_by(shared, Authorization=header)

    assert (response.status, response.json["error"]) == (401, "Access token must be set")
    assert verify_by(shared, Authorization=header, token=shared.project.token).status == 200


@pytest.mark.parametrize("service", ["storage", "queue", "vault", "scheduler", "query"])
@pytest.mark.parametrize(
    "header", ["Bearer 1-2-secret", "Bearer eyJhbGciOiJub25lIn0.e30.", "1-2-secret", "nonsense", "Basic YTpi"]
)
def test_an_unknown_authorization_is_an_invalid_token(shared: ServicesOnly, service: str, header: str) -> None:
    paths = {"storage": VERIFY, "queue": "/jobs", "vault": "/variables", "scheduler": "/schedules"}
    path = paths.get(service, "/api/v1/queries/1")
    response = Http(shared.service(service).base).send("GET", path, headers={"Authorization": header})

    assert response.status == 401
    assert "Invalid access token" in response.text


@pytest.mark.parametrize("form", ["{}", "Bearer {}", "bearer  {}", " {} "])
def test_a_storage_token_may_be_the_authorization(shared: ServicesOnly, form: str) -> None:
    response = verify_by(shared, Authorization=form.format(shared.project.token))

    assert (response.status, response.json["token"]) == (200, shared.project.token)


def test_the_authorization_decides_unless_it_is_of_another_scheme(shared: ServicesOnly) -> None:
    token, other = shared.project.token, make(shared, description="other")["token"]

    for form in ("{}", "Bearer {}"):
        assert verify_by(shared, Authorization=form.format(other), token=token).json["description"] == "other"
        assert verify_by(shared, Authorization=form.format("1-2-secret"), token=token).status == 401
    assert verify_by(shared, Authorization="Basic YTpi", token=token).json["token"] == token


def verify_by(services: ServicesOnly, token: str = "", **headers: str) -> Response:
    return Http(services.service("storage").base, token).send("GET", VERIFY, headers=headers)


def test_a_page_of_another_origin_may_send_the_project(shared: ServicesOnly) -> None:
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "GET"}
    asked["Access-Control-Request-Headers"] = "authorization,x-kbc-projectid"
    response = shared.service("storage").send("OPTIONS", VERIFY, headers=asked)

    assert (response.status, response.headers["access-control-allow-headers"]) == (200, "authorization,x-kbc-projectid")
