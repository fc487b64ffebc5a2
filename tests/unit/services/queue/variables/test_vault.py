"""`{{ vault.name }}` in configurations."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.queue.variables.vault import fill_document

VALUES = {"host": "db.example.com", "with-dash_1": "x"}
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def never() -> dict[str, str]:
    raise AssertionError("The vault was read although nothing asks for it.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ vault.host }}", "db.example.com"),
        ("{{vault.host}}", "db.example.com"),
        ("https://{{   vault.host }}/{{ vault.with-dash_1 }}", "https://db.example.com/x"),
        ("{{{ vault.host }}}", "{{{ vault.host }}}"),
        ("{{ vault.host.x }}", "{{ vault.host.x }}"),
        ("{{ Vault.host }}", "{{ Vault.host }}"),
        ("{{ other }}", "{{ other }}"),
    ],
)
def test_two_braces_and_a_name_of_the_vault_become_the_value(text: str, expected: str) -> None:
    assert fill_document({"a": [text]}, lambda: VALUES).document == {"a": [expected]}


def test_an_unknown_name_is_collected_and_its_placeholder_stays() -> None:
    filled = fill_document({"a": "{{ vault.b }}{{ vault.b }}{{ vault.host }}"}, lambda: VALUES)

    assert (filled.missing, filled.used) == (["vault.b"], {"vault.host": "db.example.com"})
    assert filled.document == {"a": "{{ vault.b }}{{ vault.b }}db.example.com"}


@pytest.mark.parametrize("document", [{}, {"a": "{{ x }}"}, {"a": "vault.x"}])
def test_the_vault_is_read_only_if_something_asks_for_it(document: dict[str, Any]) -> None:
    assert fill_document(document, never).document is document


@given(texts)
def test_a_value_arrives_as_it_is_whatever_it_holds(value: str) -> None:
    assert fill_document({"a": "<{{ vault.x }}>"}, lambda: {"x": value}).document == {"a": f"<{value}>"}
