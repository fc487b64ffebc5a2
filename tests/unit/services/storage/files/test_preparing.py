"""Files: how they are prepared, named and read again."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation import clock
from tests.support.examples import examples
from tests.support.files import PREPARE, prepare, to_read, to_write, upload, upload_slices
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.files.asking import FILES, fetch


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
    assert "sp=rwdl&" in connection["SharedAccessSignature"]
    assert params["blobName"] == "data.csv"
    assert set(params["container"]) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    expiration = datetime.strptime(params["absCredentials"]["expiration"], "%Y-%m-%dT%H:%M:%S%z")
    assert timedelta(minutes=59) < expiration - clock.now() <= timedelta(hours=1)


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


@pytest.mark.parametrize(("tags", "kept"), [([""], []), (["", "a", "", "b"], ["a", "b"])])
def test_empty_tags_are_ignored(storage: Http, tags: list[str], kept: list[str]) -> None:
    assert prepare(storage, tags=tags)["tags"] == kept

    form = f"name=x.csv&federationToken=1&{'&'.join(f'tags%5B%5D={tag}' for tag in tags)}".encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert storage.send("POST", PREPARE, form, headers).json["tags"] == kept


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
        ({"name": "x", "federationToken": True, "tags": ["t" * 1001]}, "tags"),
        ({"name": "x", "federationToken": True, "tags": ["t"] * 501}, "tags"),
        ({"name": "x", "federationToken": True, "tags": {"a": 1}}, "tags"),
    ],
)
def test_what_is_wrong_is_named(storage: Http, fields: dict[str, Any], sentence: str) -> None:
    response = storage.post(PREPARE, fields)

    assert response.status == 400
    assert sentence in response.json["error"]


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("file name", "file_name"),
        ("in.c-test.x", "in.c_test.x"),
        ("My-File (1)--.csv", "My_File__1___.csv"),
        ("Příliš žluťoučký.csv.gz", "Prilis_zlutoucky.csv.gz"),
        ("データ.csv", "___.csv"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..", "file"),
        ("a\x00b\n", "a_b_"),
        ("x" * 300 + ".csv.gz", "x" * 193 + ".csv.gz"),
    ],
)
def test_a_name_is_made_fit_for_every_place_and_keeps_its_end(storage: Http, name: str, cleaned: str) -> None:
    assert prepare(storage, name)["name"] == cleaned


@given(name=st.text(min_size=1, max_size=60))
@examples(50)
def test_any_name_becomes_a_name(storage: Http, name: str) -> None:
    cleaned = prepare(storage, name)["name"]

    assert cleaned == Path(cleaned).name
    assert cleaned not in (".", "..")
    assert re.fullmatch(r"[A-Za-z0-9._]+", cleaned)


def test_a_file_can_be_read_again_with_credentials_and_without(storage: Http) -> None:
    file = upload(storage, b"123456", "x.csv")
    plain, with_credentials = (storage.get(f"{FILES}/{file['id']}{query}").json for query in ("", "?federationToken=1"))

    assert not {"absCredentials", "absPath", "credentials"} & set(plain)
    assert with_credentials["absPath"] == {"container": to_write(file).name, "name": "x.csv"}
    assert "sp=rl&" in with_credentials["absCredentials"]["SASConnectionString"]
    assert to_read(storage, file["id"]).get("x.csv").body == b"123456"
    assert plain["sizeBytes"] == 6


def test_the_url_of_a_file_is_its_content_or_its_manifest(storage: Http) -> None:
    plain = upload(storage, b"content")
    sliced = upload_slices(storage, {"1": b"a", "2": b"bc"})
    urls = [storage.get(f"{FILES}/{file['id']}").json["url"] for file in (plain, sliced)]

    assert fetch(urls[0]).body == b"content"
    assert len(fetch(urls[1]).json["entries"]) == 2


def test_the_size_is_that_of_what_came(storage: Http) -> None:
    plain = upload(storage, b"1234567", sizeBytes=3)
    sliced = upload_slices(storage, {"1": b"a", "2": b"bc"}, sizeBytes=100)

    assert [storage.get(f"{FILES}/{file['id']}").json["sizeBytes"] for file in (plain, sliced)] == [7, 3]


@pytest.mark.parametrize("file_id", ["1", "0", "foo", "-1", "9" * 30, "1.5", "%00"])
def test_an_unknown_file_is_not_found(storage: Http, file_id: str) -> None:
    responses = [storage.get(f"{FILES}/{file_id}"), storage.delete(f"{FILES}/{file_id}")]
    responses += [storage.post(f"{FILES}/{file_id}/tags", {"tag": "x"}), storage.delete(f"{FILES}/{file_id}/tags/x")]

    for response in responses:
        assert (response.status, response.json["error"]) == (404, "File not found.")
        assert response.json["code"] == "storage.files.notFound"


def test_prepared_side_by_side_every_file_is_its_own(services: ServicesOnly) -> None:
    storage = services.service("storage")
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda number: upload(storage, b"%d" % number, f"{number}.csv"), range(24)))

    assert len({file["id"] for file in made}) == 24
    for number, file in enumerate(made):
        assert to_read(storage, file["id"]).get(f"{number}.csv").body == b"%d" % number
