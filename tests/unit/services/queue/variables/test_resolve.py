"""All placeholders of a configuration, in their order, and what is told and recorded of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.errors import Forbidden, Invalid, NotFound
from penstock.foundation.redaction import HIDDEN
from penstock.services.queue.variables import JobValues, Resolved, resolve

CIPHER = "KBC::ProjectWideSecure::abc+/{="
DECLARED = {"variables": [{"name": "alias", "type": "string"}]}
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


class Kept:
    """Sources that hold what a test gives them."""

    def __init__(self, variables: Any = DECLARED, rows: Mapping[str, Any] = {}, vault: Mapping[str, str] = {}) -> None:
        self._variables, self._rows, self._vault = variables, rows, vault

    def read_shared_code(self, config_id: str, row_id: str) -> dict[str, Any]:
        return self._find(row_id)

    def read_variables(self, config_id: str) -> dict[str, Any]:
        if config_id == "not-yours":
            raise Forbidden("You don't have access to the resource.")
        if config_id != "vars":
            raise NotFound(f'Configuration "{config_id}" not found')
        return self._variables

    def read_values(self, config_id: str, row_id: str) -> dict[str, Any]:
        return self._find(row_id)

    def read_vault(self) -> dict[str, str]:
        return dict(self._vault)

    def _find(self, row_id: str) -> dict[str, Any]:
        if row_id not in self._rows:
            raise NotFound(f"Row {row_id} not found")
        return self._rows[row_id]


def values(**given: Any) -> dict[str, Any]:
    return {"values": [{"name": name, "value": value} for name, value in given.items()]}


def inline(**given: Any) -> JobValues:
    return JobValues(values_data=values(**given))


def with_variables(text: Any = "{{ alias }}", **rest: Any) -> dict[str, Any]:
    return {"variables_id": "vars", "parameters": {"text": text}, **rest}


def text_of(resolved: Resolved) -> Any:
    return resolved.document["parameters"]["text"]


def recorded(resolved: Resolved) -> list[tuple[str, str]]:
    return [(each.name, each.value) for each in resolved.variables]


def complaint(document: dict[str, Any], sources: Kept, wanted: JobValues) -> str:
    with pytest.raises(Invalid) as caught:
        resolve(document, sources, wanted)
    return caught.value.message


ROWS = {"day": values(alias="batman"), "night": values(alias="bruce")}


@pytest.mark.parametrize(
    ("default", "wanted", "expected", "told"),
    [
        ("day", JobValues(), "batman", 'Replacing variables using default values with ID: "day"'),
        ("day", JobValues(values_id="night"), "bruce", 'Replacing variables using values with ID: "night".'),
        (None, JobValues(values_id="night"), "bruce", 'Replacing variables using values with ID: "night".'),
        ("day", inline(alias="robin"), "robin", "Replacing variables using inline values."),
        (
            "day",
            JobValues(values_data={"values": []}),
            "batman",
            'Replacing variables using default values with ID: "day"',
        ),
    ],
)
def test_the_job_chooses_the_values_before_the_configuration(
    default: str | None, wanted: JobValues, expected: str, told: str
) -> None:
    resolved = resolve(with_variables(variables_values_id=default), Kept(rows=ROWS), wanted)

    assert (text_of(resolved), resolved.told, recorded(resolved)) == (expected, [told], [("alias", expected)])


def test_sets_of_values_are_not_mixed() -> None:
    rows = {"day": values(alias="batman", extra="x")}
    document = with_variables("{{ alias }}", variables_values_id="day")

    assert complaint(document, Kept(rows=rows), inline(extra="y")) == 'No value provided for variable "alias".'


def test_values_that_are_not_declared_may_be_used() -> None:
    assert text_of(resolve(with_variables("{{ alias }}-{{ extra }}"), Kept(), inline(alias="a", extra="b"))) == "a-b"


@pytest.mark.parametrize(
    ("given", "expected"),
    [(5, "5"), (5.5, "5.5"), (5.0, "5"), (0, "0"), (True, "true"), (None, ""), ("", ""), (10**20, str(10**20))],
)
def test_values_become_text(given: Any, expected: str) -> None:
    assert text_of(resolve(with_variables(), Kept(), inline(alias=given))) == expected


def test_without_variables_other_placeholders_stay_as_they_are() -> None:
    document = {"parameters": {"text": "{{ alias }} {{{ x }}} {{#section}}"}}
    resolved = resolve(document, Kept(), inline(alias="robin"))

    assert (resolved.document, resolved.variables, resolved.told) == (document, [], [])


def test_the_vault_works_without_variables() -> None:
    resolved = resolve({"a": "{{ vault.host }}{{ x }}"}, Kept(vault={"host": "h"}), JobValues())

    assert (resolved.document, recorded(resolved)) == ({"a": "h{{ x }}"}, [("vault.host", "h")])


def test_the_steps_follow_each_other() -> None:
    """Shared code brings placeholders of the vault and of variables, and a vault value may hold a variable; but what a
    variable brings is not looked at again."""
    document = with_variables(
        ["{{ snippet }}"], shared_code_id="code", shared_code_row_ids=["snippet"], variables_values_id="day"
    )
    rows = {"snippet": {"code_content": ["{{ vault.greeting }}", "{{ alias }}"]}, "day": values(alias="{{ vault.x }}")}
    resolved = resolve(document, Kept(rows=rows, vault={"greeting": "I am {{ alias }}", "x": "unseen"}), JobValues())

    assert text_of(resolved) == ["I am {{ vault.x }}", "{{ vault.x }}"]
    assert resolved.told == [
        'Loaded shared code snippets with ids: "snippet".',
        'Replacing variables using default values with ID: "day"',
    ]
    assert recorded(resolved) == [("vault.greeting", "I am {{ alias }}"), ("alias", "{{ vault.x }}")]


def test_all_missing_names_are_told_at_once() -> None:
    document = with_variables("{{ vault.b }} {{ c }} {{ alias }} {{ a }} {{{ vault.d }}}")

    assert complaint(document, Kept(), inline(alias="x")) == "Missing values for placeholders: c, a, vault.d, vault.b"
    assert complaint({"x": "{{ vault.b }}"}, Kept(), JobValues()) == "Missing values for placeholders: vault.b"


@pytest.mark.parametrize(
    ("document", "sources", "wanted", "expected"),
    [
        (
            {},
            Kept(),
            JobValues(values_id="day", values_data=values(a="b")),
            "Only one of variableValuesId and variableValuesData can be entered.",
        ),
        (with_variables(), Kept(), JobValues(), 'No variable values provided for variables configuration "vars".'),
        (
            {"variables_id": "gone"},
            Kept(),
            JobValues(),
            'Variable configuration cannot be read: Configuration "gone" not found',
        ),
        (
            {"variables_id": "not-yours"},
            Kept(),
            JobValues(),
            "Variable configuration cannot be read: You don't have access to the resource.",
        ),
        (
            with_variables(),
            Kept(),
            JobValues(values_id="gone"),
            'Cannot read variable values "gone" of variables configuration "vars".',
        ),
        (
            with_variables(),
            Kept(),
            JobValues(values_data={"values": [{"name": "", "value": "x"}]}),
            "Variable name cannot be empty.",
        ),
        (
            with_variables("{{{ alias }}}"),
            Kept(),
            inline(alias='"'),
            "Variable replacement resulted in invalid configuration, error: ",
        ),
        (
            {"shared_code_id": "code", "shared_code_row_ids": ["gone"]},
            Kept(),
            JobValues(),
            "Shared code configuration cannot be read: Row gone not found",
        ),
    ],
)
def test_what_is_wrong_is_said(document: dict[str, Any], sources: Kept, wanted: JobValues, expected: str) -> None:
    assert complaint(document, sources, wanted).startswith(expected)


@pytest.mark.parametrize(
    "declared",
    [
        {},
        {"variables": {}},
        {"variables": [{"name": "alias"}]},
        {"variables": [{"name": "", "type": "string"}]},
        {"variables": [{"name": "alias", "type": "number"}]},
        {"variables": ["alias"]},
    ],
)
def test_a_wrong_declaration_is_told(declared: dict[str, Any]) -> None:
    said = complaint(with_variables(), Kept(variables=declared), inline(alias="x"))

    assert said.startswith("Variable configuration is invalid: ")


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"values": {}},
        {"values": [{"name": "alias"}]},
        {"values": [{"name": "alias", "value": ""}]},
        {"values": [{"name": "alias", "value": None}]},
        {"values": [{"name": "alias", "value": ["x"]}]},
        {"values": ["alias"]},
    ],
)
def test_wrong_values_are_told(row: dict[str, Any]) -> None:
    said = complaint(with_variables(), Kept(rows={"day": row}), JobValues(values_id="day"))

    assert said.startswith("Variable values configuration is invalid: ")


def test_secrets_are_recorded_as_masked() -> None:
    document = {
        "variables_id": "vars",
        "#password": "{{ vault.password }}",
        "nested": {"#token": ["{{alias}}"], "#sealed": "KBC::ProjectSecure::/open/"},
        "elsewhere": "{{ vault.cipher }} {{ open }} {{ ali }}",
    }
    vault = {"password": "plain, but used as a secret", "cipher": CIPHER}
    resolved = resolve(document, Kept(vault=vault), inline(alias="t0k3n", open="o", ali="baba"))

    assert recorded(resolved) == [
        ("vault.password", HIDDEN),
        ("vault.cipher", HIDDEN),
        ("alias", HIDDEN),
        ("open", "o"),
        ("ali", "baba"),
    ]
    assert resolved.document["elsewhere"] == f"{CIPHER} o baba"


def test_ciphers_pass_through_untouched() -> None:
    document = with_variables("{{ alias }}", **{"#secret": CIPHER, "#from": "{{ vault.x }}"})
    resolved = resolve(document, Kept(vault={"x": CIPHER}), inline(alias="a"))

    assert (resolved.document["#secret"], resolved.document["#from"]) == (CIPHER, CIPHER)


@given(texts, texts)
def test_no_value_changes_the_shape_of_a_document(alias: str, host: str) -> None:
    document = with_variables({"a": "{{ alias }}", "b": [1, {"c": "x{{ vault.host }}y"}]})
    if "{{" in host or host.endswith("{") or "{{" in f"x{host}y":
        return
    resolved = resolve(document, Kept(vault={"host": host}), inline(alias=alias))

    assert text_of(resolved) == {"a": alias, "b": [1, {"c": f"x{host}y"}]}
    assert json.loads(json.dumps(resolved.document)) == resolved.document
