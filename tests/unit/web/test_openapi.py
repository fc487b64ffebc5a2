"""The specifications: valid, complete, and true."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from penstock.foundation.callers import Right
from penstock.services.queue import routes as queue
from penstock.services.storage import routes as storage
from penstock.web.openapi import make_document
from penstock.web.routing import Route
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_event, load_table

TABLES = {"storage": storage.routes(), "queue": queue.routes()}
EXAMPLES = 6
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
services_with_tables = pytest.mark.parametrize("service", TABLES)


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(method, path, row) for path, rows in document["paths"].items() for method, row in rows.items()]


def document_of(services: ServicesOnly, service: str) -> dict[str, Any]:
    return services.service("portal").get(f"/specs/{service}.json").json


@services_with_tables
def test_a_specification_is_valid(shared: ServicesOnly, service: str) -> None:
    document = document_of(shared, service)

    OpenAPIV31SpecValidator(document).validate()
    assert document["openapi"].startswith("3.1")


@services_with_tables
def test_every_row_of_the_table_is_in_the_specification(shared: ServicesOnly, service: str) -> None:
    found = {(method, path) for method, path, _ in operations(document_of(shared, service))}

    assert found == {(row.method.lower(), row.path) for row in TABLES[service]}


@services_with_tables
def test_operation_ids_are_unique(shared: ServicesOnly, service: str) -> None:
    ids = [row["operationId"] for _, _, row in operations(document_of(shared, service))]

    assert len(ids) == len(set(ids))


@services_with_tables
def test_every_operation_says_whether_it_needs_a_token(shared: ServicesOnly, service: str) -> None:
    needs = {(row.method.lower(), row.path): row.needs for row in TABLES[service]}

    for method, path, operation in operations(document_of(shared, service)):
        is_open = needs[method, path] is Right.PUBLIC
        assert operation["security"] == ([] if is_open else [{"token": []}]), f"{method} {path}"


@services_with_tables
def test_a_specification_names_its_own_server_however_it_was_asked_for(shared: ServicesOnly, service: str) -> None:
    by_host = shared.by_host("api.penstock.localhost").get(f"/specs/{service}.json").json

    assert by_host["servers"] == document_of(shared, service)["servers"]


def test_a_table_with_nothing_in_it_has_a_specification() -> None:
    rows: Sequence[Route] = []

    OpenAPIV31SpecValidator(make_document("Empty", "1", "https://example.test", rows)).validate()


def schema_of(services: ServicesOnly, service: str) -> Any:
    return schemathesis.openapi.from_dict(document_of(services, service), config=SchemathesisConfig())


def check(client: Http, case: Any) -> int:
    response = case.call(base_url=client.base, headers={"X-StorageApi-Token": client.token})
    case.validate_response(response, checks=CHECKS)
    return response.status_code


@services_with_tables
def test_no_request_gets_an_answer_that_is_not_in_the_specification(shared: ServicesOnly, service: str) -> None:
    client = shared.service(service)
    for found in schema_of(shared, service).get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large],
        )
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            check(client, case)

        # A made-up id might be the one of the token that asks.
        if operation.method.upper() != "DELETE":
            ask()


@services_with_tables
def test_what_is_there_looks_as_the_specification_says(services: ServicesOnly, service: str) -> None:
    load_table(services, "in.c-main.users", "id,name\n1,Ada\n", primary_key=("id",))
    add_event(services, "something happened")
    job = {"component": "ex-generic-v2", "config": "sample-orders"}
    known = {
        "branch": "default",
        "bucket_id": "in.c-main",
        "table_id": "in.c-main.users",
        "component_id": "ex-generic-v2",
        "config_id": "sample-orders",
        "token_id": services.project.token.split("-")[1],
        "event_id": services.service("storage").get("/v2/storage/events").json[0]["id"],
        "job_id": services.service("queue").post("/jobs", job).json["id"],
    }
    for found in schema_of(services, service).get_all_operations():
        operation = found.ok()
        if operation.method.upper() == "GET":
            case = operation.Case(
                path_parameters={name: known[name] for name in re.findall(r"{(\w+)}", operation.path)}
            )
            assert check(services.service(service), case) == 200, operation.path
