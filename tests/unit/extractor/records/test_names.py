from __future__ import annotations

import hashlib

import pytest

from penstock.extractor.records.names import Scope, column_name, distinct_names, table_name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("id", "id"),
        ("_id", "id"),
        ("~~stuff°°.I ARE POTAT()", "stuff_I_ARE_POTAT"),
        ("a-b", "a-b"),
        ("ěš", ""),
        ("AReallyTrulyIncrediblyHellishlyLongFromOuterSpaceAndAgePropertyName", "9f656540f0cee93f2a26f4f9770bc70d"),
        (
            "KIND_Strong_Pledges : KIND_Strong_Conversions_Pledges: Click-through Revenue",
            "t_KIND_Strong_Conversions_Pledges_Click-through_Revenue",
        ),
    ],
)
def test_column_names_are_tidied_and_shortened(path: str, name: str):
    assert column_name(path) == name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("users", "users"),
        ("users.contacts", "users_contacts"),
        ("user/{user-id}", "user_user-id"),
        ("users-2.members.tags", "users-2_members_tags"),
        ("v1/users?active=1", "v1_users_active_1"),
    ],
)
def test_table_names_are_tidied(path: str, name: str):
    assert table_name(path) == name


def test_names_of_61_characters_stay_and_longer_ones_do_not():
    assert column_name("a" * 61) == "a" * 61
    assert len(column_name("a" * 62)) == 32


def test_a_scope_numbers_what_it_has_given_already():
    scope = Scope()

    assert [scope.take("a") for _ in range(3)] == ["a", "a_u0", "a_u1"]


def test_many_names_of_one_spelling_and_endless_hyphens_take_no_time():
    scope = Scope()
    assert [scope.take("a") for _ in range(50_000)][-1] == "a_u49998"
    assert scope.take("a_u7") == "a_u7_u0"
    assert len(column_name("-" * 1_000_000)) == 32


def test_the_first_who_wishes_for_a_name_gets_it_and_the_others_get_digits_of_their_own():
    first, second, third = ("t", "a b"), ("t", "a.b"), ("t", "c")

    names = distinct_names({first: "t_a_b", second: "t_a_b", third: "t_c"}, {"t_c"})

    assert names == {first: "t_a_b", second: "t_a_b_2b53d272", third: "t_c_e950a593"}
    assert distinct_names({second: "t_a_b"}, {"t_a_b"})[second] == names[second]


def test_digits_are_more_if_a_name_is_taken_with_them():
    (name,) = distinct_names({("t", "a"): "x"}, {"x"}).values()
    (longer,) = distinct_names({("t", "a"): "x"}, {"x", name}).values()

    assert longer.startswith(name)
    assert len(longer) == len("x_") + 16


def test_names_with_digits_are_no_longer_than_others():
    (name,) = distinct_names({("t", "a"): "x" * 64}, {"x" * 64}).values()

    assert len(name) == 64
    assert distinct_names({("é",): ""}, ()) == {("é",): name_without_wish()}


def name_without_wish() -> str:
    return hashlib.md5("é".encode()).hexdigest()[:8]
