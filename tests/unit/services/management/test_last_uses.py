"""When a token was last used: written once a minute, and not by the request."""

from __future__ import annotations

from collections.abc import Generator
from datetime import datetime, timedelta
from typing import Any

import pytest

from penstock.foundation import clock
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.login.people import as_person, personal_token, sign_in, sign_up
from tests.unit.services.management.people import Person, add_person


@pytest.fixture
def later() -> Generator[Any]:
    before = clock.source

    def move(**by: float) -> None:
        clock.source = lambda: before() + timedelta(**by)

    yield move
    clock.source = before


def last_use(person: Person) -> datetime | None:
    text = person.http.get("/manage/tokens/verify").json["lastUsed"]
    return datetime.fromisoformat(text) if text else None


def test_the_last_use_of_a_manage_token_is_written_once_a_minute(shared: ServicesOnly, later: Any) -> None:
    person = add_person(shared)
    wait_for(lambda: last_use(person))
    first = last_use(person)
    version = shared.stack.database.version()
    assert [last_use(person) for _ in range(20)] == [first] * 20
    assert shared.stack.database.version() == version, "reading wrote nothing"

    later(seconds=61)
    wait_for(lambda: last_use(person) != first)


def test_the_last_use_of_a_personal_token_is_listed(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    token = personal_token(shared, user)
    signed_in = as_person(shared, sign_in(shared, user)["accessToken"])
    [before] = signed_in.get("/v1/auth/personal-tokens").json
    assert before["lastUsed"] is None

    assert as_person(shared, token, "storage", shared.project.id).get("/v2/storage/buckets").status == 200
    wait_for(lambda: signed_in.get("/v1/auth/personal-tokens").json[0]["lastUsed"])
    verified = as_person(shared, token).get("/manage/tokens/verify").json
    assert (verified["isSessionToken"], verified["user"]["id"], verified["type"]) == (False, user.id, "admin")
    assert signed_in.get("/manage/tokens/verify").json["isSessionToken"] is True
