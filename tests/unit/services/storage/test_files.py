"""Files: prepared, found, tagged, read and removed."""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.foundation import clock
from penstock.foundation.errors import AppError
from penstock.services.storage.models.files import FileSource
from penstock.services.storage.operations.files import files as operations
from tests.support.files import PREPARE, Container, prepare, to_read, to_write, upload, upload_slices
from tests.support.http import Answer, Http
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project, first_project

FILES = "/v2/storage/files"


@pytest.fixture(scope="module")
def storage(shared: ServicesOnly) -> Http:
    return shared.service("storage")


def token(services: ServicesOnly, **rights: Any) -> Http:
    made = services.service("storage").post("/v2/storage/tokens", rights).json
    return services.service("storage", made["token"])


def listed(storage: Http, **query: Any) -> list[int]:
    answer = storage.get(f"{FILES}?{urlencode(query, doseq=True)}")
    assert answer.status == 200, answer.text
    return [file["id"] for file in answer.json]


def on_disk(services: ServicesOnly) -> list[Path]:
    return [path for path in services.stack.files_folder.rglob("*") if path.is_file() and path.suffix != ".lock"]


def test_a_prepared_file_is_what_clients_read(storage: Http, shared: ServicesOnly) -> None:
    file = prepare(storage, "report.csv", sizeBytes=6, tags=["a", "b", "a"])

    assert isinstance(file["id"], int)
    assert (file["name"], file["fileType"], file["sizeBytes"], file["tags"]) == ("report.csv", "csv", 6, ["a", "b"])
    assert (file["isPublic"], file["isSliced"], file["isEncrypted"]) == (False, False, True)
    assert (file["provider"], file["maxAgeDays"], file["runId"], file["runIds"]) == ("azure", 15, None, [])
    assert "region" in file
    assert file["creatorToken"] == {
        "id": int(shared.project.token.split("-")[1]),
        "description": "admin@penstock.localhost",
    }
    assert datetime.strptime(file["created"], "%Y-%m-%dT%H:%M:%S%z")
    assert "credentials" not in file
    assert "absCredentials" not in file


def test_the_place_to_upload_to_is_written_as_every_client_takes_it_apart(storage: Http, shared: ServicesOnly) -> None:
    params = prepare(storage)["absUploadParams"]
    connection = dict(part.split("=", 1) for part in params["absCredentials"]["SASConnectionString"].split(";"))
    endpoint = connection["BlobEndpoint"]

    assert endpoint == f"http://127.0.0.1:{shared.port}/_svc/storage/penstock.blob.core.windows.net"
    assert endpoint == f"http://{params['accountName']}.blob.core.windows.net"
    assert set(connection) == {"BlobEndpoint", "SharedAccessSignature"}
    assert not connection["SharedAccessSignature"].startswith("?")
    assert "sp=rw&" in connection["SharedAccessSignature"]
    assert params["blobName"] == "data.csv"
    assert set(params["container"]) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    expiration = datetime.strptime(params["absCredentials"]["expiration"], "%Y-%m-%dT%H:%M:%S%z")
    assert expiration - clock.now() > timedelta(hours=12)


def test_by_host_name_the_endpoint_is_below_that_host(shared: ServicesOnly) -> None:
    by_host = shared.by_host("connection.penstock.localhost", shared.project.token)
    params = prepare(by_host)["absUploadParams"]

    assert params["accountName"] == "connection.penstock.localhost/penstock"
    assert params["absCredentials"]["SASConnectionString"].startswith(
        "BlobEndpoint=http://connection.penstock.localhost/penstock.blob.core.windows.net;"
    )


def test_a_form_is_understood_like_json(storage: Http) -> None:
    flags = "isPublic=0&isPermanent=1&isEncrypted=1&isSliced=1&notify=0&federationToken=1"
    form = f"{flags}&name=x.csv&tags%5B%5D=a&tags%5B%5D=b&sizeBytes=6"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    file = storage.send("POST", PREPARE, form.encode(), headers).json

    assert (file["tags"], file["sizeBytes"], file["isSliced"], file["maxAgeDays"]) == (["a", "b"], 6, True, None)


def test_null_and_nothing_mean_not_given(storage: Http) -> None:
    file = prepare(storage, tags=None, sizeBytes=None, isSliced=None, contentType="text/csv", unknown=1)

    assert (file["tags"], file["sizeBytes"], file["isSliced"]) == ([], None, False)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"federationToken": True}, "name"),
        ({"name": "", "federationToken": True}, "name"),
        ({"name": "x" * 1001, "federationToken": True}, "name"),
        ({"name": "x"}, "federationToken"),
        ({"name": "x", "federationToken": 0}, "federationToken"),
        ({"name": "x", "federationToken": True, "sizeBytes": -1}, "sizeBytes"),
        ({"name": "x", "federationToken": True, "sizeBytes": "many"}, "sizeBytes"),
        ({"name": "x", "federationToken": True, "tags": [""]}, "tags"),
        ({"name": "x", "federationToken": True, "tags": ["t"] * 501}, "tags"),
        ({"name": "x", "federationToken": True, "tags": {"a": 1}}, "tags"),
    ],
)
def test_what_is_wrong_is_named(storage: Http, fields: dict[str, Any], sentence: str) -> None:
    answer = storage.post(PREPARE, fields)

    assert answer.status == 400
    assert sentence in answer.json["error"]


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("file name", "file_name"),
        ("Příliš žluťoučký.csv.gz", "Prilis_zlutoucky.csv.gz"),
        ("データ.csv", "_.csv"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..", "file"),
        ("a\x00b\n", "a_b_"),
        ("x" * 300 + ".csv.gz", "x" * 193 + ".csv.gz"),
    ],
)
def test_a_name_is_made_fit_for_every_place_and_keeps_its_end(storage: Http, name: str, cleaned: str) -> None:
    assert prepare(storage, name)["name"] == cleaned


@given(name=st.text(min_size=1, max_size=60))
@settings(max_examples=50)
def test_any_name_becomes_a_name(storage: Http, name: str) -> None:
    cleaned = prepare(storage, name)["name"]

    assert cleaned == Path(cleaned).name
    assert cleaned not in (".", "..")
    assert cleaned.isascii()
    assert cleaned.isprintable()


def test_a_file_can_be_read_again_with_credentials_and_without(storage: Http) -> None:
    file = upload(storage, b"123456", "x.csv")
    plain, with_credentials = (storage.get(f"{FILES}/{file['id']}{query}").json for query in ("", "?federationToken=1"))

    assert not {"absCredentials", "absPath", "credentials"} & set(plain)
    assert with_credentials["absPath"] == {"container": to_write(file).name, "name": "x.csv"}
    assert "sp=r&" in with_credentials["absCredentials"]["SASConnectionString"]
    assert to_read(storage, file["id"]).get("x.csv").body == b"123456"
    assert plain["sizeBytes"] == 6


def test_the_url_of_a_file_is_its_content_or_its_manifest(storage: Http) -> None:
    plain = upload(storage, b"content")
    sliced = upload_slices(storage, {"1": b"a", "2": b"bc"})
    urls = [storage.get(f"{FILES}/{file['id']}").json["url"] for file in (plain, sliced)]

    assert fetch(urls[0]).body == b"content"
    assert len(fetch(urls[1]).json["entries"]) == 2


def fetch(url: str) -> Answer:
    base, _, query = url.partition("?")
    return Http(base).get(f"?{query}")


def test_the_size_is_that_of_what_came(storage: Http) -> None:
    plain = upload(storage, b"1234567", sizeBytes=3)
    sliced = upload_slices(storage, {"1": b"a", "2": b"bc"}, sizeBytes=100)

    assert [storage.get(f"{FILES}/{file['id']}").json["sizeBytes"] for file in (plain, sliced)] == [7, 3]


@pytest.mark.parametrize("file_id", ["1", "0", "foo", "-1", "9" * 30, "1.5", "%00"])
def test_an_unknown_file_is_not_found(storage: Http, file_id: str) -> None:
    answers = [storage.get(f"{FILES}/{file_id}"), storage.delete(f"{FILES}/{file_id}")]
    answers += [storage.post(f"{FILES}/{file_id}/tags", {"tag": "x"}), storage.delete(f"{FILES}/{file_id}/tags/x")]

    for answer in answers:
        assert (answer.status, answer.json["error"]) == (404, "File not found.")
        assert answer.json["code"] == "storage.files.notFound"


def test_a_file_of_another_project_is_absent(services: ServicesOnly) -> None:
    file = upload(services.service("storage"), b"1", tags=["t"])
    stranger = services.service("storage", add_project(services).token)

    assert listed(stranger) == listed(stranger, q='tags:"t"') == listed(stranger, **{"tags[]": "t"}) == []
    assert stranger.get(f"{FILES}/{file['id']}").status == 404
    assert stranger.delete(f"{FILES}/{file['id']}").status == 404
    assert stranger.delete(f"{FILES}/{file['id']}?async=1").status == 404
    assert stranger.post(f"{FILES}/{file['id']}/tags", {"tag": "mine"}).status == 404
    assert services.service("storage").get(f"{FILES}/{file['id']}").json["tags"] == ["t"]


def test_a_token_sees_its_own_files_unless_it_may_read_all(services: ServicesOnly) -> None:
    admin, limited = services.service("storage"), token(services)
    theirs, mine = prepare(admin)["id"], prepare(limited)["id"]

    assert listed(limited) == [mine]
    assert limited.get(f"{FILES}/{theirs}").status == 404
    assert limited.get(f"{FILES}/{mine}").status == 200
    assert listed(admin) == [mine, theirs]
    assert admin.delete(f"{FILES}/{mine}").status == 204


def test_who_may_read_all_files_may_not_change_those_of_others(services: ServicesOnly) -> None:
    file = prepare(services.service("storage"))["id"]
    reader = token(services, canReadAllFileUploads=True)

    assert listed(reader) == [file]
    refused = [reader.delete(f"{FILES}/{file}"), reader.post(f"{FILES}/{file}/tags", {"tag": "x"})]
    assert {(answer.status, answer.json["code"]) for answer in refused} == {(403, "accessDenied")}


def test_a_list_is_newest_first_and_can_be_walked(services: ServicesOnly) -> None:
    storage = services.service("storage")
    ids = [prepare(storage)["id"] for _ in range(5)][::-1]

    assert listed(storage) == ids
    assert listed(storage, limit=2, offset=1) == ids[1:3]
    assert listed(storage, sinceId=ids[2]) == ids[:2]
    assert listed(storage, maxId=ids[2]) == ids[3:]
    assert listed(storage, limit=0) == []
    assert storage.get(f"{FILES}?limit=x").status == 400


def test_files_are_found_by_any_of_their_tags(services: ServicesOnly) -> None:
    storage = services.service("storage")
    one, two, both = (prepare(storage, tags=tags)["id"] for tags in (["a"], ["b"], ["a", "b"]))

    assert listed(storage, **{"tags[]": ["a", "b"]}) == [both, two, one]
    assert listed(storage, **{"tags[0]": "a"}) == listed(storage, tags="a") == [both, one]
    assert listed(storage, q='tags:"a" AND tags:"b"') == [both]
    assert listed(storage, q='tags:"a" AND NOT tags:"b"') == [one]
    assert listed(storage, **{"tags[]": "A"}) == []


def test_files_are_found_by_the_run_they_belong_to(services: ServicesOnly) -> None:
    storage = services.service("storage")
    ids = {run: _in_run(storage, run) for run in ("7", "7.8", "78")}

    assert listed(storage, runId="7") == [ids["7.8"], ids["7"]]
    assert listed(storage, runId="78") == [ids["78"]]


def _in_run(storage: Http, run_id: str) -> int:
    headers = {"Content-Type": "application/json", "X-KBC-RunId": run_id}
    file = storage.send("POST", PREPARE, b'{"name": "x", "federationToken": 1}', headers).json
    assert (file["runId"], file["runIds"]) == (run_id, [run_id])
    return file["id"]


def test_tags_are_added_and_removed(storage: Http) -> None:
    file = prepare(storage, tags=["a"])["id"]
    for tag in ("b/c", "b/c", "with space"):
        assert storage.post(f"{FILES}/{file}/tags", {"tag": tag}).status == 204
    assert storage.get(f"{FILES}/{file}").json["tags"] == ["a", "b/c", "with space"]
    assert listed(storage, **{"tags[]": "b/c"}) == [file]

    for tag in ("a", "b/c", "nope"):
        assert storage.delete(f"{FILES}/{file}/tags/{quote(tag, safe='')}").status == 204
    assert storage.get(f"{FILES}/{file}").json["tags"] == ["with space"]
    assert listed(storage, **{"tags[]": "b/c"}) == []
    assert storage.post(f"{FILES}/{file}/tags", {}).status == 400


def test_in_a_branch_the_same_files_are_there(storage: Http) -> None:
    file = storage.post("/v2/storage/branch/default/files/prepare", {"name": "x", "federationToken": 1}).json["id"]

    assert storage.get(f"/v2/storage/branch/default/files/{file}").status == 200
    assert storage.get("/v2/storage/branch/999999999/files").status == 404


@pytest.mark.parametrize("query", ["", "?async=1", "?async=true"])
def test_a_deleted_file_is_gone_with_its_bytes(services: ServicesOnly, query: str) -> None:
    storage = services.service("storage")
    file = upload_slices(storage, {"1": b"a", "2": b"b"}, tags=["t"])
    to_write(file).put_block("x", "1", b"staged")
    url = storage.get(f"{FILES}/{file['id']}").json["url"]
    answer = storage.delete(f"{FILES}/{file['id']}{query}")

    assert answer.status == (202 if query else 204)
    if query:
        job = answer.json
        assert (job["operationName"], job["operationParams"]["fileId"]) == ("fileDelete", file["id"])
        wait_for(lambda: storage.get(f"/v2/storage/jobs/{job['id']}").json["status"] == "success")
    assert storage.get(f"{FILES}/{file['id']}").status == 404
    assert fetch(url).status == to_write(file).put("x", b"1").status == 404
    assert listed(storage, **{"tags[]": "t"}) == []
    assert on_disk(services) == []


def test_a_job_that_deletes_twice_deletes_once(services: ServicesOnly) -> None:
    file = upload(services.service("storage"), b"1")
    for _ in range(2):
        operations.remove_file(services.stack, services.project.id, file["id"])

    assert on_disk(services) == []


def test_a_file_expires_and_then_its_bytes_go(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    storage = services.service("storage")
    kept, gone = upload(storage, b"kept", isPermanent=True), upload(storage, b"gone", tags=["t"])
    now = clock.now()

    monkeypatch.setattr(clock, "source", lambda: now + timedelta(days=14, hours=23))
    operations.remove_expired(services.stack)
    assert listed(storage) == [gone["id"], kept["id"]]

    monkeypatch.setattr(clock, "source", lambda: now + timedelta(days=15, seconds=1))
    assert storage.get(f"{FILES}/{gone['id']}").status == storage.delete(f"{FILES}/{gone['id']}").status == 404
    assert listed(storage) == [kept["id"]]
    assert listed(storage, showExpired=1) == [gone["id"], kept["id"]]
    assert len(on_disk(services)) == 2

    operations.remove_expired(services.stack)
    assert [path.read_bytes() for path in on_disk(services)] == [b"kept"]
    assert listed(storage, showExpired="true") == [gone["id"], kept["id"]]

    monkeypatch.setattr(clock, "source", lambda: now + timedelta(days=46))
    operations.remove_expired(services.stack)
    assert listed(storage, showExpired="true") == [kept["id"]]
    assert to_read(storage, kept["id"]).get("data.csv").body == b"kept"


def test_what_nobody_can_reach_is_cleaned_away(services: ServicesOnly) -> None:
    storage, root = services.service("storage"), services.stack.files_folder
    kept = upload(storage, b"kept")
    to_write(kept).put_block("b", "1", b"being uploaded")
    for orphan in ("stored/999/x", "staged/998/y"):
        (root / orphan).parent.mkdir(parents=True)
        (root / orphan).write_bytes(b"orphan")
    before = on_disk(services)
    operations.remove_expired(services.stack)

    assert {path.name for path in before} - {path.name for path in on_disk(services)} == {"x", "y"}
    assert to_write(kept).put_list("b", ["1"]).status == 201


def read(services: ServicesOnly, file_id: int) -> FileSource:
    with services.stack.database.reading() as tx:
        row = operations.get_source(tx, services.stack, first_project(services).caller, file_id)
    return operations.open_source(services.stack, row)


def contents(source: FileSource) -> list[bytes]:
    return [path.read_bytes() for path in source.paths]


def test_an_import_reads_a_file_or_its_slices_in_the_order_of_the_manifest(shared: ServicesOnly, storage: Http) -> None:
    plain = read(shared, upload(storage, b"plain")["id"])
    sliced = read(shared, upload_slices(storage, {"2": b"two", "1": b"one", "3.gz": gzip.compress(b"3")})["id"])

    assert (contents(plain), plain.is_sliced, plain.is_gzipped, plain.size_bytes) == ([b"plain"], False, (False,), 5)
    assert (contents(sliced)[:2], sliced.is_sliced) == ([b"two", b"one"], True)
    assert sliced.is_gzipped == (False, False, True)
    assert sliced.size_bytes == 6 + len(gzip.compress(b"3"))


def test_a_name_in_gz_is_compressed_and_speaks_for_slices_that_look_like_it(
    shared: ServicesOnly, storage: Http
) -> None:
    plain = upload(storage, b"", "data.csv.gz")
    sliced = upload_slices(storage, {"1": gzip.compress(b"1"), "2": b"2,3"}, "data.csv.gz")

    assert read(shared, plain["id"]).is_gzipped == (True,)
    assert read(shared, sliced["id"]).is_gzipped == (True, False)


@pytest.mark.parametrize("scheme", ["azure", "https", "http"])
def test_a_manifest_may_name_its_slices_in_many_ways(shared: ServicesOnly, storage: Http, scheme: str) -> None:
    file = prepare(storage, isSliced=True)
    place = to_write(file)
    place.put("data.csv/part 1", b"one")
    urls = [f"{scheme}://anything/{place.name}/data.csv/part%201", f"{scheme}://x/{place.name}/data.csv/part 1?sig=y"]
    entries = ", ".join(f'{{"url": "{url}", "mandatory": true}}' for url in urls)
    place.put("data.csvmanifest", f'{{"entries": [{entries}], "more": {{}}}}'.encode())

    assert contents(read(shared, file["id"])) == [b"one", b"one"]


def manifest_of(*entries: str) -> bytes:
    return f'{{"entries":[{",".join(entries)}]}}'.encode()


@pytest.mark.parametrize(
    ("manifest", "code"),
    [
        (None, "storage.manifestFileMissing"),
        (b"", "storage.manifestFileInvalid"),
        (b"not json", "storage.manifestFileInvalid"),
        (b"\xff\xfe", "storage.manifestFileInvalid"),
        (b"[]", "storage.manifestFileInvalid"),
        (b'{"entries": [{}]}', "storage.manifestFileInvalid"),
        (b'{"entries": [{"url": "azure://elsewhere/other/data.csv1"}]}', "storage.manifestFileInvalid"),
        (b"[" * 100_000, "storage.manifestFileInvalid"),
        (b'{"entries": [{"url": "azure://x/CONTAINER/data.csv2"}]}', "storage.importFileMissing"),
    ],
)
def test_what_is_missing_is_said_when_the_file_is_used(
    shared: ServicesOnly, storage: Http, manifest: bytes | None, code: str
) -> None:
    file = prepare(storage, isSliced=True)
    place = to_write(file)
    place.put("data.csv1", b"1")
    if manifest is not None:
        place.put("data.csvmanifest", manifest.replace(b"CONTAINER", place.name.encode()))

    with pytest.raises(AppError) as caught:
        read(shared, file["id"])
    assert (caught.value.status, caught.value.code) == (400, code)
    assert str(file["id"]) in caught.value.message


def test_a_file_that_never_arrived_is_not_uploaded(shared: ServicesOnly, storage: Http) -> None:
    with pytest.raises(AppError, match="nothing was uploaded") as caught:
        read(shared, prepare(storage)["id"])

    assert caught.value.code == "storage.fileNotUploaded"


@pytest.mark.parametrize("file_id", [1, "1", "foo", ""])
def test_an_unknown_source_is_not_found_at_once(shared: ServicesOnly, file_id: str | int) -> None:
    with shared.stack.database.reading() as tx, pytest.raises(AppError, match="File not found"):
        operations.get_source(tx, shared.stack, first_project(shared).caller, file_id)


def export(services: ServicesOnly, slices: dict[str, bytes], url: str, times: int = 1) -> int:
    """An export as a job makes it."""
    caller = first_project(services).caller
    with services.stack.database.writing() as tx:
        row = operations.new_export(tx, caller, "in.c-main.users.csv", ["table-export"])
    folder = operations.export_folder(services.stack, row)
    written = [(name, folder / f"part{number}") for number, name in enumerate(slices)]
    for (_, path), content in zip(written, slices.values(), strict=True):
        path.write_bytes(content)
    for _ in range(times):
        operations.publish_export(services.stack, row, written, url)
    return row.id


@pytest.mark.parametrize("times", [1, 2])
def test_an_export_is_a_sliced_file_with_a_manifest(services: ServicesOnly, times: int) -> None:
    storage = services.service("storage")
    file_id = export(services, {"0.csv": b'"1"\n', "1.csv": b'"2"\n'}, storage.base, times)
    file = storage.get(f"{FILES}/{file_id}?federationToken=1").json
    place = to_read(storage, file_id)
    manifest = place.get(f"{file['absPath']['name']}manifest").json

    assert (file["isSliced"], file["maxAgeDays"], file["tags"], file["sizeBytes"]) == (True, 2, ["table-export"], 8)
    urls = [entry["url"] for entry in manifest["entries"]]
    assert urls == [f"{place.endpoint}/{place.name}/in.c-main.users.csv{name}" for name in ("0.csv", "1.csv")]
    blobs = [url.split(f"blob.core.windows.net/{place.name}/")[1] for url in urls]
    assert [place.get(blob).body for blob in blobs] == [b'"1"\n', b'"2"\n']
    assert fetch(file["url"]).json == manifest
    assert contents(read(services, file_id)) == [b'"1"\n', b'"2"\n']
    assert len(on_disk(services)) == 3


def test_over_https_slices_are_named_as_official_clients_expect(services: ServicesOnly) -> None:
    file_id = export(services, {"0": b"x"}, "https://connection.example.test")
    place = to_read(services.service("storage"), file_id)
    [entry] = place.get("in.c-main.users.csvmanifest").json["entries"]

    assert entry["url"].startswith(
        f"azure://connection.example.test/penstock.blob.core.windows.net/{place.name}/in.c-main.users.csv"
    )


def test_an_export_that_is_written_anew_replaces_the_first(services: ServicesOnly) -> None:
    caller = first_project(services).caller
    with services.stack.database.writing() as tx:
        row = operations.new_export(tx, caller, "x.csv", [], 1)
    for content in (b"first", b"second"):
        path = operations.export_folder(services.stack, row) / "part"
        path.write_bytes(content)
        operations.publish_export(services.stack, row, [("0", path)], "http://x")

    assert contents(read(services, row.id)) == [b"second"]
    assert len(on_disk(services)) == 2


def test_an_export_without_slices_is_an_empty_one(services: ServicesOnly) -> None:
    assert read(services, export(services, {}, "http://x")).paths == ()


def test_prepared_side_by_side_every_file_is_its_own(services: ServicesOnly) -> None:
    storage = services.service("storage")
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda number: upload(storage, b"%d" % number, f"{number}.csv"), range(24)))

    assert len({file["id"] for file in made}) == 24
    for number, file in enumerate(made):
        assert to_read(storage, file["id"]).get(f"{number}.csv").body == b"%d" % number


def test_no_secret_of_an_address_is_shown_to_others(storage: Http, shared: ServicesOnly) -> None:
    file = prepare(storage)
    wrong = Container(to_write(file).endpoint, to_write(file).name, "sp=rw&se=2999-01-01T00:00:00Z&sig=guess")

    assert to_write(file).signature.rpartition("sig=")[2] not in wrong.get("x").text
