"""The specifications: valid, complete, and true."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl

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

from penstock.app import list_services
from penstock.foundation.callers import Right
from penstock.web.auth.none import NONE
from penstock.web.auth.person import PERSON
from penstock.web.openapi import make_document
from penstock.web.openapi_errors import NOT_IMPLEMENTED
from penstock.web.routing import Route
from tests.support.examples import IS_SOAK
from tests.support.http import Http
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly
from tests.unit.services import world
from tests.unit.services.world import Worlds, is_in_branch, name_of

DOCUMENTED = [service.id for service in list_services() if service.listing.is_documented and service.id != "portal"]
TABLES = {name: [row for row in world.TABLES[name] if row.is_documented] for name in DOCUMENTED}
OF_THE_BODY = [content_type_conformance, response_schema_conformance]
CHECKS = [not_a_server_error, status_code_conformance, *OF_THE_BODY]
EXAMPLES, EXAMPLES_OF_TWINS = (4, 1) if IS_SOAK else (1, 0)
"""Rows within branches are done by the handlers of their twins without one, and have their models."""
PART = 20
"""Operations of a service that one test asks for: several processes share them."""
REFUSED = {
    "/apps/{app_id}": 404,  # there are none yet
    "/orchestration-rerun-plan/{job_id}": 400,  # the job is not a flow
    "/authorize/{component_id}/callback": 400,  # no authorization is under way
    "/sql/sessions/{session_id}/credentials": 400,  # only BigQuery has them
    "/icons/{checksum}": 404,  # no app has an icon
    "/auth/confirm/{email}/{code}": 404,  # codes are sent by e-mail
    "/vendors/{vendor}/invitations/{email}/{code}": 404,  # the same
    "/sql/sessions/{session_id}/table-ddl": 404,  # there is no such table
}
"""What does not work, although it is there."""
OF_PEOPLE = (PERSON, "signed in")
"""Schemes of rows for people who have signed in, which no token of a world is."""
services_with_tables = pytest.mark.parametrize("service", TABLES)
parts_of_services = pytest.mark.parametrize(
    ("service", "part"), [(name, start) for name, rows in TABLES.items() for start in range(0, len(rows), PART)]
)


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

    assert found == {(row.method.lower(), row.template) for row in TABLES[service]}


@services_with_tables
def test_operation_ids_are_unique(shared: ServicesOnly, service: str) -> None:
    ids = [row["operationId"] for _, _, row in operations(document_of(shared, service))]

    assert len(ids) == len(set(ids))


@services_with_tables
def test_every_operation_says_whether_it_needs_a_token(shared: ServicesOnly, service: str) -> None:
    rows = {(row.method.lower(), row.template): row for row in TABLES[service]}

    for method, path, operation in operations(document_of(shared, service)):
        row = rows[method, path]
        scheme = row.auth.name.title().replace(" ", "") if row.auth else "token"
        own = {scheme[0].lower() + scheme[1:]}
        own |= {"manageToken", "token", "subjectToken"} if service == "management" and not row.auth else set()
        is_open = row.needs is Right.PUBLIC
        assert [set(each) <= own for each in operation["security"]] == [True] * (not is_open), f"{method} {path}"


@services_with_tables
def test_a_specification_names_its_own_server_however_it_was_asked_for(shared: ServicesOnly, service: str) -> None:
    by_host = shared.by_host("api.penstock.localhost").get(f"/specs/{service}.json").json

    assert by_host["servers"] == document_of(shared, service)["servers"]


def test_a_table_with_nothing_in_it_has_a_specification() -> None:
    rows: Sequence[Route] = []

    OpenAPIV31SpecValidator(make_document("Empty", "1", "https://example.test", rows, NONE)).validate()


def schema_of(services: ServicesOnly, service: str) -> Any:
    return schemathesis.openapi.from_dict(document_of(services, service), config=SchemathesisConfig())


def check(client: Http, case: Any) -> int:
    headers = {"X-StorageApi-Token": client.token, **client.headers}
    response = case.call(base_url=client.base, headers=headers, timeout=PATIENCE)
    # The contract has a plain list of sentences there.
    skipped = OF_THE_BODY if response.status_code == 422 else []
    # A row that is not implemented says so; of any other row, this status is not in the specification.
    skipped = [not_a_server_error] if response.status_code == NOT_IMPLEMENTED else skipped
    case.validate_response(response, checks=[each for each in CHECKS if each not in skipped])
    return response.status_code


def values_of(worlds: Worlds, service: str, row: Route) -> dict[str, str]:
    """Something that is there for every parameter of the path."""
    if service != "queue":
        return worlds.mine.values(row)
    job = {"component": "ex-generic-v2", "config": worlds.mine.main["config_id"]}
    known = {"job_id": worlds.services.service("queue").post("/jobs", job).json["id"]}
    return {name: known[name] for name in row.parameters}


@services_with_tables
def test_what_is_there_looks_as_the_specification_says(worlds: Worlds, service: str) -> None:
    rows = {(row.method, row.template): row for row in TABLES[service]}
    for found in schema_of(worlds.services, service).get_all_operations():
        operation = found.ok()
        row = rows[operation.method.upper(), operation.path]
        if row.method == "GET":
            path, query = operation.path, dict(parse_qsl(world.QUERIES.get(name_of(row), "").lstrip("?")))
            case = operation.Case(path_parameters=values_of(worlds, service, row), query=query)
            expected = 401 if row.auth and row.auth.name in OF_PEOPLE else REFUSED.get(path, row.status)
            assert check(worlds.mine.client(row), case) == expected, path


@parts_of_services
def test_no_request_gets_an_answer_that_is_not_in_the_specification(worlds: Worlds, service: str, part: int) -> None:
    rows = {(row.method, row.template): row for row in TABLES[service]}
    for found in islice(schema_of(worlds.services, service).get_all_operations(), part, part + PART):
        operation = found.ok()
        row = rows[operation.method.upper(), operation.path]
        examples = EXAMPLES_OF_TWINS if is_in_branch(row) else EXAMPLES
        # A made-up id might be the one of the token that asks.
        if row.method != "DELETE" and examples:
            ask_often(worlds.mine.client(row), operation, values_of(worlds, service, row), examples)


def ask_often(client: Http, operation: Any, values: dict[str, str], examples: int) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        # What is made up is seldom there, and then the rest of a request is not read.
        case.path_parameters = values
        check(client, case)

    ask()
