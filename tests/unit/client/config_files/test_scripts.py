"""Code of transformations as files."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.client.config_files.scripts import put_scripts, take_scripts

SQL, PYTHON = "keboola.duckdb-transformation", "keboola.python-transformation-v2"
LINES = st.lists(st.sampled_from(["select 1;", "-- next statement", "# next statement", "", "\n", "\n\n", "é", "\r\n"]))
STATEMENTS = st.lists(LINES.map("\n".join), max_size=4)
CODES = st.lists(st.fixed_dictionaries({"name": st.text(max_size=8), "script": STATEMENTS | st.none() | st.text()}))
BLOCKS = st.lists(st.fixed_dictionaries({"name": st.text(max_size=8), "codes": CODES}), max_size=3)


@given(BLOCKS, st.sampled_from([SQL, PYTHON]))
def test_code_that_is_taken_out_comes_back_exactly(blocks: list[Any], component: str) -> None:
    document = {"parameters": {"blocks": blocks}, "storage": {}}
    taken, texts = take_scripts(document, component)

    assert put_scripts(taken, component, texts.__getitem__) == document


@pytest.mark.parametrize("document", [{}, [], None, {"parameters": []}, {"parameters": {"blocks": [1, {"codes": 2}]}}])
def test_other_documents_stay_as_they_are(document: Any) -> None:
    assert take_scripts(document, SQL) == (document, {})
    assert put_scripts(document, SQL, lambda _path: "") == document


def test_files_have_the_order_the_name_and_the_language_of_the_code() -> None:
    blocks = [{"name": "Load!", "codes": [{"name": "", "script": ["a"]}, {"name": "B c", "script": ["b"]}]}]
    _taken, texts = take_scripts({"parameters": {"blocks": blocks}}, SQL)

    assert texts == {"scripts/01-load/01.sql": "a\n", "scripts/01-load/02-b-c.sql": "b\n"}
