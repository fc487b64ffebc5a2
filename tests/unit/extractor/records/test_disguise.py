from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.records.disguise import disguise_all, disguised, revealed

TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("aé大\0"))


@given(TEXTS)
def test_a_disguised_text_is_revealed_as_utf_8(text: str):
    assert revealed(disguised(text)) == text.encode()
    assert len(disguised(text)) == len(text.encode())


@given(st.lists(TEXTS))
def test_many_texts_are_disguised_as_one_is(texts: list[str]):
    assert list(disguise_all(texts)) == list(map(disguised, texts))


def test_ascii_needs_no_disguise():
    texts = ["a", "", "b\0c"]

    assert disguise_all(texts) is texts
