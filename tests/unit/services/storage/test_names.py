"""Names: cleaned and validated before anything is created."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.storage.errors.buckets import InvalidDisplayName
from penstock.services.storage.errors.tables import InvalidColumns
from penstock.services.storage.names import COLUMN_LENGTH, is_name, to_column_name, to_columns
from penstock.services.storage.operations.names import check_column_names, clean_display_name
from tests.support.http import Response
from tests.support.stacks import ServicesOnly


def ask(services: ServicesOnly, path: str, body: dict[str, Any]) -> Response:
    return services.service("storage").post(f"/v2/storage/{path}", body)


@pytest.mark.parametrize(
    ("given_name", "clean"),
    [
        ("plain", "plain"),
        ("Žluťoučký kůň", "Zlutoucky-kun"),
        ("_~dlažební  %_kostky_~", "dlazebni-_kostky_"),
        ("a.b/c", "a-b-c"),
        ("__x", "x"),
    ],
)
def test_a_display_name_is_cleaned(shared: ServicesOnly, given_name: str, clean: str) -> None:
    response = ask(shared, "webalize/display-name", {"displayName": given_name})

    assert (response.status, response.json) == (200, {"displayName": clean})


@pytest.mark.parametrize("given_name", ["", "___", "-", "水", "x" * 97])
def test_a_display_name_of_which_nothing_can_be_made_is_refused(shared: ServicesOnly, given_name: str) -> None:
    response = ask(shared, "webalize/display-name", {"displayName": given_name})

    assert (response.status, response.json["code"]) == (422, "storage.webalize.displayName.invalid")


@given(st.text(max_size=120))
def test_what_was_cleaned_is_a_name_and_stays_as_it_is(text: str) -> None:
    try:
        name = clean_display_name(text)
    except InvalidDisplayName:
        return
    assert is_name(name)
    assert clean_display_name(name) == name


def test_names_of_columns_are_cleaned(shared: ServicesOnly) -> None:
    response = ask(shared, "webalize/column-names", {"columnNames": ["Jméno a příjmení", "id", "_x_", "oid", "a__b"]})

    assert (response.status, response.json) == (200, {"columnNames": ["Jmeno_a_prijmeni", "id", "x", "oid_", "a__b"]})


@pytest.mark.parametrize("name", ["", "%", "x" * 65])
def test_a_column_of_which_nothing_can_be_made_is_refused(shared: ServicesOnly, name: str) -> None:
    response = ask(shared, "webalize/column-names", {"columnNames": ["id", name]})

    assert (response.status, response.json["code"]) == (400, "storage.tables.validation.invalidColumnName")


def test_good_names_of_columns_are_good(shared: ServicesOnly) -> None:
    response = ask(shared, "validate/column-names", {"columnNames": ["id", "Name", "a__b"]})

    assert (response.status, response.body) == (204, b"")


def test_every_invalid_column_name_is_reported(shared: ServicesOnly) -> None:
    response = ask(shared, "validate/column-names", {"columnNames": ["id", "ž", "ID", "", "x" * 65, "oid"]})

    assert (response.status, response.headers["content-type"]) == (422, "application/json")
    assert [each["key"] for each in response.json["errors"]] == [f"columnNames[{number}]" for number in range(1, 6)]
    assert all(each["message"] in response.json["error"] for each in response.json["errors"])


@pytest.mark.parametrize("path", ["webalize/display-name", "webalize/column-names", "validate/column-names"])
@pytest.mark.parametrize("body", [{}, {"displayName": 5, "columnNames": "x"}, {"columnNames": [5], "displayName": []}])
def test_a_wrong_question_is_refused(shared: ServicesOnly, path: str, body: dict[str, Any]) -> None:
    assert ask(shared, path, body).status == 400


@given(st.lists(st.text(max_size=70), max_size=5))
def test_a_name_is_at_fault_or_it_is_a_name(names: list[str]) -> None:
    try:
        check_column_names(names)
    except InvalidColumns:
        return
    assert all(name.isascii() and name.replace("_", "x").isalnum() for name in names)
    assert len({name.lower() for name in names}) == len(names)


@pytest.mark.parametrize("header", [[f"k{n}" for n in range(100_000)], ["!" * (n % 7) + "a" for n in range(100_000)]])
def test_naming_many_columns_takes_time_in_proportion_to_their_number(header: list[str]) -> None:
    began = time.monotonic()
    names = to_columns(header)

    assert len({name.lower() for name in names}) == len(header)
    # Some tenths of a second; comparing each with each would take minutes.
    assert time.monotonic() - began < 60


@given(st.lists(st.sampled_from(["a", "A", "a!", "a_2", "A_2", "é", "", "oid", "x" * 63, "x" * 64, "x" * 62 + "_y"])))
def test_columns_of_one_spelling_get_the_first_numbers_that_are_free(header: list[str]) -> None:
    taken: list[str] = []
    for name in map(to_column_name, header):
        numbered = (f"{name[:60].rstrip('_')}_{number}" for number in range(2, len(header) + 2))
        taken.append(next(each for each in (name, *numbered) if each.lower() not in map(str.lower, taken)))

    assert to_columns(header) == tuple(taken)


def test_a_name_with_a_large_number_is_no_longer_than_others() -> None:
    names = to_columns(["x" * 64] * 1100)

    assert len(set(names)) == 1100
    assert max(map(len, names)) <= COLUMN_LENGTH
