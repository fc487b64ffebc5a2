"""Containers: their properties, and the list of their blobs, as the vendor's library reads it."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from azure.core.exceptions import HttpResponseError
from azure.storage.blob import BlobPrefix, ContainerClient
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.storage.operations.files import blob_lists
from tests.support.examples import examples
from tests.support.files import Container, prepare, to_read, to_write, upload
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.blobs.responses import code_of

LIST: dict[str, Any] = {"restype": "container", "comp": "list"}
NAMES = ["a/1", "a/2", "a/b/3", "a0", "B", "b", "č/4", "😀"]


def open_container(place: Container) -> Any:
    return ContainerClient.from_container_url(f"{place.endpoint}/{place.name}?{place.signature}", retry_total=0)


@pytest.fixture
def full(place: Container) -> Container:
    for name in NAMES:
        assert place.put(name, name.encode()).status == 201
    return place


def walk(container: Any, prefix: str = "", page: int = 5000) -> Iterator[str]:
    for item in container.walk_blobs(prefix, results_per_page=page):
        yield item.name
        if isinstance(item, BlobPrefix):
            yield from walk(container, item.name, page)


def test_blobs_are_listed_in_the_order_of_their_names_on_each_database(services_on_each: ServicesOnly) -> None:
    place = to_write(prepare(services_on_each.service("storage")))
    for name in reversed(NAMES):
        place.put(name, b"1")

    assert [each.name for each in open_container(place).list_blobs()] == sorted(NAMES)
    assert [each.name for each in open_container(place).list_blobs("a/")] == ["a/1", "a/2", "a/b/3"]
    assert sorted(each.name for each in open_container(place).walk_blobs()) == ["B", "a/", "a0", "b", "č/", "😀"]


@pytest.mark.parametrize("page", [1, 2, 3, 5000])
def test_a_list_goes_on_where_a_page_ended(full: Container, page: int) -> None:
    container = open_container(full)

    assert [each.name for each in container.list_blobs(results_per_page=page)] == sorted(NAMES)
    walked = ["B", "a/", "a/1", "a/2", "a/b/", "a/b/3", "a0", "b", "č/", "č/4", "😀"]
    assert sorted(walk(container, page=page)) == walked


def test_a_listed_blob_has_its_properties(full: Container) -> None:
    full.put("x", b"12345", x_ms_blob_content_type="text/csv", x_ms_blob_content_language="cs", x_ms_meta_a="<&>")
    [seen] = open_container(full).list_blobs("x", include=["metadata"])

    assert (seen.size, seen.content_settings.content_type, seen.content_settings.content_language) == (
        *(5, "text/csv", "cs"),
    )
    assert seen.metadata == {"a": "<&>"}
    assert seen.etag == full.get("x").headers["etag"].strip('"')
    assert seen.creation_time
    assert seen.last_modified
    assert [each.metadata for each in open_container(full).list_blobs("x")] == [{}]


def test_a_container_has_properties_and_exists(place: Container, storage: Http) -> None:
    container = open_container(place)

    assert container.exists()
    assert container.get_container_properties().last_modified
    assert place.send("HEAD", "", restype="container").status == 200
    reading = open_container(to_read(storage, upload(storage, b"1")["id"]))
    assert [each.name for each in reading.list_blobs()] == ["data.csv"]


@pytest.mark.parametrize("folders", [1, 3])
def test_a_page_of_many_folders_may_be_short_and_goes_on(
    place: Container, monkeypatch: pytest.MonkeyPatch, folders: int
) -> None:
    monkeypatch.setattr(blob_lists, "BATCH", 2)
    monkeypatch.setattr(blob_lists, "MAX_BATCHES", folders)
    names = [f"{folder}/{number}" for folder in "abcd" for number in range(5)]
    for name in names:
        place.put(name, b"1")

    assert [each.name for each in open_container(place).walk_blobs()] == ["a/", "b/", "c/", "d/"]
    assert [each.name for each in open_container(place).list_blobs()] == names


@given(names=st.sets(st.text("ab/\U0010ffff\ud7ff\ue000", min_size=1, max_size=6), max_size=6), data=st.data())
@examples(20)
def test_any_names_are_listed_like_a_sorted_list(storage: Http, names: set[str], data: st.DataObject) -> None:
    place = to_write(prepare(storage))
    for name in names:
        assert place.put(name, b"1").status == 201
    prefix = data.draw(st.text("ab/\U0010ffff\ud7ff", max_size=2))
    listed = open_container(place).list_blobs(prefix, results_per_page=data.draw(st.integers(1, 4)))

    assert [each.name for each in listed] == sorted(name for name in names if name.startswith(prefix))


@pytest.mark.parametrize("name", ["\x01", "a\rb", "\ufffe", " a ", "a&b<c>", "%41", "+"])
def test_a_name_that_xml_cannot_hold_is_listed_as_it_is(place: Container, name: str) -> None:
    assert place.put(name, b"1").status == 201

    assert [each.name for each in open_container(place).list_blobs()] == [name]


@pytest.mark.parametrize(
    "query",
    [
        {"marker": "x"},
        {"marker": "č"},
        {"marker": base64.urlsafe_b64encode(b'["a\\u0000",true]').decode()},
        {"marker": base64.urlsafe_b64encode(b'["\\ud800",true]').decode()},
        {"marker": base64.urlsafe_b64encode(b'{"a":1}').decode()},
        {"maxresults": "0"},
        {"maxresults": "-1"},
        {"maxresults": "many"},
        {"prefix": "\0"},
        {"delimiter": "a" * 2000},
        {"startFrom": "\0"},
        {"include": "uncommittedblobs"},
        {"comp": "acl"},
        {"restype": "magic"},
    ],
)
def test_a_list_that_cannot_be_is_refused(full: Container, query: dict[str, Any]) -> None:
    response = full.send("GET", "", **{**LIST, **query})

    assert response.status == 400
    assert code_of(response) in ("InvalidQueryParameterValue", "OutOfRangeQueryParameterValue")


def test_a_signature_lists_its_own_container_only(storage: Http) -> None:
    mine, other = to_write(upload(storage, b"1")), to_write(upload(storage, b"2"))
    crossed = Container(mine.endpoint, other.name, mine.signature)
    for response in (crossed.send("GET", "", **LIST), crossed.send("GET", "", restype="container")):
        assert (response.status, code_of(response)) == (403, "AuthenticationFailed")
    response = Http(mine.endpoint).get(f"/{mine.name}?restype=container&comp=list")
    assert (response.status, code_of(response)) == (403, "AuthenticationFailed")


def test_containers_are_neither_made_nor_deleted_nor_changed(full: Container) -> None:
    container = open_container(full)
    for refuse in (
        container.create_container,
        container.delete_container,
        lambda: container.set_container_metadata({"a": "1"}),
        container.get_container_access_policy,
        lambda: container.delete_blobs("a0"),
    ):
        with pytest.raises(HttpResponseError) as caught:
            refuse()
        error: Any = caught.value
        assert error.status_code in (400, 404, 405)
        assert error.response.headers["x-ms-error-code"]
    assert len(list(container.list_blobs())) == len(NAMES)
