"""Variables of the vault over HTTP: stored, replaced, found, removed."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation import stacks
from penstock.services.vault.operations import make_hash
from tests.support.http import Response
from tests.support.stacks import ServicesOnly


@pytest.fixture(autouse=True)
def empty(shared: ServicesOnly) -> None:
    vault = shared.service("vault")
    while variables := vault.get("/variables").json:
        for variable in variables:
            assert vault.delete(f"/variables/{variable['hash']}").status == 200


def put(services: ServicesOnly, key: str, value: str, branch: str | None = None, **rest: Any) -> dict[str, Any]:
    attributes = {"branchId": branch} if branch else {}
    response = services.service("vault").post(
        "/variables", {"key": key, "value": value, "attributes": attributes, **rest}
    )
    assert response.status == 201, response.text
    return response.json


def listed(services: ServicesOnly, path: str) -> list[tuple[str, str]]:
    response = services.service("vault").get(path)
    assert response.status == 200, response.text
    return [(variable["key"], variable["value"]) for variable in response.json]


def test_a_variable_is_kept_shown_and_forgotten(shared: ServicesOnly) -> None:
    made = put(shared, "host", "db.example.com", group="databases", flags=["oauthCredentialsId"])
    vault = shared.service("vault")

    assert made == {
        "hash": made["hash"],
        "key": "host",
        "value": "db.example.com",
        "flags": ["oauthCredentialsId"],
        "group": "databases",
        "attributes": {},
    }
    assert re.fullmatch("[0-9a-f]{64}", made["hash"])
    assert vault.get("/variables").json == [made]
    gone = vault.delete(f"/variables/{made['hash']}")
    assert (gone.status, gone.body) == (200, b"")
    assert vault.get("/variables").json == []


def test_what_need_not_be_given_has_a_default(shared: ServicesOnly) -> None:
    # `[]` for an empty map is what one client sends.
    made = shared.service("vault").post("/variables", {"key": "host", "value": "", "attributes": []}).json

    assert (made["value"], made["flags"], made["group"], made["attributes"]) == ("", [], None, {})


def test_the_same_key_and_attributes_replace_the_variable(shared: ServicesOnly) -> None:
    first, _ = put(shared, "host", "one", group="old"), put(shared, "port", "1")
    second = put(shared, "host", "two")

    assert second["hash"] == first["hash"]
    assert second["group"] is None
    assert listed(shared, "/variables") == [("host", "two"), ("port", "1")]


def test_other_attributes_make_another_variable(shared: ServicesOnly) -> None:
    put(shared, "host", "main")
    put(shared, "host", "branch", branch="7")
    put(shared, "host", "other", attributes={"branchId": "7", "stage": "in"})

    assert listed(shared, "/variables") == [("host", "main"), ("host", "branch"), ("host", "other")]


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=4), st.randoms())
def test_the_hash_does_not_depend_on_the_order_of_attributes(attributes: dict[str, str], random: Any) -> None:
    names = list(attributes)
    random.shuffle(names)

    assert make_hash("key", attributes) == make_hash("key", {name: attributes[name] for name in names})
    assert make_hash("key", attributes) != make_hash("kez", attributes)
    assert make_hash("key", attributes) != make_hash("key", {**attributes, "one more": "x"})


def test_lists_are_filtered_by_key_and_by_attributes(shared: ServicesOnly) -> None:
    put(shared, "host", "main")
    put(shared, "host", "seven", branch="7")
    put(shared, "port", "seven's", attributes={"branchId": "7", "it": "x"})

    assert listed(shared, "/variables?key=host") == [("host", "main"), ("host", "seven")]
    assert listed(shared, "/variables?attributes[branchId]=7") == [("host", "seven"), ("port", "seven's")]
    assert listed(shared, "/variables?attributes[branchId]=7&key=port") == [("port", "seven's")]
    assert listed(shared, "/variables?attributes[branchId]=7&attributes[it]=x") == [("port", "seven's")]
    assert listed(shared, "/variables?attributes[branchId]=") == [("host", "main")]
    assert listed(shared, "/variables?attributes[branchId]=70") == []
    assert listed(shared, "/variables?key=hos") == []


@pytest.mark.parametrize("name", ['a"b', "a'b", "$.x", "a%b", "ü", "\x00", "branchId.x"])
def test_an_odd_name_of_an_attribute_finds_nothing(shared: ServicesOnly, name: str) -> None:
    put(shared, "host", "main", branch="7")

    assert listed(shared, f"/variables?{urlencode({f'attributes[{name}]': '7'})}") == []


def test_lists_come_in_pages(shared: ServicesOnly) -> None:
    for number in range(101):
        put(shared, f"v{number}", str(number))
    every = [(f"v{number}", str(number)) for number in range(101)]

    assert listed(shared, "/variables") == every[:100]
    assert listed(shared, "/variables?offset=99&limit=100") == every[99:]
    assert listed(shared, "/variables?offset=2&limit=3") == every[2:5]
    assert listed(shared, f"/variables?offset={2**62}") == []


def test_a_branch_sees_its_own_variables_before_those_of_the_project(shared: ServicesOnly) -> None:
    put(shared, "host", "project's")
    put(shared, "port", "project's")
    put(shared, "host", "seven's", branch="7")
    put(shared, "only", "seven's", branch="7")
    put(shared, "host", "eight's", branch="8")
    seven = [("port", "project's"), ("host", "seven's"), ("only", "seven's")]

    assert listed(shared, "/variables/scoped/branch/7") == seven
    assert listed(shared, "/variables/merged/branch?branchId=7") == seven
    assert listed(shared, "/variables/scoped/branch/9") == [("host", "project's"), ("port", "project's")]
    assert listed(shared, "/variables/scoped/branch/7?key=host") == [("host", "seven's")]
    assert listed(shared, "/variables/scoped/branch/7?attributes[branchId]=") == [
        ("host", "project's"),
        ("port", "project's"),
    ]


def test_main_may_be_asked_for_by_its_word(shared: ServicesOnly) -> None:
    main = shared.service("storage").get("/v2/storage/dev-branches/default").json["id"]
    put(shared, "host", "main's", branch=str(main))

    assert listed(shared, "/variables/scoped/branch/default") == [("host", "main's")]


@pytest.mark.parametrize(
    "path",
    [
        "/variables?limit=0",
        "/variables?limit=101",
        "/variables?limit=many",
        "/variables?offset=-1",
        f"/variables?offset={2**63}",
        "/variables?attributes=7",
        "/variables?attributes[branchId][]=7",
        "/variables/scoped/branch/seven",
        "/variables/scoped/branch/-1",
        "/variables/merged/branch",
        "/variables/merged/branch?branchId=",
    ],
)
def test_wrong_parameters_of_a_list_are_not_found(shared: ServicesOnly, path: str) -> None:
    check_error(shared.service("vault").get(path), 404)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"key": ""}, "key"),
        ({"key": "1st"}, "key"),
        ({"key": "with space"}, "key"),
        ({"key": "line\n"}, "key"),
        ({"key": "ü"}, "key"),
        ({"key": "x" * 256}, "key"),
        ({"key": None}, "key"),
        ({"key": 5}, "key"),
        ({"value": None}, "value"),
        ({"value": 5}, "value"),
        ({"value": {"a": 1}}, "value"),
        ({"flags": ["secret"]}, "flags"),
        ({"flags": "encrypted"}, "flags"),
        ({"group": ""}, "group"),
        ({"group": "x" * 256}, "group"),
        ({"attributes": {"branchId": 7}}, "attributes"),
        ({"attributes": {"branchId": ""}}, "attributes"),
        ({"attributes": {"branchId": "main"}}, "attributes.branchId"),
        ({"attributes": {"branchId": None}}, "attributes"),
        ({"attributes": ["7"]}, "attributes"),
    ],
)
def test_a_wrong_variable_is_refused_by_the_name_of_the_field(
    shared: ServicesOnly, wrong: dict[str, Any], field: str
) -> None:
    response = shared.service("vault").post("/variables", {"key": "good", "value": "good", **wrong})

    assert field in check_error(response, 422)
    assert shared.service("vault").get("/variables").json == []


@pytest.mark.parametrize("body", [b"", b"[1]", b"{", b'"text"', b"\xff", b"[" * 5000])
def test_a_value_that_is_not_an_object_is_refused(shared: ServicesOnly, body: bytes) -> None:
    check_error(shared.service("vault").send("POST", "/variables", body, {"Content-Type": "application/json"}), 422)


@pytest.mark.parametrize("unknown", ["0" * 64, "nope", "%00", "a%22b"])
def test_an_unknown_hash_is_not_found(shared: ServicesOnly, unknown: str) -> None:
    put(shared, "host", "kept")

    check_error(shared.service("vault").delete(f"/variables/{unknown}"), 404)
    assert listed(shared, "/variables") == [("host", "kept")]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_health_is_public_by_both_methods(shared: ServicesOnly, method: str) -> None:
    response = shared.service("vault", token="").send(method, "/health-check")

    assert (response.status, response.json.keys()) == (200, {"api", "documentation"})
    assert response.json["api"] == "vault"


def test_the_vault_is_reached_on_its_own_host(shared: ServicesOnly) -> None:
    host = stacks.service_host("vault", "penstock.localhost")

    assert host == "vault.penstock.localhost"
    assert shared.by_host(host, shared.project.token).get("/variables").json == []


def check_error(response: Response, status: int) -> str:
    assert response.status == status, response.text
    assert response.json.keys() == {"error", "code", "status", "context", "exceptionId"}
    assert (response.json["code"], response.json["status"]) == (status, "error")
    return response.json["error"]


def test_the_specification_defines_how_attributes_are_written(shared: ServicesOnly) -> None:
    paths = shared.service("portal").get("/specs/vault.json").json["paths"]
    attributes = next(each for each in paths["/variables"]["get"]["parameters"] if each["name"] == "attributes")

    assert (attributes["style"], attributes["explode"]) == ("deepObject", True)
    assert paths["/variables"]["post"]["responses"].keys() >= {"201", "401", "403", "422", "4XX"}


def test_too_many_attributes_are_refused_wherever_they_are_named(shared: ServicesOnly) -> None:
    vault = shared.service("vault")
    many = {f"a{number}": "x" for number in range(3000)}
    query = "&".join(f"attributes[a{number}]=x" for number in range(3000))

    assert vault.post("/variables", {"key": "host", "value": "", "attributes": many}).status == 422
    assert vault.get(f"/variables?{query}").status == 400
    assert vault.get(f"/variables/scoped/branch/1?{query}").status == 400
    enough = dict(list(many.items())[:100])
    assert vault.post("/variables", {"key": "host", "value": "", "attributes": enough}).status == 201
    assert vault.get("/variables?" + "&".join(f"attributes[{name}]=x" for name in enough)).status == 200
