"""The actions of the extractor, as the user interface asks for them."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.components.generic_extractor import GENERIC_EXTRACTOR
from penstock.extractor.actions import ACTIONS
from tests.support.stacks import ServicesOnly

API = {"baseUrl": "http://sample.penstock.localhost/", "pagination": {"method": "offset", "limit": 2}}
CONFIG = {"jobs": [{"endpoint": "customers", "dataField": "customers"}]}


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


def test_a_private_address_is_not_discovered(actions: ServicesOnly) -> None:
    result = ask(actions, "discover", __URL=f"http://127.0.0.1:{actions.port}/_svc/sample/customers")

    assert result["status"] == "exception"


def test_a_private_address_is_not_reached(actions: ServicesOnly) -> None:
    private = {"baseUrl": f"http://127.0.0.1:{actions.port}/_svc/sample/"}
    result = ask(actions, "test_request", api=private, config=CONFIG, __SELECTED_JOB="0")

    assert "customers" not in str(result.get("records"))
    assert result["status"] == "exception"
