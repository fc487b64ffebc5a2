"""The actions of the extractor, as the user interface asks for them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.components.generic_extractor import GENERIC_EXTRACTOR
from penstock.extractor.tools.actions import ACTIONS
from tests.support.stacks import ServicesOnly

API = {"baseUrl": "http://sample.penstock.localhost/", "pagination": {"method": "offset", "limit": 2}}
CONFIG = {"jobs": [{"endpoint": "customers", "dataField": "customers"}]}

LISTS = {"content": {"application/json": {"schema": {"type": "array", "items": {"type": "object"}}}}}
OPENAPI = json.dumps(
    {
        "openapi": "3.0.0",
        "servers": [{"url": "http://sample.penstock.localhost"}],
        "paths": {
            "/customers": {"get": {"summary": "All customers", "responses": {"200": LISTS}}},
            "/orders": {"get": {"responses": {"200": LISTS}}},
        },
    }
)


def ask(services: ServicesOnly, action: str, **parameters: Any) -> Any:
    body = {"componentId": "ex-generic-v2", "action": action, "configData": {"parameters": parameters}}
    response = services.service("sync-actions").post("/actions", body)
    assert response.status == 201, response.text
    return response.json


def test_the_catalogue_has_all_actions_of_the_extractor() -> None:
    assert set(GENERIC_EXTRACTOR.synchronous_actions) == set(ACTIONS)


def test_a_request_is_tested(actions: ServicesOnly) -> None:
    result = ask(actions, "test_request", api=API, config=CONFIG, __SELECTED_JOB="0")

    assert result["response"]["status_code"] == 200, result
    assert len(result["records"]) == 2
    assert result["request"]["url"].endswith("/customers?limit=2&offset=0")


def test_a_mapping_is_inferred(actions: ServicesOnly) -> None:
    result = ask(actions, "infer_mapping", api=API, config=CONFIG, __SELECTED_JOB="0", __PRIMARY_KEY=["id"])

    assert result["id"]["mapping"] == {"destination": "id", "primaryKey": True}


@pytest.mark.parametrize(
    ("action", "parameters", "expected"),
    [
        ("load_from_curl", {"__CURL_COMMAND": "curl https://api.example.com/users"}, {"endpoint": "users"}),
        ("perform_function", {"__FUNCTION_CFG": {"function": "concat", "args": ["a", "b"]}}, {"result": "ab"}),
    ],
)
def test_what_needs_no_network_works(
    actions: ServicesOnly, action: str, parameters: dict[str, Any], expected: dict[str, Any]
) -> None:
    result = ask(actions, action, api={"baseUrl": "https://api.example.com/"}, config={}, **parameters)

    assert expected.items() <= result.items()


def test_an_api_is_discovered(actions: ServicesOnly) -> None:
    command = "curl http://sample.penstock.localhost/customers -H 'X-Api-Key: canary-key'"
    result = ask(actions, "discover", __CURL_COMMAND=command)

    (job,) = result["configuration"]["parameters"]["config"]["jobs"]
    assert job["dataField"] == "customers", result
    assert [finding["subject"] for finding in result["findings"] if finding["isProven"]]
    assert result["tables"][0]["count"]
    assert "canary-key" not in str(result)


def test_secrets_come_back_only_to_a_client_that_asks_for_them(actions: ServicesOnly) -> None:
    command = "curl http://sample.penstock.localhost/customers -H 'X-Api-Key: canary-key'"
    result = ask(actions, "discover", __CURL_COMMAND=command, __WITH_SECRETS=True)

    assert result["secrets"] == {"#x_api_key": "canary-key"}
    assert result["configuration"]["parameters"]["config"]["#x_api_key"] != "canary-key"


def test_an_endpoint_of_an_openapi_document_is_chosen(actions: ServicesOnly) -> None:
    found = ask(actions, "discover", __OPENAPI=OPENAPI)
    assert [each["endpoint"] for each in found["endpoints"]] == ["/customers", "/orders"]
    assert found["endpoints"][0]["note"] == "All customers"

    result = ask(actions, "discover", __OPENAPI=OPENAPI, __ENDPOINT="/orders")
    assert result["tables"][0]["name"] == "orders"
    wrong = ask(actions, "discover", __OPENAPI=OPENAPI, __ENDPOINT="/order")
    assert "Did you mean /orders?" in " ".join(wrong["traceback"])


def test_the_lists_of_a_har_file_are_discovered(actions: ServicesOnly) -> None:
    request = {"method": "GET", "url": "http://sample.penstock.localhost/customers", "headers": []}
    response = {"content": {"text": json.dumps({"customers": [{"id": 1}, {"id": 2}]})}}
    har = json.dumps({"log": {"entries": [{"request": request, "response": response}]}})

    assert ask(actions, "discover", __HAR=har)["tables"][0]["name"] == "customers"


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({}, "Set one of `parameters.__URL`"),
        ({"__URL": "http://a.example", "__HAR": "{}"}, "Set one of `parameters.__URL`"),
        ({"__OPENAPI": OPENAPI, "__HAR": "{}"}, "Set one of `parameters.__URL`"),
        ({"__OPENAPI": 5}, "`parameters.__OPENAPI` must be a text."),
        ({"__OPENAPI": "{"}, "not valid JSON"),
        ({"__HAR": "[]"}, "not a HAR file"),
        ({"__URL": "http://sample.penstock.localhost/customers", "__HEADERS": "x"}, "must be a list of texts"),
    ],
)
def test_what_cannot_be_discovered_is_explained(
    actions: ServicesOnly, parameters: dict[str, Any], sentence: str
) -> None:
    result = ask(actions, "discover", **parameters)

    assert result["status"] == "exception"
    assert sentence in " ".join(result["traceback"])


def test_two_pages_of_a_job_are_tried(actions: ServicesOnly) -> None:
    result = ask(actions, "try_job", api=API, config=CONFIG, __SELECTED_JOB="0")

    assert result["pagination"]["isNext"] is True, result
    assert [page["count"] for page in result["pages"]] == [2, 2]
    assert next(table for table in result["tables"] if table["name"] == "customers")["count"] == 4

    ignored = {**API, "pagination": {"method": "offset", "limit": 2, "offsetParam": "wrong"}}
    result = ask(actions, "try_job", api=ignored, config=CONFIG, __SELECTED_JOB="0")
    assert result["pagination"]["isNext"] is False


def test_a_private_address_is_not_tried(actions: ServicesOnly) -> None:
    private = {"baseUrl": f"http://127.0.0.1:{actions.port}/_svc/sample/"}

    assert ask(actions, "try_job", api=private, config=CONFIG, __SELECTED_JOB="0")["status"] == "exception"


def test_a_private_address_is_not_discovered(actions: ServicesOnly) -> None:
    result = ask(actions, "discover", __URL=f"http://127.0.0.1:{actions.port}/_svc/sample/customers")

    assert result["status"] == "exception"


def test_a_private_address_is_not_reached(actions: ServicesOnly) -> None:
    private = {"baseUrl": f"http://127.0.0.1:{actions.port}/_svc/sample/"}
    result = ask(actions, "test_request", api=private, config=CONFIG, __SELECTED_JOB="0")

    assert "customers" not in str(result.get("records"))
    assert result["status"] == "exception"
