from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Step, Stop
from tests.unit.extractor.requests.pagination.model import method_of

JOB = Request("users")


def after(document: Any, **flag: Any) -> Step | Stop:
    method = method_of(method="pagenum", nextPageFlag=flag)
    return method.after(JOB, method.first(JOB).position, Page([1], document=document))


@pytest.mark.parametrize("value", [True, 1, "no", [0], {}, "0.0", Float("0.1")])
def test_whatever_is_not_empty_is_true(value: Any):
    assert after({"more": value}, field="more", stopOn=True) == Stop("Stopping scrolling because 'more' is 'true'")
    assert isinstance(after({"more": value}, field="more", stopOn=False), Step)


@pytest.mark.parametrize("value", [False, 0, "", "0", [], Float("0.0")])
def test_whatever_is_empty_is_false(value: Any):
    assert after({"more": value}, field="more", stopOn=False) == Stop("Stopping scrolling because 'more' is 'false'")
    assert isinstance(after({"more": value}, field="more", stopOn=True), Step)


@pytest.mark.parametrize("document", [{}, {"more": None}, [], ["more"], None, "more", {"a": {"more": True}}])
@pytest.mark.parametrize("stop_on", [True, False])
def test_a_missing_field_stops_unless_told_otherwise(document: Any, stop_on: bool):
    assert isinstance(after(document, field="more", stopOn=stop_on), Stop)
    assert isinstance(after(document, field="more", stopOn=stop_on, ifNotSet=None), Stop)
    assert isinstance(after(document, field="more", stopOn=stop_on, ifNotSet=stop_on), Stop)
    assert isinstance(after(document, field="more", stopOn=stop_on, ifNotSet=not stop_on), Step)


def test_a_field_is_a_key_of_the_response_itself_and_a_path_leads_anywhere():
    assert isinstance(after({"a.b": True, "a": {"b": False}}, field="a.b", stopOn=True), Stop)
    assert after({"a.b": False, "a": {"b": 1}}, path="a.b", stopOn=True) == Stop(
        "Stopping scrolling because 'a.b' is 'true'"
    )
    assert isinstance(after({"a": {}}, path="a.b", stopOn=True, ifNotSet=False), Step)


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ({"stopOn": True}, "'field' has to be specified for 'nextPageFlag'"),
        ({"field": "", "stopOn": True}, "'field' has to be specified for 'nextPageFlag'"),
        ({"field": "a"}, "'stopOn' value must be set to a boolean value for 'nextPageFlag'. "),
        (
            {"field": "a", "stopOn": "yes"},
            "'stopOn' value must be set to a boolean value for 'nextPageFlag', given 'string' type.",
        ),
        (
            {"field": "a", "stopOn": 1},
            "'stopOn' value must be set to a boolean value for 'nextPageFlag', given 'integer' type.",
        ),
        ({"field": "a", "stopOn": True, "ifNotSet": []}, "'ifNotSet' value must be boolean, given 'array' type."),
        ({"field": "a", "stopOn": True, "ifNotSet": 0.5}, "'ifNotSet' value must be boolean, given 'double' type."),
        ({"field": "a", "path": "b", "stopOn": True}, "Invalid configuration: Specify only one of 'field' and 'path'"),
        ({"field": ["a"], "stopOn": True}, "Invalid configuration: Expected a text"),
    ],
)
def test_mistakes_are_told_with_their_path(flag: dict[str, Any], message: str):
    with pytest.raises(UserError) as raised:
        after({}, **flag)

    assert str(raised.value).startswith(message)
    assert "`parameters.api.pagination.nextPageFlag." in str(raised.value)


@pytest.mark.parametrize("value", ["x", 5, True])
def test_a_flag_that_is_no_map_has_no_field(value: Any):
    with pytest.raises(UserError, match=r"^'field' has to be specified"):
        method_of(nextPageFlag=value)
