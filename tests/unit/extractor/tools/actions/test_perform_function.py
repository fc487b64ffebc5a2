from __future__ import annotations

from typing import Any

import pytest

from penstock.foundation import clock
from tests.unit.extractor.tools.actions.asking import ask, complaint


def perform(function: Any, **config: Any) -> Any:
    return ask("perform_function", {"__FUNCTION_CFG": function, "config": config})["result"]


def call(name: str, *args: Any) -> dict[str, Any]:
    return {"function": name, "args": list(args)}


def test_a_function_is_evaluated_with_the_users_parameters():
    assert perform(call("concat", {"attr": "a"}, "-", {"attr": "b.c"}), a="x", b={"c": 1}) == "x-1"


def test_parameters_may_be_functions():
    assert perform({"attr": "a"}, a=call("md5", "x")) == "9dd4e461268c8034f5c8564e155c67a6"


def test_a_parameter_that_fails_matters_only_when_it_is_asked_for():
    assert perform(call("md5", "x"), a=call("nope")) == "9dd4e461268c8034f5c8564e155c67a6"
    assert complaint("perform_function", {"__FUNCTION_CFG": {"attr": "a"}, "config": {"a": call("nope")}}).endswith(
        "attr 'a' not found!"
    )


def test_ifempty_gives_its_first_argument_when_that_is_not_empty():
    assert perform(call("ifempty", "a", "b")) == "a"
    assert perform(call("ifempty", "", "b")) == "b"


def test_both_times_are_now():
    now = int(clock.now().timestamp())

    assert now <= perform({"time": "previousStart"}) <= now + 5
    assert now <= perform({"time": "currentStart"}) <= now + 5


@pytest.mark.parametrize(
    ("function", "result"),
    [
        (call("string_to_date", "2024-02-29 10:00:05"), "2024-02-29"),
        (call("string_to_date", "2024-02-29 +1 day", "%d.%m.%y"), "01.03.24"),
        (call("string_to_date", {"attr": "day"}, call("concat", "%Y", "%m")), "202312"),
        (call("concat", "on ", call("string_to_date", "@0")), "on 1970-01-01"),
        ({"since": {"day": call("string_to_date", "@86400")}}, {"since": {"day": "1970-01-02"}}),
    ],
)
def test_string_to_date_writes_a_moment_as_a_date(function: Any, result: Any):
    assert perform(function, day="2023-12-24") == result


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (None, "__FUNCTION_CFG is missing!"),
        (call("nope"), "User script error: Illegal function 'nope'!"),
        ({"attr": "nope"}, "User script error: Error evaluating user function - attr 'nope' not found!"),
        (call("string_to_date"), "User script error: Bad argument count for function 'string_to_date'!"),
        (call("string_to_date", "never ever"), "User script error: Function 'string_to_date' cannot read"),
        (call("string_to_date", "@99999999999999"), "User script error: Function 'string_to_date' cannot read"),
        (call("string_to_date", {"x": 1}), "An object stands where a text or a number is needed."),
    ],
)
def test_what_cannot_be_evaluated_is_said(function: Any, message: str):
    assert complaint("perform_function", {"__FUNCTION_CFG": function}).startswith(message)


def test_secrets_are_hidden_in_the_result():
    function = call("base64_encode", call("concat", "user:", {"attr": "#password"}))

    assert "c2VjcmV0" not in perform(function, **{"#password": "secret-password"})
    assert perform({"attr": "__CLIENT_ID"}, __CLIENT_ID="client-7") == "--HIDDEN--"
