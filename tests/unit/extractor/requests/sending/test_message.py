from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message, Request
from penstock.extractor.requests.sending.message import Builder, header_values

BASE = "https://h/v1/"


def build(request: Request, defaults: dict[str, Any] | None = None, **headers: Any) -> Message:
    return Builder(BASE, {name.replace("_", "-"): value for name, value in headers.items()}, defaults or {}).build(
        request
    )


@pytest.mark.parametrize("method", ["", "GET", "get"])
def test_a_get_has_its_parameters_in_the_address(method: str):
    assert build(Request("users?a=1", {"b": [2]}, method)) == Message("GET", "https://h/v1/users?a=1&b%5B0%5D=2")


def test_a_post_has_them_as_json_and_the_endpoint_stays_as_it_is():
    message = build(Request("users?a=1", {"b": [2], "c": None}, "Post"))

    assert message == Message(
        "POST", "https://h/v1/users?a=1", {"Content-Type": "application/json"}, b'{"b":[2],"c":null}'
    )


def test_a_form_is_a_post_of_encoded_parameters():
    message = build(Request("users", {"a b": "x y", "0": 1, "n": {"k": True}}, "form"))

    assert message.method == "POST"
    assert message.body == b"a+b=x+y&0=1&n%5Bk%5D=1"
    assert message.headers == {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    ("params", "body"),
    [
        ({}, "[]"),
        ({"a": {}}, '{"a":{}}'),
        ({"a": []}, '{"a":[]}'),
        ({"0": "x", "1": "y"}, '["x","y"]'),
        ({"1": "x"}, '{"1":"x"}'),
        ({"a": {"0": {"1": 1}}}, '{"a":[{"1":1}]}'),
        ({"u": "a/b é 😀"}, r'{"u":"a\/b \u00e9 \ud83d\ude00"}'),
        ({"f": 0.1, "g": 1.0, "h": 0.5, "i": 1e25}, '{"f":0.1,"g":1,"h":0.5,"i":1e+25}'),
        ({"t": True, "n": None, "i": 10**20}, '{"t":true,"n":null,"i":100000000000000000000}'),
    ],
)
def test_json_is_compact_and_ascii(params: dict[str, Any], body: str):
    assert build(Request("u", params, "POST")).body == body.encode()


def test_an_empty_object_stays_one():
    assert build(Request("u", {}, "POST", is_object=True)).body == b"{}"


def test_an_empty_form_has_an_empty_body():
    assert build(Request("u", {}, "FORM")).body == b""


@pytest.mark.parametrize("method", ["POST", "FORM"])
def test_the_content_type_of_a_body_cannot_be_changed(method: str):
    message = build(Request("u", {}, method, {"content-type": "text/plain"}), content_type="text/html")

    assert list(message.headers) == ["Content-Type"]
    assert str(message.headers["Content-Type"]).startswith("application/")


def test_headers_of_the_job_win_over_those_of_the_defaults_and_these_over_those_of_the_client():
    defaults = {"headers": {"X-A": "default", "X-B": "default", "X-C": "default"}}
    message = build(Request("u", headers={"X-C": "job"}), defaults, x_b="client", x_c="client", x_d="client")

    assert message.headers == {"x-d": "client", "X-A": "default", "X-B": "default", "X-C": "job"}


def test_headers_of_a_job_are_not_evaluated_but_sent_as_lists():
    headers = {"A": {"attr": "z"}, "B": None, "C": True, "D": ["x", 1], "E": {}, "F": 1.50}

    assert build(Request("u", headers=headers)).headers == {
        "A": ["z"],
        "B": "",
        "C": "1",
        "D": ["x", "1"],
        "E": "",
        "F": "1.5",
    }


def test_an_object_in_a_list_is_no_header():
    with pytest.raises(UserError, match=r'invalid type "object" in headers at path: headers\.A\.0'):
        build(Request("u", headers={"A": [{"b": 1}]}))


def test_defaults_come_first_and_are_replaced_at_every_depth():
    defaults = {"params": {"a": 1, "b": {"x": 1, "y": 2}, "l": [1, 2]}, "headers": {"X": "d"}}
    message = build(Request("u", {"c": 3, "b": {"y": 9}, "l": [7]}), defaults)

    assert message.url == "https://h/v1/u?a=1&b%5Bx%5D=1&b%5By%5D=9&l%5B0%5D=7&l%5B1%5D=2&c=3"


def test_an_empty_parameter_map_keeps_the_defaults_and_null_removes_one():
    defaults = {"params": {"a": 1, "b": {"x": 1}}}

    assert build(Request("u", {"b": {}}), defaults).url == "https://h/v1/u?a=1&b%5Bx%5D=1"
    assert build(Request("u", {"a": None}), defaults).url == "https://h/v1/u?b%5Bx%5D=1"


def test_the_method_of_the_defaults_is_for_jobs_that_have_none():
    assert build(Request("u"), {"method": "post"}).method == "POST"
    assert build(Request("u", method="GET"), {"method": "POST"}).method == "GET"


def test_a_login_knows_no_defaults():
    builder = Builder(BASE, {"X": "client"}, {"params": {"a": 1}, "method": "POST", "headers": {"Y": "d"}})

    assert builder.build_plain(Request("login")) == Message("GET", "https://h/v1/login", {"X": "client"})


@pytest.mark.parametrize("defaults", [{}, {"method": "PUT"}])
def test_an_unknown_method_is_the_users_error(defaults: dict[str, Any]):
    with pytest.raises(UserError) as caught:
        build(Request("u", method="" if defaults else "PUT"), defaults)

    assert str(caught.value).startswith('The "method" property must be on of "GET", "POST", "FORM".')


def test_an_address_that_cannot_be_parsed_is_the_users_error():
    with pytest.raises(UserError) as caught:
        build(Request("https://h:port/x"))

    assert str(caught.value).startswith("Unable to parse URI: https://h:port/x")


def test_values_become_text_and_lists_are_sent_several_times():
    headers = {
        "A": "x",
        "B": 5,
        "C": True,
        "D": None,
        "E": [],
        "F": {},
        "G": ["a", 1, None],
        "H": " padded\t",
        "I": {"0": "a", "1": "b"},
    }

    assert header_values(headers) == {
        "A": "x",
        "B": "5",
        "C": "1",
        "D": "",
        "E": "",
        "F": "",
        "G": ["a", "1", ""],
        "H": "padded",
        "I": ["a", "b"],
    }


@pytest.mark.parametrize(
    ("value", "where", "message"),
    [
        ({"attr": "x"}, "", 'Invalid configuration: invalid type "object" in headers at path: X-Token'),
        ({"a": 1}, "http.headers", 'invalid type "object" in headers at path: http.headers.X-Token'),
        (["a", {"b": 1}], "", 'invalid type "object" in headers at path: X-Token.1'),
        ([["a"]], "", 'invalid type "array" in headers at path: X-Token.0'),
    ],
)
def test_an_object_is_no_header(value: Any, where: str, message: str):
    with pytest.raises(UserError) as error:
        header_values({"X-Token": value}, where)

    assert message in str(error.value)


@pytest.mark.parametrize("value", ["secret\r\nX-Other: 1", "secret\n", "\0secret", ["fine", "secret\x7f"]])
def test_a_value_that_would_start_another_header_is_refused_and_not_repeated(value: Any):
    with pytest.raises(UserError, match="X-Token") as error:
        header_values({"X-Token": value})

    assert "secret" not in str(error.value)


@pytest.mark.parametrize("name", ["", "A B", "A:", "A\nB", "É"])
def test_a_name_that_http_does_not_allow_is_refused(name: str):
    with pytest.raises(UserError, match="cannot be the name of a header"):
        header_values({name: "x"})
