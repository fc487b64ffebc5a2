"""One request that stores a file."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from tests.support.forms import KIND, form, part, upload_file
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def importer(shared: ServicesOnly) -> Http:
    return shared.service("import")


def download(services: ServicesOnly, file: dict[str, str]) -> bytes:
    """By the address in the response, which names the stack's host."""
    path = file["url"].partition("/_svc/storage")[2]
    return services.service("storage", "").get(path).body


def test_a_part_becomes_a_file(shared: ServicesOnly, importer: Http) -> None:
    fields = [("tags[]", "first"), ("tags[]", "second"), ("isPermanent", "1"), ("notify", "0")]
    response = upload_file(importer, b"id\n1\n", *fields, file_name="my rows.csv")

    assert response.status == 200, response.text
    file = response.json
    assert {
        "name": "my_rows.csv",
        "tags": ["first", "second"],
        "sizeBytes": 5,
        "maxAgeDays": None,
    }.items() <= file.items()
    assert {"isPublic": False, "isSliced": False, "isEncrypted": True, "runIds": []}.items() <= file.items()
    assert isinstance(file["id"], int)
    assert isinstance(file["creatorToken"]["id"], int)
    assert download(shared, file) == b"id\n1\n"
    assert shared.service("storage").get(f"/v2/storage/files/{file['id']}").json["sizeBytes"] == 5


def test_text_of_a_form_becomes_a_file(shared: ServicesOnly, importer: Http) -> None:
    body = urlencode({"data": "id,name\n1,ä\n", "name": "rows.csv", "tags[]": "t"}).encode()
    response = importer.send("POST", "/upload-file", body, FORM)

    assert response.status == 200, response.text
    assert (response.json["name"], response.json["tags"], response.json["maxAgeDays"]) == ("rows.csv", ["t"], 15)
    assert download(shared, response.json).decode() == "id,name\n1,ä\n"


def test_a_file_can_be_imported_by_its_id(shared: ServicesOnly, importer: Http) -> None:
    load_table(shared, "in.c-upload.t", "id\n1\n")
    file = upload_file(importer, b"id\n1\n2\n").json
    loaded = shared.service("storage").post("/v2/storage/tables/in.c-upload.t/import-async", {"dataFileId": file["id"]})

    assert loaded.status == 202, loaded.text


@pytest.mark.parametrize("body", [b"data=x", b"name=x", b"", b"data[]=x&name=y"])
def test_a_form_needs_data_and_a_name(importer: Http, body: bytes) -> None:
    response = importer.send("POST", "/upload-file", body, FORM)

    assert (response.status, response.json["status"]) == (400, "error")


def test_a_part_without_a_file_name_needs_a_name(importer: Http) -> None:
    assert upload_file(importer, b"x", file_name=None).status == 400
    assert upload_file(importer, b"x", ("name", "x.txt"), file_name=None).json["name"] == "x.txt"


def test_two_files_are_refused(importer: Http) -> None:
    body = part("data", b"1", "a.csv") + form(b"2", [])
    response = importer.send("POST", "/upload-file", body, KIND)

    assert response.status == 400
    assert 'more than one "data"' in response.json["message"]


def test_fields_beside_the_file_are_limited(importer: Http) -> None:
    response = upload_file(importer, b"x", ("name", "n" * (1 << 21)))

    assert response.status == 400
    assert "1,048,576 bytes" in response.json["message"]


def test_the_body_of_a_form_is_limited(shared: ServicesOnly, importer: Http) -> None:
    body = b"name=x&data=" + b"y" * shared.settings.body_limit

    assert importer.send("POST", "/upload-file", body, FORM).status == 413
