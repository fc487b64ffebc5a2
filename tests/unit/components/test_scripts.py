"""The scripts of a transformation, in order and by name."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from penstock.components.scripts import Transformation


def test_blocks_come_first_and_empty_codes_are_left_out() -> None:
    document = {
        "blocks": [
            {"name": "A", "codes": [{"name": "1", "script": ["x", " "]}, {"name": "2", "script": []}]},
            {"name": "B", "codes": [{"name": "3", "script": "y"}]},
        ],
        "script": ["z"],
        "anything": "else",
    }

    found = msgspec.convert(document, Transformation).scripts

    assert [(script.location, script.texts) for script in found] == [
        ('block "A", code "1"', ["x"]),
        ('block "B", code "3"', ["y"]),
        ("`parameters.script`", ["z"]),
    ]


@given(texts=st.lists(st.lists(st.text(max_size=5), max_size=3), max_size=4))
def test_no_text_is_lost_or_moved(texts: list[list[str]]) -> None:
    blocks = [{"name": "", "codes": [{"name": "", "script": some}]} for some in texts]

    found = msgspec.convert({"blocks": blocks}, Transformation).scripts

    assert [text for script in found for text in script.texts] == [t for some in texts for t in some if t.strip()]
