"""What is wrong with a value is said in words, whatever the constraint is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.constraints import explain, explain_error, find_example, matching
from penstock.web.bodies import BadRequest, to_model
from tests.support.examples import examples
from tests.unit.services.world import ROWS

JARGON = ("regex", "Expected", "str", "int", "float", "array", "<=", ">=")

texts = st.builds(
    lambda low, more: (Annotated[str, msgspec.Meta(min_length=low, max_length=low + more)], "x" * (low + more + 1)),
    st.integers(0, 20_000),
    st.integers(0, 9),
)
lists = st.builds(
    lambda low, more: (Annotated[list[int], msgspec.Meta(min_length=low, max_length=low + more)], [1] * (low - 1)),
    st.integers(2, 30),
    st.integers(0, 9),
)
maps = st.builds(
    lambda most: (
        Annotated[dict[str, int], msgspec.Meta(max_length=most)],
        {str(number): 1 for number in range(most + 1)},
    ),
    st.integers(0, 30),
)
numbers = st.builds(
    lambda kind, bound, value: (
        Annotated[kind, msgspec.Meta(**{bound: value})],
        value + (-1 if bound in ("ge", "gt") else 1),
    ),
    st.sampled_from([int, float]),
    st.sampled_from(["ge", "gt", "le", "lt"]),
    st.integers(-(10**9), 10**9),
)
multiples = st.builds(lambda step: (Annotated[int, msgspec.Meta(multiple_of=step)], step + 1), st.integers(2, 1000))
patterns = st.sampled_from(
    [
        (Annotated[str, matching("^[a-z]'\\\\?\"*$", "a small letter", "a")], "1"),
        (Annotated[str, msgspec.Meta(pattern="^never put into words$")], "1"),
    ]
)
types = st.sampled_from(
    [(int, "x"), (float, "x"), (bool, "x"), (list[int], 1), (dict[str, int], 1), (str, {"a": 1}), (int | None, "x")]
)
tuples = st.sampled_from([(tuple[int, int], [1]), (tuple[int, int, int], [1])])
wrongs = st.one_of(texts, lists, maps, numbers, multiples, patterns, types, tuples)


@given(wrong=wrongs, is_nested=st.booleans())
@examples(200)
def test_every_constraint_becomes_a_sentence_with_the_path_of_the_field(
    wrong: tuple[Any, Any], is_nested: bool
) -> None:
    kind, value = wrong
    inner = msgspec.defstruct("Inner", [("myField", kind)])
    model = msgspec.defstruct("Outer", [("items", list[inner])]) if is_nested else inner
    with pytest.raises(BadRequest) as raised:
        to_model({"items": [{"myField": value}]} if is_nested else {"myField": value}, model)

    [fault] = raised.value.faults
    assert fault["path"].endswith("myField")
    assert re.fullmatch(r"This .+\.", fault["message"]), fault["message"]
    assert not [word for word in JARGON if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", fault["message"])]


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        ("Expected `str` of length >= 1", "This must not be empty."),
        ("Expected `str` of length <= 255", "This must have at most 255 characters."),
        ("Expected `array` of length <= 10000", "This must have at most 10,000 items."),
        ("Expected `int` >= 1", "This must be a whole number, at least 1."),
        ("Expected `float` <= 9.5", "This must be a number, at most 9.5."),
        ("Expected `str | null`, got `array`", "This must be a text or null, and not a list."),
        ("Object missing required field `name`", "The field `name` is missing."),
        ("Object contains unknown field `nmae`", "There is no field `nmae` here."),
        ("Invalid enum value 'on'", "'on' is not a valid value here."),
        ("Invalid value 7", "7 is not a valid value here."),
        ("It is nested too deep.", "It is nested too deep."),
    ],
)
def test_a_message_in_words(problem: str, sentence: str) -> None:
    assert explain(problem) == sentence


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"sizes": {"a": "x"}}, "`sizes[...]`: This must be a whole number, and not a text."),
        ({"sizes": {"much too long": 1}}, "`keys of sizes`: This must have at most 3 characters."),
        ({"names": [1]}, "`names[0]`: This must be a text, and not a whole number."),
        ({"kind": "c"}, "`kind`: 'c' is not a valid value here."),
        ({"kind": "a", "other": 1}, "There is no field `other` here."),
        (7, "This must be an object, and not a whole number."),
    ],
)
def test_an_error_names_its_field_and_is_a_sentence(value: Any, sentence: str) -> None:
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(value, Document)

    assert explain_error(raised.value) == sentence


def test_the_path_begins_with_that_of_what_was_read() -> None:
    def explain_below(value: Any) -> str:
        with pytest.raises(msgspec.ValidationError) as raised:
            msgspec.convert(value, Document)
        return explain_error(raised.value, "root").partition(": ")[0]

    paths = [explain_below(value) for value in ({"names": 1}, {"sizes": {"much": 1}}, 7)]
    assert paths == ["`root.names`", "`keys of root.sizes`", "`root`"]


class Document(msgspec.Struct, forbid_unknown_fields=True):
    sizes: dict[Annotated[str, msgspec.Meta(max_length=3)], int] = {}
    names: list[str] = []
    kind: Literal["a", "b"] = "a"


def test_every_pattern_of_a_request_is_in_words_with_an_example_that_is_valid() -> None:
    found = {pattern for row in ROWS for model in (row.body, row.query) if model for pattern in _patterns(model)}

    assert found
    for pattern in found:
        example = find_example(pattern)
        assert example is not None, f"write matching(…) instead of msgspec.Meta(pattern={pattern!r})"
        assert re.search(pattern, example), pattern


def _patterns(model: Any) -> Iterator[str]:
    seen: set[int] = set()
    waiting: list[Any] = [msgspec.inspect.type_info(model)]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, msgspec.inspect.StrType) and each.pattern is not None:
            yield each.pattern
        if isinstance(each, msgspec.Struct):
            waiting += [getattr(each, name) for name in each.__struct_fields__]
        elif isinstance(each, tuple):
            waiting += each  # pyright: ignore[reportUnknownArgumentType]
