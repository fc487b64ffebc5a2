from __future__ import annotations

import pytest

from penstock.extractor.records.names import Scope, column_name, table_name


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
