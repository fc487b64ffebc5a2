"""Workspaces of files: containers of the blob endpoint, filled by loads and by their connection strings."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation import clock
from penstock.foundation.blobs import BlobFolder
from penstock.services.storage.operations.files.files import remove_expired
from penstock.services.storage.operations.workspaces.folders import remove_expired_workspaces
from penstock.services.storage.store.blobs import list_contents
from tests.support.examples import examples
from tests.support.files import Container, upload, upload_slices
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.storage.blobs.responses import code_of
from tests.unit.services.storage.loading import fail, run, storage, succeed
from tests.unit.services.storage.tokens.making import make as make_token
from tests.unit.services.storage.workspaces.test_workspaces import make, make_config


def open_container(connection: dict[str, Any]) -> Container:
    endpoint, _, signature = connection["connectionString"].partition(";SharedAccessSignature=")
    return Container(endpoint.removeprefix("BlobEndpoint="), connection["container"], signature)


def make_files(http: Http, **fields: Any) -> tuple[str, Container]:
    """The path of a new workspace of files, and what its connection string opens."""
    made = make(http, backend="abs", **fields)
    return f"/workspaces/{made['id']}", open_container(made["connection"])


def add_file(services: ServicesOnly, content: bytes, **fields: Any) -> int:
    return upload(services.service("storage"), content, **fields)["id"]


def load(http: Http, path: str, *inputs: dict[str, Any], **fields: Any) -> Any:
    return succeed(http, http.post(f"{path}/load", {"input": list(inputs), **fields}))


def contents_of(services: ServicesOnly, path: str) -> int:
    number = int(path.split("/")[2])
    folder = BlobFolder(services.stack.files_folder)
    return len(list((folder.root / "stored" / str(number)).glob("*")))


def test_it_is_shown_with_its_container_and_once_with_its_connection_string(services_on_each: ServicesOnly) -> None:
    http = storage(services_on_each)
    made = make(http, backend="ABS")
    connection = made["connection"]
    string = connection.pop("connectionString")

    assert (made["type"], connection["backend"], connection["loginType"]) == ("file", "abs", "default")
    assert connection["container"] == f"workspace-{services_on_each.project.token.split('-')[0]}-{made['id']}"
    assert connection["schema"] == made["name"] == f"WORKSPACE_{made['id']}"
    assert string.startswith("BlobEndpoint=http")
    assert ".blob.core.windows.net;SharedAccessSignature=sv=" in string
    assert http.get(f"/workspaces/{made['id']}").json == made
    assert http.get("/workspaces").json == [made]
    job = run(http, http.post("/workspaces?async=1", {"backend": "abs"}))
    assert "connectionString" not in job["results"]["connection"]


def test_files_go_in_and_are_read_by_the_connection_string(services_on_each: ServicesOnly) -> None:
    http = storage(services_on_each)
    path, place = make_files(http)
    one, two = add_file(services_on_each, b"one"), add_file(services_on_each, b"two")

    form = f"input[0][dataFileId]={one}&input[0][destination]=in/files/a.csv&preserve=1".encode()
    job = http.send("POST", f"{path}/load", form, {"Content-Type": "application/x-www-form-urlencoded"})
    assert succeed(http, job) == {"workspaceId": int(path.split("/")[2]), "files": 1}
    load(http, path, {"dataFileId": str(two), "destination": "/in/files/b.csv/"}, preserve=True)

    assert place.get(f"in/files/a.csv/{one}").body == b"one"
    assert place.get(f"in/files/b.csv/{two}").body == b"two"
    assert place.put("out/result.csv", b"mine").status == 201
    assert place.get("out/result.csv").body == b"mine"
    assert "storage.workspaceLoaded" in [each["event"] for each in http.get("/events").json]
    assert http.delete(f"/files/{one}").status == 204
    assert place.get(f"in/files/a.csv/{one}").body == b"one"


def test_without_preserve_it_is_emptied_first_and_a_file_that_is_there_is_replaced(shared: ServicesOnly) -> None:
    http, (path, place) = storage(shared), make_files(storage(shared))
    file_id = add_file(shared, b"new")
    place.put("mine", b"1")
    place.put(f"in/{file_id}", b"old")

    load(http, path, {"dataFileId": file_id, "destination": "in"}, preserve=True)
    assert (place.get("mine").body, place.get(f"in/{file_id}").body) == (b"1", b"new")
    load(http, path, {"dataFileId": file_id, "destination": "in"})
    assert (place.get("mine").status, place.get(f"in/{file_id}").body) == (404, b"new")
    assert contents_of(shared, path) == 1


def test_slices_are_numbered_below_the_name_of_their_file(shared: ServicesOnly) -> None:
    http, (path, place) = storage(shared), make_files(storage(shared))
    file = upload_slices(shared.service("storage"), {"_b": b"1", "_a": b"2"})

    load(http, path, {"dataFileId": file["id"], "destination": "in"})
    assert [place.get(f"in/{file['id']}/0000{number}").body for number in (0, 1)] == [b"1", b"2"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"dataFileId": None, "source": "in.c-main.t"}, "workspace.loadRequestBadInputType"),
        ({"source": "in.c-main.t"}, "workspace.loadRequestBadInputType"),
        ({"dataFileId": None}, "workspace.loadRequestBadInputType"),
        ({"dataFileId": 999_999_999}, "storage.files.notFound"),
        ({"dataFileId": "../1"}, "storage.files.notFound"),
        ({"destination": ""}, "workspace.loadRequestLogicalException"),
        ({"destination": "/"}, "workspace.loadRequestLogicalException"),
        ({"destination": "a\0b"}, "workspace.loadRequestLogicalException"),
        ({"destination": "a" * 901}, "workspace.loadRequestLogicalException"),
        ({"destination": "../../other"}, "workspace.loadRequestLogicalException"),
        ({"destination": "a/./b"}, "workspace.loadRequestLogicalException"),
        ({"destination": "a//b"}, "workspace.loadRequestLogicalException"),
    ],
)
def test_a_load_that_cannot_be_is_refused_at_once(shared: ServicesOnly, change: dict[str, Any], code: str) -> None:
    http, (path, place) = storage(shared), make_files(storage(shared))
    place.put("mine", b"1")
    one = {"dataFileId": add_file(shared, b"1"), "destination": "in", **change}
    response = http.post(f"{path}/load", {"input": [one]})

    assert (response.status, response.json["code"]) == (404 if "notFound" in code else 400, code), response.text
    assert place.get("mine").body == b"1"


def test_a_file_twice_in_one_folder_and_one_without_bytes_are_refused(shared: ServicesOnly) -> None:
    http, (path, _) = storage(shared), make_files(storage(shared))
    one = {"dataFileId": add_file(shared, b"1"), "destination": "in"}
    response = http.post(f"{path}/load", {"input": [one, {**one, "destination": "in/"}]})
    assert (response.status, response.json["code"]) == (400, "workspace.duplicateDestination")

    empty = http.post("/files/prepare", {"name": "x", "federationToken": True}).json["id"]
    code, message = fail(http, http.post(f"{path}/load", {"input": [{"dataFileId": empty, "destination": "in"}]}))
    assert (code, "nothing was uploaded" in message) == ("storage.fileNotUploaded", True)


@pytest.mark.parametrize(
    ("method", "suffix", "body"),
    [
        ("POST", "/query", {"query": "select 1"}),
        ("POST", "/load-clone", {"input": [{"source": "in.c-main.t", "destination": "t"}]}),
        ("POST", "/input-mapping-load", {"input": [{"source": "in.c-main.t", "destination": "t"}]}),
        ("POST", "/unload", {}),
        ("POST", "/table-export", {"tableName": "t"}),
        ("GET", "/objects", None),
        ("POST", "/objects/batch-delete", {"objects": ["t"]}),
        ("POST", "/public-key", {"publicKey": "x"}),
        ("POST", "/credentials", {}),
        ("GET", "/credentials/1", None),
    ],
)
def test_it_has_no_sql(shared: ServicesOnly, method: str, suffix: str, body: dict[str, Any] | None) -> None:
    http, (path, _) = storage(shared), make_files(storage(shared))
    response = http.post(f"{path}{suffix}", body) if method == "POST" else http.get(f"{path}{suffix}")

    assert response.status == 400, response.text
    assert "is one of files" in response.json["error"] or "publicKey" in response.json["error"]
    assert not (shared.stack.folder / "workspaces" / path.split("/")[2]).exists()


def test_no_table_is_made_of_it_and_no_query_runs_in_it(shared: ServicesOnly) -> None:
    http, (path, _) = storage(shared), make_files(storage(shared))
    number, branch = path.split("/")[2], http.get("/dev-branches").json[0]["id"]
    http.post("/buckets", {"name": "files", "stage": "in"})
    table = {"name": "t", "dataWorkspaceId": number, "dataTableName": "t"}
    response = http.post("/buckets/in.c-files/tables-async", table)
    assert (response.status, response.json["code"]) == (400, "workspace.notSupportedForFileWorkspace")

    query = shared.service("query")
    path = f"/api/v1/branches/{branch}/workspaces/{number}/queries"
    assert query.post(path, {"statements": ["select 1"]}).status == 400


def test_a_table_workspace_takes_no_files_and_has_no_container(shared: ServicesOnly) -> None:
    http, (_, place) = storage(shared), make_files(storage(shared))
    made = make(http)
    one = {"dataFileId": add_file(shared, b"1"), "destination": "in"}

    response = http.post(f"/workspaces/{made['id']}/load", {"input": [one]})
    assert (response.status, response.json["code"]) == (400, "workspace.loadRequestBadInputType")
    container = f"workspace-{shared.project.token.split('-')[0]}-{made['id']}"
    assert Container(place.endpoint, container, place.signature).get("b").status == 403


def test_a_connection_string_opens_its_own_workspace_only(shared: ServicesOnly) -> None:
    other = add_project(shared)
    _, mine = make_files(storage(shared))
    _, neighbour = make_files(storage(shared))
    _, theirs = make_files(storage(shared, other))
    file = upload(shared.service("storage"), b"file")
    for place in (mine, neighbour, theirs):
        assert place.put("b", b"1").status == 201

    for victim in (neighbour, theirs, Container(mine.endpoint, file["absUploadParams"]["container"], "")):
        crossed = Container(mine.endpoint, victim.name, mine.signature)
        for response in (crossed.get("b"), crossed.put("b", b"2"), crossed.put_block("b", "MQ==", b"2")):
            assert (response.status, code_of(response)) == (403, "AuthenticationFailed")
    assert neighbour.get("b").body == theirs.get("b").body == b"1"


@pytest.mark.parametrize("name", ["..", "../b", "%2e%2e/b", "..%2fb", "a/../../b", "/etc/passwd", "\\..\\b", "b/", "č"])
def test_a_name_that_looks_like_a_path_stays_a_name_in_its_container(shared: ServicesOnly, name: str) -> None:
    path, mine = make_files(storage(shared))
    _, other = make_files(storage(shared))
    other.put("b", b"theirs")

    assert mine.put(name, b"mine").status == 201
    assert mine.get(name).body == b"mine"
    assert other.get("b").body == b"theirs"
    assert other.get(name).status == 404
    assert contents_of(shared, path) == 1


@given(st.text(min_size=1, max_size=50))
@examples(20)
def test_any_destination_is_loaded_to_or_refused(shared: ServicesOnly, destination: str) -> None:
    http = storage(shared)
    path, place = make_files(http)
    file_id = add_file(shared, b"1")
    response = http.post(f"{path}/load", {"input": [{"dataFileId": file_id, "destination": destination}]})

    assert response.status in (202, 400), response.text
    if response.status == 202:
        succeed(http, response)
        assert place.get(f"{destination.strip('/')}/{file_id}").body == b"1"


def test_a_new_connection_string_ends_those_before_it(shared: ServicesOnly) -> None:
    http, (path, old) = storage(shared), make_files(storage(shared))
    old.put("b", b"1")
    response = http.post(f"{path}/password")

    assert (response.status, list(response.json)) == (201, ["connectionString"])
    new = open_container({**response.json, "container": old.name})
    assert (old.get("b").status, new.get("b").body) == (403, b"1")


def test_a_connection_string_ends_after_thirty_days_and_with_its_token(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = make_token(shared, canManageBuckets=True)
    made = shared.service("storage", token["token"]).post("/v2/storage/workspaces", {"backend": "abs"}).json
    place, now = open_container(made["connection"]), clock.now()
    place.put("b", b"1")
    with monkeypatch.context() as patch:
        patch.setattr(clock, "source", lambda: now + timedelta(days=29, hours=23))
        assert place.get("b").status == 200
        patch.setattr(clock, "source", lambda: now + timedelta(days=30, seconds=1))
        assert code_of(place.get("b")) == "AuthenticationFailed"
    assert place.get("b").status == 200
    assert storage(shared).delete(f"/tokens/{token['id']}").status == 204
    assert code_of(place.get("b")) == "AuthenticationFailed"


def test_a_reader_gets_a_string_that_reads(shared: ServicesOnly) -> None:
    http = storage(shared)
    path, place = make_files(http, useCase="reader")
    file_id = add_file(shared, b"1")
    load(http, path, {"dataFileId": file_id, "destination": "in"})

    assert place.get(f"in/{file_id}").body == b"1"
    assert code_of(place.put("b", b"1")) == "AuthorizationPermissionMismatch"


def test_a_token_loads_only_files_that_it_may_read(shared: ServicesOnly) -> None:
    client = shared.service("storage", make_token(shared, canManageBuckets=True)["token"])
    made = client.post("/v2/storage/workspaces", {"backend": "abs"}).json
    one = {"dataFileId": add_file(shared, b"secret"), "destination": "in"}
    response = client.post(f"/v2/storage/workspaces/{made['id']}/load", {"input": [one]})

    assert (response.status, response.json["code"]) == (404, "storage.files.notFound")


@pytest.mark.parametrize("of_configuration", [False, True])
def test_it_is_deleted_with_its_blobs(shared: ServicesOnly, *, of_configuration: bool) -> None:
    http = storage(shared)
    config = make_config(http, f"files{of_configuration}")
    made = http.post(f"{config if of_configuration else ''}/workspaces", {"backend": "abs"}).json
    path, place = f"/workspaces/{made['id']}", open_container(made["connection"])
    place.put("b", b"1")
    assert contents_of(shared, path) == 1

    remove_expired(shared.stack)
    assert place.get("b").body == b"1"
    assert http.delete(config if of_configuration else path).status == 204
    remove_expired(shared.stack)
    assert place.get("b").status == 403
    assert contents_of(shared, path) == 0
    with shared.stack.database.reading() as tx:
        assert not list_contents(tx, int(shared.project.token.split("-")[0]), made["id"])


def test_one_that_nobody_used_expires_and_reading_is_a_use(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    http, stack = storage(shared), shared.stack.with_settings(sql_workspace_days=7)
    (empty, _), (idle, left), (used, place) = make_files(http), make_files(http), make_files(http)
    left.put("b", b"1")
    place.put("b", b"1")
    now = clock.now()
    monkeypatch.setattr(clock, "source", lambda: now + timedelta(days=8))
    assert place.get("b").body == b"1"

    remove_expired_workspaces(stack)
    assert [http.get(path).status for path in (empty, idle, used)] == [404, 404, 200]
    assert (contents_of(shared, idle), contents_of(shared, used)) == (0, 1)
