"""Signatures: what opens a container, and what does not."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest

from penstock.foundation import clock
from tests.support.files import Container, prepare, to_read, to_write, upload
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.storage.blobs.answers import code_of


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
        {"sp": "rwdl"},
        {"sp": None},
        {"se": None},
    ],
)
def test_a_signature_that_was_altered_opens_nothing(place: Container, changes: dict[str, str | None]) -> None:
    place.put("b", b"1")
    for answer in (altered(place, **changes).get("b"), altered(place, **changes).put("b", b"2")):
        assert (answer.status, code_of(answer)) == (403, "AuthenticationFailed")
    assert place.get("b").body == b"1"


def test_a_signature_is_compared_decoded(place: Container) -> None:
    place.put("b", b"1")

    assert ":" in place.signature
    assert altered(place).get("b").body == b"1"
    assert "%3A" in altered(place).signature


def test_a_signature_for_reading_writes_nothing(storage: Http) -> None:
    file = upload(storage, b"1")
    place = to_read(storage, file["id"])

    answers = [place.put("data.csv", b"2"), place.put_block("data.csv", "1", b"2"), place.put_list("data.csv", [])]
    assert {(answer.status, code_of(answer)) for answer in answers} == {(403, "AuthorizationPermissionMismatch")}
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


def test_a_signature_ends(storage: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    place = to_write(upload(storage, b"1"))
    later = clock.now() + timedelta(hours=24, seconds=1)
    assert place.get("data.csv").status == 200
    monkeypatch.setattr(clock, "source", lambda: later)

    answer = place.get("data.csv")
    assert (answer.status, code_of(answer)) == (403, "AuthenticationFailed")


@pytest.mark.parametrize("container", ["x", "exp-15-files-1-1-2026-01-01", "..", "permanent-files-9-9-2026-01-01"])
def test_a_container_that_is_not_there_is_nobodys(storage: Http, container: str) -> None:
    place = to_write(prepare(storage))

    assert Container(place.endpoint, container, place.signature).get("b").status == 403
