from __future__ import annotations

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.legacy.types import is_valid, merge

NEW = ["NULL", "scalar", "object", "arrayOfNULL", "arrayOfscalar", "arrayOfobject"]
ERROR = ""
MERGED = {
    "NULL": NEW,
    "scalar": ["scalar", "scalar", ERROR, "arrayOfscalar", "arrayOfscalar", ERROR],
    "object": ["object", ERROR, "object", "arrayOfobject", ERROR, "arrayOfobject"],
    "arrayOfNULL": ["arrayOfNULL", "arrayOfscalar", "arrayOfobject", "arrayOfNULL", "arrayOfscalar", "arrayOfobject"],
    "arrayOfscalar": ["arrayOfscalar", "arrayOfscalar", ERROR, "arrayOfscalar", "arrayOfscalar", ERROR],
    "arrayOfobject": ["arrayOfobject", ERROR, "arrayOfobject", "arrayOfobject", ERROR, "arrayOfobject"],
}


@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [(old, new, merged) for old, row in MERGED.items() for new, merged in zip(NEW, row, strict=True)],
)
def test_two_types_of_one_column_become_one_or_are_the_users_error(old: str, new: str, merged: str):
    if merged:
        assert merge(old, new, "r.a") == merged
        return
    message = f'Error parsing response JSON: Unhandled type change from "{old}" to "{new}" in \'r.a\''
    with pytest.raises(UserError) as caught:
        merge(old, new, "r.a")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("old", ["integer", "string", "double", "boolean", "array"])
@pytest.mark.parametrize("new", NEW[1:])
def test_types_of_old_states_agree_with_no_value(old: str, new: str):
    assert merge(old, "NULL", "r.a") == old
    with pytest.raises(UserError, match="reset the state"):
        merge(old, new, "r.a")


def test_types_that_a_state_may_hold():
    plain = ["scalar", "object", "NULL", "array", "integer", "double", "string", "boolean"]

    assert all(is_valid(kind) and is_valid(f"arrayOf{kind}") for kind in plain)
    assert not any(map(is_valid, ["", "int", "arrayOf", "arrayOfint", "null", "Scalar"]))
