from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.records.legacy.names import safe_name, unique_names
from tests.unit.extractor.records.legacy.reading import md5


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("id", "id"),
        ("a__b", "a__b"),
        ("_x~~y_", "x__y"),
        ("a-b", "a-b"),
        ("né", "n"),
        ("éa", "a"),
        ("aéb", "a__b"),
        ("ěš", ""),
        ("r.o.l", "r_o_l"),
        ("AReallyTrulyIncrediblyHellishlyLongFromOuterSpaceAndAgePropertyName", "f95907f4eca1c54a08b97cd3a5561ebf"),
        (
            "KIND_Strong_Pledges : KIND_Strong_Conversions_Pledges: Click-through Revenue",
            "KKCtR____KIND_Strong_Conversions_Pledges__Click-through_Revenue",
        ),
    ],
)
def test_a_name_keeps_its_runs_of_underscores_but_not_those_at_its_ends(name: str, safe: str):
    assert safe_name(name) == safe


def test_names_of_64_bytes_stay_and_longer_ones_do_not():
    assert safe_name("a" * 64) == "a" * 64
    assert safe_name("a" * 65) == md5("a" * 65)
    assert safe_name("é" * 31 + "ab") == "ab"
    assert safe_name("é" * 32 + "a") == md5("é" * 32 + "a")


def test_the_tail_of_a_long_name_starts_with_a_space_or_else_with_an_underscore():
    name = "first_" + "x" * 50 + " second_" + "y" * 20

    assert safe_name(name) == "fs__second_" + "y" * 20
    assert safe_name(name.replace(" ", "_")) == "f__second_" + "y" * 20


def test_an_apostrophe_belongs_to_a_word_and_hyphens_alone_are_none():
    assert safe_name("don't" * 14) == md5("don't" * 14)
    assert safe_name("a" * 60 + " -- 123").startswith(md5("a" * 60 + " -- 123"))
    assert safe_name("a" * 60 + " -- x23").startswith("ax")


def test_a_long_name_without_a_place_to_cut_is_its_initials():
    assert safe_name("a b " + "c" * 70) == "abc"


def test_initials_beyond_the_longest_name_leave_no_room_for_a_tail():
    assert safe_name("a b_ " * 40) == "ab" * 40


def test_a_second_column_of_one_name_is_called_by_the_md5_of_its_key():
    assert unique_names(["a_b", "a.b", "x"]) == ("a_b", md5("a.b"), "x")
    assert unique_names(["tag", "tag"]) == ("tag", md5("tag"))


def test_a_third_column_of_one_key_has_no_name_of_its_own():
    assert unique_names(["tag", "tag", "tag"]) == ("tag", md5("tag"))


@given(st.text(st.characters(), max_size=120))
def test_whatever_the_key_the_name_is_safe(name: str):
    assert re.fullmatch(r"|[A-Za-z0-9-]|[A-Za-z0-9-][A-Za-z0-9_-]*[A-Za-z0-9-]", safe_name(name))


def test_endless_hyphens_take_no_time():
    assert safe_name("-" * 1_000_000) == md5("-" * 1_000_000)
