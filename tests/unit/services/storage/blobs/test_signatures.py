"""Signatures: what gives access to a container, and what does not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from sqlalchemy import event

from penstock.foundation import clock
from tests.support.files import Container, prepare, to_read, to_write, upload
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.storage.blobs.responses import code_of
from tests.unit.services.storage.tokens.making import TOKENS, make


def altered(place: Container, **changes: str | None) -> Container:
    words = {**dict(parse_qsl(place.signature)), **changes}
    signature = urlencode({name: value for name, value in words.items() if value is not None})
    return Container(place.endpoint, place.name, signature)


@pytest.mark.parametrize(
    "changes",
    [
        {"sig": None},
        {"sig": ""},
        {"sig": "AAAA"},
        {"sig": "č"},
        {"se": "2999-01-01T00:00:00Z"},
        {"sp": "racwdl"},
        {"sp": None},
        {"se": None},
    ],
)
def test_a_signature_that_was_altered_opens_nothing(place: Container, changes: dict[str, str | None]) -> None:
    place.put("b", b"1")
    for response in (altered(place, **changes).get("b"), altered(place, **changes).put("b", b"2")):
        assert (response.status, code_of(response)) == (403, "AuthenticationFailed")
    assert place.get("b").body == b"1"


def test_a_signature_is_compared_decoded(place: Container) -> None:
    place.put("b", b"1")

    assert ":" in place.signature
    assert altered(place).get("b").body == b"1"
    assert "%3A" in altered(place).signature


def test_a_signature_for_reading_writes_nothing(storage: Http) -> None:
    file = upload(storage, b"1")
    place = to_read(storage, file["id"])

    responses = [place.put("data.csv", b"2"), place.put_block("data.csv", "1", b"2"), place.put_list("data.csv", [])]
    assert {(response.status, code_of(response)) for response in responses} == {
        (403, "AuthorizationPermissionMismatch")
    }
    assert altered(place, sp="rw").put("data.csv", b"2").status == 403
    assert place.get("data.csv").body == b"1"


def test_the_signature_of_one_file_opens_no_other(storage: Http, shared: ServicesOnly) -> None:
    mine = to_write(upload(storage, b"mine"))
    others = [to_write(prepare(storage)), to_write(prepare(shared.service("storage", add_project(shared).token)))]
    for other in others:
        crossed = Container(mine.endpoint, mine.name, other.signature)
        assert crossed.get("data.csv").status == crossed.put("data.csv", b"theirs").status == 403
    assert mine.get("data.csv").body == b"mine"


def test_another_stack_signs_differently(services: ServicesOnly, storage: Http, tmp_path: Path) -> None:
    (services.stack.folder / "key").rename(tmp_path / "key")
    stranger = ServicesOnly(tmp_path / "stranger")
    try:
        mine, theirs = (prepare(each.service("storage")) for each in (services, stranger))
        assert mine["absUploadParams"]["absCredentials"] != theirs["absUploadParams"]["absCredentials"]
        crossed = Container(to_write(mine).endpoint, to_write(mine).name, to_write(theirs).signature)
        assert crossed.get("data.csv").status == 403
    finally:
        stranger.close()


@pytest.mark.parametrize(("opens", "life"), [(to_write, timedelta(hours=1)), (to_read, timedelta(hours=12))])
def test_a_signature_ends(
    storage: Http, monkeypatch: pytest.MonkeyPatch, opens: Callable[..., Container], life: timedelta
) -> None:
    file = upload(storage, b"1")
    place, now = opens(file) if opens is to_write else opens(storage, file["id"]), clock.now()
    monkeypatch.setattr(clock, "source", lambda: now + life - timedelta(seconds=30))
    assert place.get("data.csv").status == 200
    monkeypatch.setattr(clock, "source", lambda: now + life + timedelta(seconds=1))

    response = place.get("data.csv")
    assert (response.status, code_of(response)) == (403, "AuthenticationFailed")


def test_a_write_signature_has_its_expiration(storage: Http) -> None:
    said = prepare(storage)["absUploadParams"]["absCredentials"]["expiration"]

    assert timedelta(minutes=59) < datetime.fromisoformat(said) - clock.now() <= timedelta(hours=1)


def places_of(services: ServicesOnly, token: str) -> list[Container]:
    """Whatever the token can get to write a file with, and to read it."""
    client = services.service("storage", token)
    file = upload(client, b"1")
    [listed] = client.get("/v2/storage/files?limit=1").json
    address, _, signature = listed["url"].partition("?")
    endpoint, name, _ = address.rsplit("/", 2)
    return [to_write(file), to_read(client, file["id"]), Container(endpoint, name, signature)]


def revoke(services: ServicesOnly, token: dict[str, Any], _patch: pytest.MonkeyPatch) -> None:
    assert services.service("storage").delete(f"{TOKENS}/{token['id']}").status == 204


def refresh(services: ServicesOnly, token: dict[str, Any], _patch: pytest.MonkeyPatch) -> None:
    assert services.service("storage").post(f"{TOKENS}/{token['id']}/refresh").status == 200


def let_expire(_services: ServicesOnly, _token: dict[str, Any], patch: pytest.MonkeyPatch) -> None:
    later = clock.now() + timedelta(seconds=301)
    patch.setattr(clock, "source", lambda: later)


@pytest.mark.parametrize("end", [revoke, refresh, let_expire])
def test_a_signature_ends_with_its_token(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch, end: Callable[..., None]
) -> None:
    token = make(shared, canManageBuckets=True, expiresIn=300)
    places = places_of(shared, token["token"])
    assert [place.get("data.csv").status for place in places] == [200, 200, 200]

    end(shared, token, monkeypatch)
    for response in (*(place.get("data.csv") for place in places), places[0].put("data.csv", b"2")):
        assert (response.status, code_of(response)) == (403, "AuthenticationFailed")


def test_the_expiration_in_a_signature_is_no_later_than_its_tokens(shared: ServicesOnly) -> None:
    client = shared.service("storage", make(shared, canManageBuckets=True, expiresIn=300)["token"])
    said = prepare(client)["absUploadParams"]["absCredentials"]["expiration"]

    assert datetime.fromisoformat(said) - clock.now() <= timedelta(seconds=300)


def test_a_signature_names_its_token_and_no_other(shared: ServicesOnly, storage: Http) -> None:
    other = make(shared, canManageBuckets=True)
    place = to_write(upload(storage, b"1"))

    assert altered(place, si=other["id"]).get("data.csv").status == 403
    assert altered(place, si=None).get("data.csv").status == 403


@pytest.mark.parametrize("container", ["x", "exp-15-files-1-1-2026-01-01", "..", "permanent-files-9-9-2026-01-01"])
def test_an_unknown_container_belongs_to_no_file(storage: Http, container: str) -> None:
    place = to_write(prepare(storage))

    assert Container(place.endpoint, container, place.signature).get("b").status == 403


def test_not_every_block_of_a_file_looks_its_token_up(shared: ServicesOnly, storage: Http) -> None:
    place, blocks, statements = to_write(prepare(storage)), 20, list[str]()

    def count(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        statements.append(statement)

    event.listen(shared.stack.database.engine, "before_cursor_execute", count)
    sent = [place.put_block("data.csv", f"MD{number:02}", b"1").status for number in range(blocks)]
    event.remove(shared.stack.database.engine, "before_cursor_execute", count)

    assert sent == [201] * blocks
    # Again after each change of the database, of which a stack makes some by itself.
    assert len([statement for statement in statements if "storage_tokens" in statement]) < blocks


def test_a_deleted_file_takes_no_more_blocks(storage: Http) -> None:
    file = prepare(storage)
    place = to_write(file)
    assert place.put_block("data.csv", "MDA=", b"1").status == 201

    assert storage.delete(f"/v2/storage/files/{file['id']}").status == 204
    assert place.put_block("data.csv", "MDE=", b"2").status == 404
