"""Lists of files: walked, and searched by tag and run."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.support.files import PREPARE, prepare
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.files.asking import FILES, listed


@pytest.fixture
def services(new_project: ServicesOnly) -> ServicesOnly:
    return new_project


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
