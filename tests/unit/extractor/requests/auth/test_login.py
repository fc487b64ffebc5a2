from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message, Request
from penstock.foundation import clock
from tests.unit.extractor.requests.auth.conversation import USERS, Signed, read, sign

TOKEN = b'{"auth": {"token": "t0k3n"}, "n": null, "list": ["a", "b"], "yes": true, "expires": 3600}'
HEADERS = {"headers": {"X-Token": {"response": "auth.token"}}}
NOON = datetime(2017, 4, 22, 12, tzinfo=UTC)


def login(api_request: Any = HEADERS, request: Any = None, attr: Any = None, **settings: Any) -> Any:
    request = {"endpoint": "login"} if request is None else request
    return read({"type": "login", "loginRequest": request, "apiRequest": api_request, **settings}, attr)


def with_query(query: Any, url: str = USERS.url, reply: bytes = TOKEN) -> Signed:
    return sign(login({"query": query}), Message("GET", url), reply)


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "source", lambda: NOON)


def wait(seconds: float) -> None:
    now = clock.source() + timedelta(seconds=seconds)
    clock.source = lambda: now


def test_the_login_comes_first_and_its_token_goes_into_every_request():
    auth = login()
    first, second = sign(auth, USERS, TOKEN), sign(auth, Message("POST", "https://h/a?q=x+y", {"x-token": "old"}))

    assert first.asked == [Request("login", {}, "GET")]
    assert first.message.headers == {"X-Token": "t0k3n"}
    assert second.asked == []
    assert second.message == Message("POST", "https://h/a?q=x%20y", {"X-Token": "t0k3n"})


def test_functions_of_the_login_request_see_the_configuration():
    request = {
        "endpoint": "login",
        "method": "form",
        "params": {"user": {"attr": "user.name"}, "plain": "x", "response": {"a": "kept"}},
        "headers": {"X-Key": {"function": "md5", "args": [{"attr": "#key"}]}, "X-Many": ["a", 1]},
    }
    asked = sign(login(request=request, attr={"user": {"name": "ada"}, "#key": "k"}), USERS, TOKEN).asked

    assert asked == [
        Request(
            "login",
            {"user": "ada", "plain": "x", "response": {"a": "kept"}},
            "FORM",
            {"X-Key": "8ce4b16b22b58894aa86c421e8759df3", "X-Many": ["a", "1"]},
            ("8ce4b16b22b58894aa86c421e8759df3",),
        )
    ]


def test_a_plain_text_is_a_path_in_the_answer_if_it_leads_somewhere():
    headers = {"A": "auth.token", "B": "literal", "C": "list.1", "D": "n", "E": "list", "F": "yes", "G": 5}

    assert sign(login({"headers": headers}), USERS, TOKEN).message.headers == {
        "A": "t0k3n",
        "B": "literal",
        "C": "b",
        "D": "",
        "E": ["a", "b"],
        "F": "1",
        "G": "5",
    }


def test_a_token_that_looks_like_a_path_stays_a_token():
    reply = b'{"token": "data", "data": "wrong"}'

    assert sign(login({"headers": {"X": {"response": "token"}}}), USERS, reply).message.headers == {"X": "data"}


def test_apirequest_sees_the_configuration_too():
    args = [{"attr": "#login"}, ":", {"response": "auth.token"}]
    auth = login({"query": {"auth": {"function": "concat", "args": args}}}, attr={"#login": "ada"})

    assert sign(auth, USERS, TOKEN).query == "page=1&auth=ada%3At0k3n"


@pytest.mark.parametrize(
    ("query", "url", "expected"),
    [
        ({"k": "new"}, "https://h/?a=1", "a=1&k=new"),
        ({"k": "new"}, "https://h/?k=old&a=1", "a=1&k%5B0%5D=old&k%5B1%5D=new"),
        ({"k": "old"}, "https://h/?k=old&a=1", "a=1&k%5B0%5D=old"),
        ({"k": "c"}, "https://h/?k=a&x=1&k=b", "x=1&k%5B0%5D=a&k%5B1%5D=b&k%5B2%5D=c"),
        ({"k": "list"}, "https://h/?k=b", "k%5B0%5D=b&k%5B1%5D=a"),
        (
            {"token": "x", "key": "abc", "id": 5},
            "https://h/?debug=1&key=none&id=234&by=name",
            "debug=1&by=name&token=x&key%5B0%5D=none&key%5B1%5D=abc&id%5B0%5D=234&id%5B1%5D=5",
        ),
    ],
)
def test_a_parameter_that_is_there_already_becomes_a_list_at_the_end(query: Any, url: str, expected: str):
    assert with_query(query, url).query == expected


@pytest.mark.parametrize(
    ("form", "reply", "value"),
    [
        ("text", b"s3cret", "s3cret"),
        ("text", b"", ""),
        ("json", b'"s3cret"', "s3cret"),
        ("json", b"1.50", "1.5"),
        ("", b"true", "1"),
        (None, b'{"data": "s3cret"}', "s3cret"),
    ],
)
def test_an_answer_that_is_no_object_is_called_data(form: Any, reply: bytes, value: str):
    auth = login({"headers": {"X": {"response": "data"}}}, format=form)

    assert sign(auth, USERS, reply).message.headers == {"X": value}


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (b"[1]", 'The response to the login request should be an object or a scalar value, given "array".'),
        (b"null", 'The response to the login request should be an object or a scalar value, given "NULL".'),
        (b"", "Invalid JSON response from API: JSON decode error: "),
        (b"<html>s3cret", "Invalid JSON response from API: JSON decode error: "),
        (b"{}", "User script error: Error evaluating user function - response 'auth.token' not found!"),
    ],
)
def test_an_answer_that_cannot_be_used_is_the_users_error(reply: bytes, message: str):
    with pytest.raises(UserError) as error:
        sign(login(), USERS, reply)

    assert str(error.value).startswith(message)
    assert "s3cret" not in str(error.value)


def test_an_answer_that_is_not_json_names_the_login_endpoint():
    with pytest.raises(UserError, match=r"'login'.*Set `authentication.format` to `text`"):
        sign(login(), USERS, b"token")


@pytest.mark.parametrize(
    ("wanted", "request_", "where"),
    [
        ({"headers": {"X": "auth"}}, None, "X"),
        ({"headers": {"X": {"other": "a"}}}, None, "X"),
        (HEADERS, {"endpoint": "login", "headers": {"Y": {"response": "a"}}}, "Y"),
    ],
)
def test_an_object_is_no_header(wanted: Any, request_: Any, where: str):
    with pytest.raises(UserError) as error:
        sign(login(wanted, request_), USERS, TOKEN)

    message = f'Invalid configuration: invalid type "object" in headers at path: {where}'
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("request_", "settings", "message"),
    [
        ({}, {}, "'loginRequest' is not configured for Login authentication"),
        ("login", {}, "'loginRequest' is not configured for Login authentication"),
        ({"method": "GET"}, {}, "Request endpoint must be set for the Login authentication method."),
        ({"endpoint": {"attr": "x"}}, {}, 'The "endpoint" property must be specified in request as a string.'),
        (
            {"endpoint": "a", "method": "PUT"},
            {},
            """The "method" property must be on of "GET", "POST", "FORM". It is 'PUT'.""",
        ),
        ({"endpoint": "a", "params": "x"}, {}, "The 'params' property must be an array."),
        ({"endpoint": "a", "headers": "x"}, {}, 'The "headers" property must be an array.'),
        (None, {"format": "xml"}, "'format' must be either 'json' or 'text'."),
        (None, {"format": ["json"]}, "'format' must be either 'json' or 'text'."),
    ],
)
def test_settings_are_checked_before_anything_is_sent(request_: Any, settings: Any, message: str):
    with pytest.raises(UserError) as error:
        login(request=request_, **settings)

    assert str(error.value) == message


def test_tokens_are_secrets_by_themselves_and_in_what_is_made_of_them():
    bearer = {"function": "concat", "args": ["Bearer ", {"response": "auth.token"}]}
    auth = login({"headers": {"A": bearer, "B": "plain text"}, "query": {"t": "auth.token", "short": "list.0"}})

    assert auth.secrets == []
    sign(auth, USERS, TOKEN)
    assert set(auth.secrets) == {"Bearer t0k3n", "t0k3n"}


def logins_after(expires: Any, reply: bytes, *seconds: float) -> list[int]:
    """How many logins were needed for a request at once, and for one after each wait."""
    auth = login(expires=expires)
    counts = [len(sign(auth, USERS, reply).asked)]
    for pause in seconds:
        wait(pause)
        counts.append(len(sign(auth, USERS, reply).asked))
    return counts


@pytest.mark.parametrize(
    ("expires", "reply", "seconds", "logins"),
    [
        (None, TOKEN, (10**9,), [1, 0]),
        ("", TOKEN, (10**9,), [1, 0]),
        (60, TOKEN, (60, 1, 60), [1, 0, 1, 0]),
        ("60", TOKEN, (61,), [1, 1]),
        (60.0, TOKEN, (61,), [1, 1]),
        ("-1", TOKEN, (0, 0), [1, 1, 1]),
        (0, TOKEN, (0, 0.9, 0.2), [1, 0, 0, 1]),
        ({"response": "gone"}, TOKEN, (10**9,), [1, 0]),
        ({"response": "n"}, TOKEN, (10**9,), [1, 0]),
        ({"response": "expires", "relative": True}, TOKEN, (3600, 1), [1, 0, 1]),
        ({"response": "expires", "relative": "1"}, TOKEN[:-5] + b"90.5}", (90, 1), [1, 0, 1]),
    ],
)
def test_a_login_is_repeated_when_it_has_expired(expires: Any, reply: bytes, seconds: Any, logins: list[int]):
    assert logins_after(expires, reply, *seconds) == logins


@pytest.mark.parametrize("until", ['"2017-04-22 12:01:00"', '"+1 minute"', str(int(NOON.timestamp()) + 60)])
def test_an_answer_may_say_when_it_expires(until: str):
    auth = login(expires={"response": "until"})
    sign(auth, USERS, f'{{"auth": {{"token": "t0k3n"}}, "until": {until}}}'.encode())

    wait(60)
    assert sign(auth, USERS).asked == []
    wait(1)
    later = b'{"auth": {"token": "other"}, "until": null}'
    assert sign(auth, USERS, later).message.headers == {"X-Token": "other"}


@pytest.mark.parametrize(
    ("value", "relative", "shown"),
    [
        ("5", False, "5"),
        ('"1999-01-01"', False, "1999-01-01"),
        ('"nonsense"', False, "nonsense"),
        ("-5", True, "-5"),
        ("true", False, "1"),
        ('{"a": 1}', False, "object"),
        ("1e999", False, "1e999"),
    ],
)
def test_a_login_that_has_expired_already_is_an_error(value: str, relative: bool, shown: str):
    reply = f'{{"auth": {{"token": "t0k3n"}}, "until": {value}}}'.encode()
    with pytest.raises(UserError) as error:
        logins_after({"response": "until", "relative": relative}, reply)

    message = f"Login authentication returned expiry time before current time: '{shown}'"
    assert str(error.value) == message


@pytest.mark.parametrize(
    "expires", ["soon", 1.5, True, ["x"], {"relative": True}, {"response": ""}, {"response": {"a": 1}}]
)
def test_expires_is_a_number_or_a_path(expires: Any):
    with pytest.raises(UserError) as error:
        login(expires=expires)

    assert str(error.value) == (
        "The 'expires' attribute must be either an integer or an array"
        " with 'response' key containing a path in the response"
    )
