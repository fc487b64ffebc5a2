"""Configurations: stored as they were sent, except for secrets, which are never stored as they were sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from penstock.foundation.secrets import PREFIX, Scope, UnreadableSecret
from penstock.services.storage.operations.configurations.documents import DOCUMENT_BYTES
from tests.support.http import Answer
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project

COMPONENT = "/v2/storage/components/ex-generic-v2"
CONFIGS = f"{COMPONENT}/configs"
CANARY = "canary-5f0c9e"


def create(services: ServicesOnly, **wanted: Any) -> Answer:
    return services.service("storage").post(CONFIGS, {"name": "A configuration", **wanted})


def created(services: ServicesOnly, **wanted: Any) -> dict[str, Any]:
    answer = create(services, **wanted)
    assert answer.status == 201, answer.text
    return answer.json


def test_what_is_created_is_shown_in_the_same_way_everywhere(services: ServicesOnly) -> None:
    made = created(services, configurationId="mine", description="for tests", configuration={"parameters": {"a": 1}})
    storage = services.service("storage")

    assert storage.get(f"{CONFIGS}/mine").json == made
    assert made in storage.get(CONFIGS).json
    assert made["configuration"] == {"parameters": {"a": 1}}
    assert (made["state"], made["rows"], made["rowsSortOrder"]) == ({}, [], [])
    assert (made["version"], made["isDisabled"], made["isDeleted"]) == (1, False, False)
    assert made["changeDescription"] == made["currentVersion"]["changeDescription"] == "Configuration created"
    assert isinstance(made["creatorToken"]["id"], int)
    assert made["currentVersion"]["versionIdentifier"]


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
    answer = storage.get("/v2/storage/branch/123456/components/ex-generic-v2/configs")
    assert (answer.status, answer.json["error"]) == (404, 'Branch id:"123456" was not found.')


def test_an_id_is_used_once(services: ServicesOnly) -> None:
    created(services, configurationId="once")
    answer = create(services, configurationId="once", name="again")

    assert (answer.status, answer.json["code"]) == (400, "configurationAlreadyExists")
    assert services.service("storage").get(f"{CONFIGS}/once").json["name"] == "A configuration"


@pytest.mark.parametrize("name", [None, "", []])
def test_a_configuration_needs_a_name(shared: ServicesOnly, name: object) -> None:
    answer = create(shared, name=name)

    assert (answer.status, answer.json["code"]) == (400, "storage.components.validation")
    assert " - name: " in answer.json["error"]


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
def test_a_document_that_is_no_object_is_refused(shared: ServicesOnly, given: object) -> None:
    answer = create(shared, configuration=given)
    assert (answer.status, answer.json["code"]) == (400, "validation.invalidConfigurationFormat")
    assert '"configuration"' in answer.json["error"]

    answer = create(shared, state=given)
    assert (answer.status, answer.json["code"]) == (400, "validation.invalidStateFormat")


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
    answer = services.service("storage").get(f"{CONFIGS}/ordered").text

    assert f'"configuration":{document}' in answer
    assert list(made["configuration"]) == ["zebra", "apple", "10", "2"]


@pytest.mark.parametrize("number", ["123456789012345678901234567890", "-1", "0.1", "1e2", "9007199254740993"])
def test_numbers_keep_their_value(shared: ServicesOnly, number: str) -> None:
    body = f'{{"name":"x","configuration":{{"n":{number}}}}}'.encode()
    answer = shared.service("storage").send("POST", CONFIGS, body, {"Content-Type": "application/json"})

    assert json.loads(answer.body)["configuration"]["n"] == json.loads(number)


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
    answer = create(shared, **wish)

    assert answer.status == 400
    assert f" - {named}: " in answer.json["error"]


def test_a_document_may_be_large_but_not_too_large(services: ServicesOnly) -> None:
    room = DOCUMENT_BYTES - len('{"a":""}')

    assert create(services, configuration={"a": "x" * room}).status == 201
    answer = create(services, configuration={"a": "x" * (room + 1)})
    assert (answer.status, answer.json["code"]) == (413, "requestTooLarge")


def test_an_unknown_component_has_no_configurations(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    path = "/v2/storage/components/keboola.nothing/configs"

    for answer in (storage.get(path), storage.get(f"{path}/1"), storage.post(path, {"name": "x"})):
        assert (answer.status, answer.json["error"]) == (404, 'Component "keboola.nothing" not found')


@pytest.mark.parametrize("config_id", ["absent", "..", "%00", "' OR 1=1 --", "configs"])
def test_an_unknown_configuration_is_not_found(shared: ServicesOnly, config_id: str) -> None:
    answer = shared.service("storage").get(f"{CONFIGS}/{quote(config_id)}")

    assert (answer.status, answer.json["code"]) == (404, "storage.configuration.notFound")


def test_a_component_is_shown_to_everybody(shared: ServicesOnly) -> None:
    component = shared.service("storage", token="").get(COMPONENT).json

    assert (component["id"], component["name"], component["type"]) == ("ex-generic-v2", "Generic", "extractor")
    assert component["uri"].endswith(COMPONENT)


def test_the_list_of_components_has_their_configurations(services: ServicesOnly) -> None:
    storage = services.service("storage")
    [component] = storage.get("/v2/storage/components").json
    full = storage.get("/v2/storage/components?include=configuration,rows,state").json[0]

    assert {config["id"] for config in component["configurations"]} == {"sample-customers", "sample-orders"}
    assert not component["configurations"][0].keys() & {"configuration", "rows", "state"}
    assert {"configuration", "rows", "state"} <= full["configurations"][0].keys()
    assert storage.get("/v2/storage/components?componentType=writer").json == []
    assert len(storage.get("/v2/storage/components?componentType=extractor").json) == 1


def test_a_project_sees_only_its_own_configurations(services: ServicesOnly) -> None:
    created(services, configurationId="mine")
    foreign = services.service("storage", add_project(services).token)

    assert foreign.get(CONFIGS).json == []
    assert foreign.get("/v2/storage/components").json == []
    seen, absent = foreign.get(f"{CONFIGS}/mine"), foreign.get(f"{CONFIGS}/none")
    assert seen.status == absent.status == 404
    assert seen.json["error"].replace("mine", "none") == absent.json["error"]
    assert foreign.post(CONFIGS, {"name": "theirs", "configurationId": "mine"}).status == 201
    assert services.service("storage").get(f"{CONFIGS}/mine").json["name"] == "A configuration"


SECRETS: dict[str, Any] = {
    "#password": CANARY,
    "#number": 81726354,
    "#list": [CANARY, [CANARY]],
    "nested": [{"deeper": {"#token": f"x{CANARY}x", "plain": "stays"}}],
    "#object": {"#inside": CANARY, "plain": "stays"},
    "#": CANARY,
}


def test_secrets_are_encrypted_before_anything_is_written(services: ServicesOnly) -> None:
    as_text = json.dumps(SECRETS)
    made = created(services, configurationId="a", configuration=SECRETS, state={"component": SECRETS})
    also = created(services, configurationId="b", configuration=as_text, state=as_text)
    answers = [services.service("storage").get(path).text for path in everything(made, also)]
    services.service("queue").post("/jobs", {"component": "ex-generic-v2", "configData": SECRETS})

    assert made["configuration"]["#password"].startswith(PREFIX)
    assert made["configuration"]["nested"][0]["deeper"]["plain"] == "stays"
    assert not any(secret in text for text in [json.dumps([made, also]), *answers] for secret in (CANARY, "81726354"))
    services.stack.database.close()
    assert [path for path in files(services.stack.folder) if CANARY.encode() in path.read_bytes()] == []
    assert [path for path in files(services.stack.folder) if b"81726354" in path.read_bytes()] == []


def everything(*configurations: dict[str, Any]) -> Iterator[str]:
    yield from (CONFIGS, "/v2/storage/components?include=configuration,rows,state", "/v2/storage/events?limit=10000")
    yield from (f"{CONFIGS}/{configuration['id']}" for configuration in configurations)


def files(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.rglob("*") if path.is_file())


def test_a_secret_opens_in_its_project_and_component_only(services: ServicesOnly) -> None:
    document = created(services, configuration={"#password": CANARY})["configuration"]
    cipher, project = services.stack.cipher, services.project.id

    assert cipher.decrypt(document, Scope(project, "ex-generic-v2")) == {"#password": CANARY}
    for scope in (Scope(project + 1, "ex-generic-v2"), Scope(project, "keboola.other")):
        with pytest.raises(UnreadableSecret, match="#password"):
            cipher.decrypt(document, scope)


def test_a_secret_of_an_alias_opens_for_the_component(services: ServicesOnly) -> None:
    path = "/v2/storage/components/keboola.ex-generic-v2/configs"
    made = services.service("storage").post(path, {"name": "x", "configuration": {"#a": CANARY}}).json

    opened = services.stack.cipher.decrypt(made["configuration"], Scope(services.project.id, "ex-generic-v2"))
    assert opened == {"#a": CANARY}


@pytest.mark.parametrize(
    "value", [f"{PREFIX}abc", "KBC::ProjectSecureKV::abc", "KBC::ComponentSecure::x", "{{ vault.password }}"]
)
def test_what_is_sealed_already_stays_as_it_is(shared: ServicesOnly, value: str) -> None:
    assert created(shared, configuration={"#a": value})["configuration"] == {"#a": value}


def put(services: ServicesOnly, path: str, document: Any) -> Answer:
    return services.service("storage").put(path, document)


def changed(services: ServicesOnly, config_id: str, **wanted: Any) -> dict[str, Any]:
    answer = put(services, f"{CONFIGS}/{config_id}", wanted)
    assert answer.status == 200, answer.text
    return answer.json


def test_a_change_makes_a_new_version_and_leaves_the_rest(services: ServicesOnly) -> None:
    made = created(services, configurationId="mine", description="old", configuration={"a": 1}, state={"s": 1})
    after = changed(services, "mine", name="New", configuration={"b": []}, isDisabled="true")

    assert (after["version"], after["changeDescription"]) == (2, "Configuration updated")
    assert (after["name"], after["description"], after["isDisabled"]) == ("New", "old", True)
    assert (after["configuration"], after["state"]) == ({"b": []}, {"s": 1})
    assert after["currentVersion"]["versionIdentifier"] != made["currentVersion"]["versionIdentifier"]
    assert (after["created"], after["creatorToken"]) == (made["created"], made["creatorToken"])
    assert services.service("storage").get(f"{CONFIGS}/mine").json == after


@pytest.mark.parametrize(
    ("wish", "version"),
    [
        ({}, 1),
        ({"name": "A configuration", "configuration": {"a": 1}, "description": "d"}, 1),
        ({"name": None, "configuration": None, "rowsSortOrder": None, "rowsSortOrder2": 5}, 1),
        ({"state": {"x": 1}}, 1),
        ({"branchId": 5, "componentId": "other", "rows": [{"id": "1"}]}, 1),
        ({"changeDescription": "nothing but words"}, 2),
        ({"description": ""}, 2),
        ({"configuration": []}, 2),
        ({"configuration": '{"a": 2}'}, 2),
        ({"isDisabled": 1}, 2),
    ],
)
def test_a_version_comes_of_a_change_or_of_words_about_one(
    shared: ServicesOnly, wish: dict[str, Any], version: int
) -> None:
    made = created(shared, configuration={"a": 1}, description="d")

    assert changed(shared, made["id"], **wish)["version"] == version


def test_an_empty_list_empties_a_document(shared: ServicesOnly) -> None:
    made = created(shared, configuration={"a": 1}, state={"b": 1})
    after = changed(shared, made["id"], configuration=[], state=[])

    assert (after["configuration"], after["state"]) == ({}, {})


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"name": ""}, "storage.components.validation"),
        ({"configuration": "5"}, "validation.invalidConfigurationFormat"),
        ({"configuration": [1]}, "validation.invalidConfigurationFormat"),
        ({"state": 5}, "validation.invalidStateFormat"),
        ({"rowsSortOrder": ["1"]}, "storage.components.validation"),
        ({"rowsSortOrder": "1"}, "validation.failed"),
    ],
)
def test_a_change_that_cannot_be_is_refused_and_changes_nothing(
    shared: ServicesOnly, wish: dict[str, Any], code: str
) -> None:
    made = created(shared, configuration={"a": 1}, state={"b": 1})
    answer = put(shared, f"{CONFIGS}/{made['id']}", {"description": "half", "state": {}, **wish})

    assert (answer.status, answer.json["code"]) == (400, code)
    assert shared.service("storage").get(f"{CONFIGS}/{made['id']}").json == made


def test_a_changed_secret_is_encrypted_and_a_cipher_stays_as_sent(services: ServicesOnly) -> None:
    made = created(services, configurationId="mine", configuration={"#a": CANARY})
    cipher = made["configuration"]["#a"]
    after = changed(services, "mine", configuration={"#a": cipher, "#b": CANARY}, state={"#c": CANARY})

    assert after["configuration"]["#a"] == cipher
    assert after["configuration"]["#b"].startswith(PREFIX)
    assert CANARY not in services.service("storage").get(f"{CONFIGS}/mine/versions?include=configuration").text
    services.stack.database.close()
    assert [path for path in files(services.stack.folder) if CANARY.encode() in path.read_bytes()] == []


def test_the_state_has_a_route_of_its_own(services: ServicesOnly) -> None:
    created(services, configurationId="mine")
    answer = put(services, f"{CONFIGS}/mine/state", {"state": {"a": {}}})

    assert (answer.status, answer.json["state"], answer.json["version"]) == (200, {"a": {}}, 1)
    assert put(services, f"{CONFIGS}/mine/state", {"state": []}).json["state"] == {}
    for wrong in ({}, {"state": "5"}, {"state": [1]}):
        refused = put(services, f"{CONFIGS}/mine/state", wrong)
        assert (refused.status, refused.json["code"]) == (400, "validation.invalidStateFormat")


def test_a_deleted_configuration_is_in_the_trash_and_comes_back(services: ServicesOnly) -> None:
    storage = services.service("storage")
    created(services, configurationId="mine", configuration={"a": 1})

    assert storage.delete(f"{CONFIGS}/mine").status == 204
    assert storage.get(f"{CONFIGS}/mine").json["code"] == "storage.configuration.notFound"
    assert put(services, f"{CONFIGS}/mine", {"name": "x"}).status == 404
    assert "mine" not in {config["id"] for config in storage.get(CONFIGS).json}
    [trashed] = storage.get(f"{CONFIGS}?isDeleted=true").json
    assert (trashed["id"], trashed["isDeleted"], trashed["version"]) == ("mine", True, 2)
    assert trashed["changeDescription"] == "Configuration deleted"
    [component] = storage.get("/v2/storage/components?isDeleted=1").json
    assert [config["id"] for config in component["configurations"]] == ["mine"]

    restored = storage.post(f"{CONFIGS}/mine/restore")
    assert (restored.status, restored.json["version"], restored.json["isDeleted"]) == (200, 3, False)
    assert restored.json["changeDescription"] == "Configuration restored"
    assert restored.json == storage.get(f"{CONFIGS}/mine").json
    assert storage.post(f"{CONFIGS}/mine/restore").status == 404


def test_a_configuration_deleted_twice_is_gone(services: ServicesOnly) -> None:
    storage = services.service("storage")
    created(services, configurationId="mine")
    storage.delete(f"{CONFIGS}/mine")

    assert storage.delete(f"{CONFIGS}/mine").status == 204
    assert storage.delete(f"{CONFIGS}/mine").json["code"] == "storage.configuration.notFound"
    assert storage.post(f"{CONFIGS}/mine/restore").status == 404
    assert created(services, configurationId="mine")["version"] == 1


def test_only_who_may_purge_empties_the_trash(services: ServicesOnly) -> None:
    created(services, configurationId="mine")
    wish = {"description": "limited", "componentAccess": ["ex-generic-v2"]}
    limited = services.service("storage", services.service("storage").post("/v2/storage/tokens", wish).json["token"])

    assert limited.delete(f"{CONFIGS}/mine").status == 204
    assert limited.delete(f"{CONFIGS}/mine").json["code"] == "accessDenied"
    assert services.service("storage").delete(f"{CONFIGS}/mine").status == 204


def test_a_trashed_id_is_used_again_without_its_rows_and_metadata(services: ServicesOnly) -> None:
    storage = services.service("storage")
    created(services, configurationId="mine")
    storage.post(f"{CONFIGS}/mine/rows", {"rowId": "1"})
    storage.post(f"{CONFIGS}/mine/metadata", {"metadata": [{"key": "k", "value": "v"}]})
    storage.delete(f"{CONFIGS}/mine")
    again = created(services, configurationId="mine")

    assert (again["version"], again["rows"], again["isDeleted"]) == (4, [], False)
    assert storage.get(f"{CONFIGS}/mine/metadata").json == []
    assert len(storage.get(f"{CONFIGS}/mine/versions").json) == 4


def test_metadata_of_a_configuration_is_listed_overwritten_and_removed(services: ServicesOnly) -> None:
    storage, path = services.service("storage"), f"{CONFIGS}/mine/metadata"
    created(services, configurationId="mine")
    storage.post(path, {"provider": "ignored", "metadata": [{"key": "a", "value": "1"}, {"key": "b", "value": "2"}]})
    answer = storage.post(path, {"metadata": [{"key": "a", "value": "3"}]})

    assert answer.status == 201
    assert [(item["key"], item["value"]) for item in answer.json] == [("a", "3"), ("b", "2")]
    assert set(answer.json[0]) == {"id", "key", "value", "timestamp"}
    assert storage.get(path).json == answer.json
    assert storage.delete(f"{path}/{answer.json[0]['id']}").status == 204
    assert [item["key"] for item in storage.get(path).json] == ["b"]
    assert storage.delete(f"{path}/{answer.json[0]['id']}").json["code"] == "storage.metadata.notFound"
    assert storage.get(f"{CONFIGS}/absent/metadata").status == 404
    assert storage.post(f"{CONFIGS}/absent/metadata", {"metadata": []}).status == 404


def test_a_search_finds_configurations_by_their_metadata(services: ServicesOnly) -> None:
    storage, search = services.service("storage"), "/v2/storage/branch/default/search/component-configurations"
    for config_id, key in (("one", "x"), ("two", "y"), ("gone", "x")):
        created(services, configurationId=config_id)
        items = [{"key": key, "value": "1"}, {"key": "all", "value": "2"}]
        storage.post(f"{CONFIGS}/{config_id}/metadata", {"metadata": items})
    storage.delete(f"{CONFIGS}/gone")

    def found(query: str) -> dict[str, list[str] | None]:
        hits = storage.get(f"{search}?{query}").json
        return {
            hit["configurationId"]: [item["key"] for item in hit["metadata"]] if "metadata" in hit else None
            for hit in hits
        }

    assert found("metadataKeys[]=x") == {"one": None}
    assert found("metadataKeys[0]=x&metadataKeys[1]=all&include=filteredMetadata") == {
        "one": ["x", "all"],
        "two": ["all"],
    }
    assert found("configurationId=two&include=filteredMetadata") == {"two": ["y", "all"]}
    assert found("include=filteredMetadata") == {"one": ["x", "all"], "two": ["y", "all"]}
    assert set(found("idComponent=ex-generic-v2")) == {"one", "two", "sample-orders", "sample-customers"}
    assert found("idComponent=keboola.other") == {}
    assert found("metadataKeys[]=nothing&include=filteredMetadata") == {}


def test_a_search_needs_a_branch_and_known_conditions(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    without = storage.get("/v2/storage/search/component-configurations")
    unknown = storage.get("/v2/storage/branch/default/search/component-configurations?idConfiguration=1")

    assert (without.status, without.json["error"]) == (501, "Not implemented")
    assert unknown.status == 400
    assert "idConfiguration" in unknown.json["error"]


@pytest.mark.parametrize(
    ("include", "on_configurations", "on_rows"),
    [
        ("", set[str](), None),
        ("configuration", {"configuration"}, None),
        ("rows", {"rows", "rowsSortOrder"}, set[str]()),
        ("rows,configuration", {"rows", "rowsSortOrder", "configuration"}, {"configuration"}),
        ("rows,state", {"rows", "rowsSortOrder", "state"}, {"state"}),
        ("nonsense", set[str](), None),
    ],
)
def test_lists_of_components_hold_what_was_asked_for(
    shared: ServicesOnly, include: str, on_configurations: set[str], on_rows: set[str] | None
) -> None:
    storage = shared.service("storage")
    storage.post(CONFIGS, {"name": "x", "configurationId": "listed", "configuration": {"a": 1}, "state": {"b": 1}})
    storage.post(f"{CONFIGS}/listed/rows", {"rowId": "r", "configuration": {"c": 1}, "state": {"d": 1}})
    [component] = storage.get(f"/v2/storage/components?include={include}").json
    [listed] = [config for config in component["configurations"] if config["id"] == "listed"]

    assert listed.keys() & {"configuration", "state", "rows", "rowsSortOrder"} == on_configurations
    if on_rows is not None:
        assert listed["rows"][0].keys() & {"configuration", "state"} == on_rows
    assert listed.get("configuration", {"a": 1}) == {"a": 1}


def test_tickets_are_numbers_that_grow(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    first, second = storage.post("/v2/storage/tickets"), storage.post("/v2/storage/tickets", {})

    assert first.status == second.status == 201
    assert second.json["id"] > first.json["id"]
    assert storage.post("/v2/storage/branch/default/tickets").status == 404


def test_a_token_needs_access_to_the_component(services: ServicesOnly) -> None:
    created(services, configurationId="mine")
    token = services.service("storage").post("/v2/storage/tokens", {"description": "nothing"}).json["token"]
    nobody = services.service("storage", token)

    assert nobody.get(f"{CONFIGS}/mine").status == 403
    assert nobody.post(CONFIGS, {"name": "x"}).status == 403
    assert nobody.delete(f"{CONFIGS}/mine").status == 403
    assert nobody.get(f"{CONFIGS}/mine/versions").status == 403
    assert nobody.post(f"{CONFIGS}/mine/rows", {}).status == 403
    assert nobody.get("/v2/storage/components").json == []
    assert nobody.get("/v2/storage/branch/default/search/component-configurations").json == []
