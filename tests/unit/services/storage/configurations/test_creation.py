"""Creation of configurations, and the contents of their documents."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from penstock.services.storage.operations.configurations.documents import DOCUMENT_BYTES
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.configurations.making import CONFIGS, create, created


def test_what_is_created_is_shown_in_the_same_way_everywhere(services: ServicesOnly) -> None:
    made = created(services, configurationId="mine", description="for tests", configuration={"parameters": {"a": 1}})
    storage = services.service("storage")

    shown = storage.get(f"{CONFIGS}/mine").json
    assert shown == {**made, "rows": [], "rowsSortOrder": []}
    assert shown in storage.get(CONFIGS).json
    assert (made["configuration"], made["state"]) == ({"parameters": {"a": 1}}, {})
    assert (made["version"], made["isDisabled"], made["isDeleted"]) == (1, False, False)
    assert made["changeDescription"] == made["currentVersion"]["changeDescription"] == "Configuration created"
    assert isinstance(made["creatorToken"]["id"], int)
    assert made["currentVersion"]["versionIdentifier"]


def test_a_client_that_decodes_the_response_over_its_rows_still_has_them(shared: ServicesOnly) -> None:
    wanted: dict[str, Any] = {"name": "With rows", "rows": [{"name": "first"}, {"name": "second"}]}
    merged = {**wanted, **created(shared, name="With rows", rowsSortOrder=[])}

    assert merged["rows"] == wanted["rows"]


def test_an_id_is_made_when_none_is_given(services: ServicesOnly) -> None:
    first, second = created(services), created(services, configurationId="")

    assert first["id"].isdecimal()
    assert int(second["id"]) > int(first["id"])


@pytest.mark.parametrize("prefix", ["", "/branch/default"])
@pytest.mark.parametrize("component", ["ex-generic-v2", "keboola.ex-generic-v2"])
def test_an_alias_is_the_same_component(services: ServicesOnly, prefix: str, component: str) -> None:
    storage = services.service("storage")
    path = f"/v2/storage{prefix}/components/{component}/configs"
    storage.post(path, {"name": "x", "configurationId": "by-alias"})

    assert storage.get(f"{CONFIGS}/by-alias").json["name"] == "x"
    assert storage.get(f"{path}/by-alias").json["name"] == "x"


def test_a_branch_is_known_by_its_number(shared: ServicesOnly) -> None:
    storage = shared.service("storage")

    assert storage.get("/v2/storage/branch/2/components/ex-generic-v2/configs/sample-orders").status == 200
    response = storage.get("/v2/storage/branch/123456/components/ex-generic-v2/configs")
    assert (response.status, response.json["error"]) == (404, 'Branch id:"123456" was not found.')


def test_an_id_is_used_once(services: ServicesOnly) -> None:
    created(services, configurationId="once")
    response = create(services, configurationId="once", name="again")

    assert (response.status, response.json["code"]) == (400, "configurationAlreadyExists")
    assert services.service("storage").get(f"{CONFIGS}/once").json["name"] == "A configuration"


@pytest.mark.parametrize("config_id", [" ", "\t", "\u2003 ", "a/b", ".."])
def test_an_id_that_cannot_be_seen_or_asked_for_is_refused(shared: ServicesOnly, config_id: str) -> None:
    response = create(shared, configurationId=config_id)

    assert (response.status, response.json["code"]) == (400, "storage.components.validation")
    assert " - configurationId: " in response.json["error"]


@pytest.mark.parametrize("name", [None, "", []])
def test_a_configuration_needs_a_name(shared: ServicesOnly, name: object) -> None:
    response = create(shared, name=name)

    assert (response.status, response.json["code"]) == (400, "storage.components.validation")
    assert " - name: " in response.json["error"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"a": {"b": [1, {}, []]}}, {"a": {"b": [1, {}, []]}}),
        ('{"a": 1}', {"a": 1}),
        ('  {"z": 1, "a": 2}', {"z": 1, "a": 2}),
        ("[]", {}),
        ("", {}),
        ([], {}),
        ({}, {}),
        (None, {}),
    ],
)
def test_a_document_may_come_as_an_object_or_as_text(shared: ServicesOnly, given: object, kept: object) -> None:
    made = created(shared, configuration=given, state=given)

    assert made["configuration"] == made["state"] == kept


@pytest.mark.parametrize("given", [5, 0, True, False, "text", "5", "{", '"a"', [1], "[1]", "   ", 1.5, "{" * 5000])
def test_a_document_that_is_not_an_object_is_refused(shared: ServicesOnly, given: object) -> None:
    response = create(shared, configuration=given)
    assert (response.status, response.json["code"]) == (400, "validation.invalidConfigurationFormat")
    assert '"configuration"' in response.json["error"]

    response = create(shared, state=given)
    assert (response.status, response.json["code"]) == (400, "validation.invalidStateFormat")


def nested(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


@pytest.mark.parametrize("depth", [150, 250, 450, 700, 990, 100_000])
def test_a_document_nested_too_deep_is_refused(shared: ServicesOnly, depth: int) -> None:
    as_text = create(shared, configuration=nested(depth))
    body = f'{{"name":"x","configuration":{nested(depth)}}}'.encode()
    as_object = shared.service("storage").send("POST", CONFIGS, body, {"Content-Type": "application/json"})

    assert as_text.status == as_object.status == (201 if depth == 150 else 400)


def test_keys_stay_in_order_and_empty_lists_stay_lists(services: ServicesOnly) -> None:
    document = '{"zebra":{"y":[],"x":{}},"apple":[{"b":1,"a":2}],"10":null,"2":true}'
    made = created(services, configurationId="ordered", configuration=document)
    response = services.service("storage").get(f"{CONFIGS}/ordered").text

    assert f'"configuration":{document}' in response
    assert list(made["configuration"]) == ["zebra", "apple", "10", "2"]


@pytest.mark.parametrize("number", ["123456789012345678901234567890", "-1", "0.1", "1e2", "9007199254740993"])
def test_numbers_keep_their_value(shared: ServicesOnly, number: str) -> None:
    body = f'{{"name":"x","configuration":{{"n":{number}}}}}'.encode()
    response = shared.service("storage").send("POST", CONFIGS, body, {"Content-Type": "application/json"})

    assert json.loads(response.body)["configuration"]["n"] == json.loads(number)


@pytest.mark.parametrize("text", ["ž", "\u0000", "😀", " spaces ", "<script>", 'quote"', "line\nbreak", "\u2028"])
def test_any_text_is_kept(shared: ServicesOnly, text: str) -> None:
    made = created(shared, name=text, description=text, configuration={text: text})

    assert (made["name"], made["description"], made["configuration"]) == (text, text, {text: text})


@pytest.mark.parametrize("value", ["1", "true", "True", True, 1])
def test_a_configuration_may_be_disabled(shared: ServicesOnly, value: object) -> None:
    assert created(shared, isDisabled=value)["isDisabled"]


@pytest.mark.parametrize(
    ("wish", "named"),
    [({"name": 5}, "name"), ({"isDisabled": "x"}, "isDisabled"), ({"configurationId": {}}, "configurationId")],
)
def test_a_wrong_field_is_named(shared: ServicesOnly, wish: dict[str, Any], named: str) -> None:
    response = create(shared, **wish)

    assert response.status == 400
    assert f" - {named}: " in response.json["error"]


def test_a_document_may_be_large_but_not_too_large(services: ServicesOnly) -> None:
    room = DOCUMENT_BYTES - len('{"a":""}')

    assert create(services, configuration={"a": "x" * room}).status == 201
    response = create(services, configuration={"a": "x" * (room + 1)})
    assert (response.status, response.json["code"]) == (413, "requestTooLarge")


def test_a_document_that_is_too_large_is_refused_without_waiting_to_write(services: ServicesOnly) -> None:
    rows = f"{CONFIGS}/{created(services)['id']}/rows"
    row_id = services.service("storage").post(rows, {"name": "row"}).json["id"]
    too_large = {"name": "x", "configuration": {"a": "x" * DOCUMENT_BYTES}}
    storage = services.service("storage")

    with services.stack.database.writing():
        assert storage.post(CONFIGS, too_large).status == 413
        assert storage.put(rows.removesuffix("/rows"), too_large).status == 413
        assert storage.post(rows, too_large).status == 413
        assert storage.put(f"{rows}/{row_id}", too_large).status == 413


def test_an_unknown_component_has_no_configurations(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    path = "/v2/storage/components/keboola.nothing/configs"

    for response in (storage.get(path), storage.get(f"{path}/1"), storage.post(path, {"name": "x"})):
        assert (response.status, response.json["error"]) == (404, 'Component "keboola.nothing" not found')


@pytest.mark.parametrize("config_id", ["absent", "..", "%00", "' OR 1=1 --", "configs"])
def test_an_unknown_configuration_is_not_found(shared: ServicesOnly, config_id: str) -> None:
    response = shared.service("storage").get(f"{CONFIGS}/{quote(config_id)}")

    assert (response.status, response.json["code"]) == (404, "storage.configuration.notFound")
