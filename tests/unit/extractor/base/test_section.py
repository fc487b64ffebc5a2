from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.section import Section


def section_of(value: Any) -> Section:
    return Section({"key": value}, "p")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "x"),
        (5, "5"),
        (1.50, "1.5"),
        *((empty, "usual") for empty in ("", "0", 0, False, None, [], {})),
    ],
)
def test_a_number_is_as_good_as_its_text_and_what_is_empty_is_not_set(value: Any, text: str):
    assert section_of(value).text("key", "usual") == text
    assert section_of(value).text("other", "usual") == "usual"


@pytest.mark.parametrize(("value", "shown"), [(["x"], "an array"), ({"#a": "secret"}, "an object"), (True, "true")])
def test_anything_else_is_no_text_and_what_is_inside_is_not_shown(value: Any, shown: str):
    with pytest.raises(UserError) as raised:
        section_of(value).text("key")

    assert str(raised.value) == f"Invalid configuration: Expected a text, got {shown} - at `p.key`."


@pytest.mark.parametrize(
    ("value", "texts"),
    [("x", ("x",)), (["x", 5, "0"], ("x", "5", "0")), ({"a": "x"}, ("x",)), (None, ()), ([], ()), ("", ())],
)
def test_one_text_is_a_list_of_one(value: Any, texts: tuple[str, ...]):
    assert section_of(value).texts("key") == texts


@pytest.mark.parametrize("value", [[["x"]], [{"a": 1}], True])
def test_a_list_of_texts_holds_nothing_else(value: Any):
    with pytest.raises(UserError, match=r"Expected a list of texts, got .* - at `p\.key`"):
        section_of(value).texts("key")


@pytest.mark.parametrize(
    ("value", "is_on"),
    [*((on, True) for on in (True, 1, "1", "true", None)), *((off, False) for off in (False, 0, "0", "", [], {}))],
)
def test_a_flag_may_be_written_loosely_and_null_is_the_default(value: Any, is_on: bool):
    assert section_of(value).flag("key", default=True) is is_on


@pytest.mark.parametrize("value", ["yes", "false", 2, [True]])
def test_any_other_flag_is_refused(value: Any):
    with pytest.raises(UserError, match=r"Expected true or false, got .* - at `p\.key`"):
        section_of(value).flag("key")


@pytest.mark.parametrize(("value", "whole", "exact"), [(5, 5, 5), ("5", 5, 5), ("5.0", 5, 5), (None, None, None)])
def test_a_number_may_be_a_text(value: Any, whole: int | None, exact: int | None):
    assert section_of(value).integer("key") == whole
    assert section_of(value).exact("key") == exact


def test_a_fraction_is_cut_or_refused():
    assert section_of(5.9).integer("key") == 5
    with pytest.raises(UserError, match=r"Expected a whole number, got 5\.9"):
        section_of(5.9).exact("key")


@pytest.mark.parametrize("value", ["x", "", True, [5], {}])
def test_what_is_no_number_is_refused(value: Any):
    with pytest.raises(UserError, match=r"Expected a whole number, got .* - at `p\.key`"):
        section_of(value).integer("key")


@pytest.mark.parametrize(("value", "seconds"), [(5, 5.0), ("2.5", 2.5), (0, 9.0), ("x", 9.0), (None, 9.0), (True, 9.0)])
def test_seconds_that_are_none_are_the_default(value: Any, seconds: float):
    assert section_of(value).seconds("key", 9.0) == seconds


def test_a_section_within_knows_where_it_stands():
    inner = section_of({"a": True}).map("key")

    with pytest.raises(UserError, match=r"at `p\.key\.a`"):
        inner.text("a")
    assert section_of([]).map("key").raw == section_of("x").within("key").raw == {}
    with pytest.raises(UserError, match=r"Expected an object, got \"x\" - at `p\.key`"):
        section_of("x").map("key")


def test_of_two_settings_that_say_the_same_only_one_may_be_set():
    Section({"a": "x", "b": ""}, "p").only_one_of("a", "b")
    with pytest.raises(UserError, match=r"Specify only one of 'a' and 'b' - at `p\.b`"):
        Section({"a": "x", "b": "y"}, "p").only_one_of("a", "b")
