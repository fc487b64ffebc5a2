from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Generator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import evaluate, flat
from penstock.extractor.base.numbers import Float
from penstock.foundation import clock

NOW = 1_492_674_974
CONTEXTS = {
    "attr": flat({"#token": "s3", "number": 5, "server": {"hosts": ["a", "b"]}, "gone": None, "one": True}),
    "time": flat({"previousStart": 0, "currentStart": NOW}),
}
PLACEHOLDER = {"placeholder": {"value": "a b~c"}}


@pytest.fixture(autouse=True)
def _stopped_clock() -> Generator[None]:
    before = clock.source
    clock.source = lambda: datetime.fromtimestamp(NOW, UTC)
    yield
    clock.source = before


def call(function: str, *arguments: Any) -> Any:
    return evaluate({"function": function, "args": list(arguments)}, CONTEXTS)


def complaint(value: Any, contexts: Any = CONTEXTS) -> str:
    with pytest.raises(UserError) as error:
        evaluate(value, contexts)
    prefix, found, said = str(error.value).partition("User script error: ")
    assert not prefix
    assert found
    return said


def wrong(function: str, *arguments: Any) -> str:
    return complaint({"function": function, "args": list(arguments)})


@pytest.mark.parametrize(
    "value",
    ["attr", 1, None, True, Float("1.5"), [{"attr": "number"}], {"0": {"attr": "number"}}, {}, {"time": "x", "y": 1}],
)
def test_a_scalar_a_top_level_list_and_other_objects_stay(value: Any):
    assert evaluate(value, CONTEXTS) == value


def test_lists_and_objects_inside_an_object_are_evaluated():
    value = {"y": [{"attr": "number"}, {"z": {"time": "currentStart"}}], "x": {"function": "md5", "args": ["a"]}}

    assert evaluate(value, CONTEXTS) == {"y": [5, {"z": NOW}], "x": hashlib.md5(b"a").hexdigest()}


def test_a_reference_finds_leaves_by_dotted_paths():
    assert evaluate({"attr": "server.hosts.1"}, CONTEXTS) == "b"
    assert evaluate({"attr": "one"}, CONTEXTS) is True


def test_a_reference_to_a_context_that_is_not_there_stays():
    assert evaluate({"query": "a"}, CONTEXTS) == {"query": "a"}


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("nope", "Error evaluating user function - attr 'nope' not found!"),
        ("gone", "Error evaluating user function - attr 'gone' not found!"),
        ("server", "Error evaluating user function - attr 'server' not found!"),
        (5, "Error evaluating user function - attr '5' not found!"),
        ({"a/b": 1}, "Error evaluating user function - attr '{\"a\\/b\":1}' is not a string!"),
    ],
)
def test_a_reference_to_nothing_is_an_error(key: Any, said: str):
    assert complaint({"attr": key}) == said


def test_a_function_that_is_not_there_is_an_error():
    assert wrong("system", "ls") == "Illegal function 'system'!"
    assert wrong("urlencode", "a") == "Illegal function 'urlencode'!"
    assert complaint({"function": None}) == "Illegal function ''!"


def test_urlencode_is_for_placeholders():
    encode = {"function": "urlencode", "args": [{"placeholder": "value"}]}

    assert evaluate(encode, PLACEHOLDER) == "a+b%7Ec"
    assert complaint({"placeholder": "nope"}, PLACEHOLDER).endswith("placeholder 'nope' not found!")


def test_arguments_may_be_a_map_or_missing_and_calls_nest():
    inner = {"function": "concat", "args": {"x": {"attr": "#token"}, "y": ":", "z": {"attr": "number"}}}

    assert call("base64_encode", inner) == base64.b64encode(b"s3:5").decode()
    assert evaluate({"function": "time"}, CONTEXTS) == NOW
    assert evaluate({"function": "concat", "args": None}, CONTEXTS) == ""
    assert "Set `args` to a list" in complaint({"function": "md5", "args": "a"})


@pytest.mark.parametrize(
    ("function", "arguments", "result"),
    [
        ("concat", [1, None, True, False, Float("1.50"), "ž"], "111.5ž"),
        ("implode", [",", [1, "a", None]], "1,a,"),
        ("implode", [["a", "b"], "-"], "a-b"),
        ("implode", [{"0": "a", "1": "b"}], "ab"),
        ("ifempty", ["0", "x"], "x"),
        ("ifempty", [0, [1]], [1]),
        ("ifempty", ["a", "x"], "a"),
        ("md5", [5], hashlib.md5(b"5").hexdigest()),
        ("sha1", ["ž"], hashlib.sha1("ž".encode()).hexdigest()),
        ("hash", ["SHA256", "a"], hashlib.sha256(b"a").hexdigest()),
        ("hash_hmac", ["sha256", "data", "key"], hmac.digest(b"key", b"data", "sha256").hex()),
        ("date", ["Y-m-d H:i:s:u"], "2017-04-20 07:56:14:000000"),
        ("date", ["Y-m-d", None], "1970-01-01"),
        ("date", ["U", " 86400"], "86400"),
        ("date", ["U", Float("1.9")], "1"),
        ("strtotime", ["-1 day"], NOW - 86_400),
        ("strtotime", ["+1 day", 0], 86_400),
        ("strtotime", ["+1 day", None], 86_400),
        ("sprintf", ["%s-%03d", "a", "7"], "a-007"),
    ],
)
def test_functions_give_what_they_promise(function: str, arguments: list[Any], result: Any):
    assert call(function, *arguments) == result


def test_a_raw_hash_is_for_other_functions():
    signature = {"function": "hash_hmac", "args": ["sha1", "data", "key", True]}

    assert call("base64_encode", signature) == base64.b64encode(hmac.digest(b"key", b"data", "sha1")).decode()
    assert call("md5", call("concat", "a", "b")) == hashlib.md5(b"ab").hexdigest()
    assert complaint({"x": signature}).startswith("The result is not text.")


@pytest.mark.parametrize(
    ("function", "arguments", "said"),
    [
        ("ifempty", ["a"], "Bad argument count for function 'ifempty'!"),
        ("md5", [], "Bad argument count for function 'md5'! It takes 1 to 2, not 0."),
        ("time", [1], "Bad argument count for function 'time'! It takes 0, not 1."),
        ("sprintf", [], "Bad argument count for function 'sprintf'! It takes at least 1, not 0."),
        ("md5", [["a"]], "Function 'md5' needs a text or a number"),
        ("concat", ["a", ["b"]], "Function 'concat' needs a text or a number"),
        ("implode", [",", "a"], "Function 'implode' needs a list"),
        ("implode", [",", [["a"]]], "Function 'implode' needs a text or a number"),
        ("hash", ["sha9", "a"], "Function 'hash' does not know this algorithm; it knows md5, "),
        ("hash_hmac", ["crc32b", "a", "k"], "Function 'hash_hmac' does not know this algorithm"),
        ("date", ["Y", "2020-01-01"], "Function 'date' needs a number, not another text."),
        ("date", ["Y", Float("1e30")], "Function 'date' needs a number of at most 64 bits."),
        ("date", ["Y", 2**70], "Function 'date' needs a number of at most 64 bits."),
        ("date", ["Y", [1]], "Function 'date' needs a number, not a list or an object."),
        ("strtotime", ["s3cret"], "Function 'strtotime' cannot read its first argument as a date or a time."),
        ("sprintf", ["%d %d", 1], "Function 'sprintf' has 1 values for its format, which asks for 2."),
        ("md5", ["\ud800"], "Function 'md5' got half of a character."),
    ],
)
def test_wrong_arguments_are_named(function: str, arguments: list[Any], said: str):
    assert wrong(function, *arguments).startswith(said)


def test_a_value_that_is_nested_too_deeply_is_an_error():
    value: Any = {"a": 1}
    for _ in range(5000):
        value = {"a": value}

    assert complaint(value) == "The value is nested too deeply."


def test_flat_has_only_leaves():
    nested = {"a": {"b": [1, {"c": None}], "d": {}, "e": []}, "f": "x", "a.d": 2}

    assert flat(nested) == {"a.b.0": 1, "a.b.1.c": None, "f": "x", "a.d": 2}
    assert list(flat(nested)) == ["a.b.0", "a.b.1.c", "f", "a.d"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
)
CALLS = st.builds(
    lambda name, arguments: {"function": name, "args": arguments},
    st.sampled_from(["md5", "hash", "date", "strtotime", "sprintf", "concat", "implode", "ifempty", "urlencode"]),
    st.lists(JSON, max_size=4),
)


@given(CALLS)
def test_whatever_is_called_gives_a_value_or_an_error_of_the_user(value: Any):
    with suppress(UserError):
        json.dumps(evaluate(value, PLACEHOLDER), ensure_ascii=False).encode()


@given(JSON)
def test_what_holds_no_function_stays(value: Any):
    assert evaluate(value, {"attr": {}}) == value
