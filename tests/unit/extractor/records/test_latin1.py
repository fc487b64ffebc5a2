from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.records.latin1 import all_as_latin1, as_latin1, to_bytes

TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("aé大\0"))


@given(TEXTS)
def test_a_disguised_text_is_revealed_as_utf_8(text: str):
    assert to_bytes(as_latin1(text)) == text.encode()
    assert len(as_latin1(text)) == len(text.encode())


@given(st.lists(TEXTS))
def test_many_texts_are_disguised_as_one_is(texts: list[str]):
    assert list(all_as_latin1(texts)) == list(map(as_latin1, texts))


def test_ascii_needs_no_disguise():
    texts = ["a", "", "b\0c"]

    assert all_as_latin1(texts) is texts
