from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message
from tests.unit.extractor.requests.auth.conversation import read, sign

BASIC = {"type": "basic"}


@pytest.mark.parametrize(
    ("attr", "pair"),
    [
        ({"#username": "JohnDoe", "#password": "secret"}, "Sm9obkRvZTpzZWNyZXQ="),
        ({"username": "JohnDoe", "#username": "x", "password": "secret", "#password": "y"}, "Sm9obkRvZTpzZWNyZXQ="),
        ({"username": "", "#username": "é", "#password": 1}, "w6k6MQ=="),
    ],
)
def test_user_and_password_are_a_header(attr: dict[str, Any], pair: str):
    assert sign(read(BASIC, attr)).message.headers == {"Authorization": f"Basic {pair}"}


def test_the_query_stays_as_it_is_and_another_authorization_does_not():
    message = Message("GET", "https://h/a?q=x+y", {"authorization": "other", "A": "b"})

    signed = sign(read(BASIC, {"username": "a", "password": "b"}), message).message

    assert signed == Message("GET", "https://h/a?q=x+y", {"A": "b", "Authorization": "Basic YTpi"})


@pytest.mark.parametrize(
    ("attr", "message"),
    [
        ({"password": "x"}, "Missing the required '#username' (or 'username') attribute in config."),
        ({"username": "x", "password": ""}, "Missing the required '#password' attribute in config."),
    ],
)
def test_both_are_required(attr: dict[str, Any], message: str):
    with pytest.raises(UserError) as error:
        read(BASIC, attr)

    assert str(error.value) == message


def test_the_password_is_a_secret_in_both_of_its_forms():
    assert read(BASIC, {"username": "a", "password": "b"}).secrets == ["b", "YTpi"]
