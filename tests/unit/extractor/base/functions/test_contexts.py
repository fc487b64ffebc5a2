"""Which values of a configuration come from its secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.functions import comes_from_secret, evaluate, flat, private_texts

EXPRESSIONS = json.loads((Path(__file__).parents[4] / "data" / "secret_expressions.json").read_text())
ATTRIBUTES = {
    "#token": "canary-token",
    "deep": {"#token": "canary-deep"},
    "#both": {"user": "canary-user"},
    "shop": "x",
}
CONTEXTS = {"attr": flat(ATTRIBUTES), "time": {"previousStart": 0, "currentStart": 1}}


calls = st.recursive(
    st.sampled_from([{"attr": "shop"}, {"attr": "#token"}, "text"]),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda args: {"function": "concat", "args": args}),
    max_leaves=6,
)


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=json.dumps)
def test_a_reference_to_a_secret_is_seen_whatever_is_made_of_it(expression: Any) -> None:
    assert comes_from_secret(expression)
    assert private_texts({"p": expression}, {"p": evaluate(expression, CONTEXTS)})


@pytest.mark.parametrize(
    "expression",
    [
        "#token",
        5,
        None,
        {"attr": "shop"},
        {"attr": "to#ken"},
        {"time": "currentStart"},
        {"function": "md5", "args": ["#token", {"attr": "shop"}]},
        ["#token"],
    ],
)
def test_anything_else_is_not(expression: Any) -> None:
    assert not comes_from_secret(expression)


@given(calls)
def test_what_holds_the_secret_came_from_it(expression: Any) -> None:
    value = evaluate(expression, CONTEXTS)

    assert comes_from_secret(expression) == ("canary" in str(value))
