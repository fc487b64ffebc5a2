"""The examples of every component that ships, as jobs of a whole stack. Their API is the sample's or the test's."""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any

import pytest

from penstock.components import generic_writer as writer
from penstock.components.catalogue import CATALOGUE, find_component
from penstock.components.generic_extractor import examples as extractor
from penstock.services.sample import data
from tests.support.api import Api, Response
from tests.support.stacks import RunningStack

OTHERS = [c for c in CATALOGUE if c.is_runnable and c.id not in ("ex-generic-v2", "kds-team.wr-generic")]
TABLES = {
    "BY_OFFSET": {"in.c-shop.customers": data.CUSTOMERS, "in.c-shop.customers_tags": 384},
    "ONLY_NEW": {"in.c-shop.orders": data.ORDERS},
    "CHILDREN": {"in.c-shop.customers": 5},
    "WITH_TOKENS": {"in.c-shop.products": data.PRODUCTS},
    "IN_CSV": {"in.c-shop.products": data.PRODUCTS, "in.c-shop.found": 10},
}


@pytest.fixture(scope="module", autouse=True)
def orders(stack: RunningStack) -> None:
    """What the transformations and the writer read."""
    assert stack.run_job("sample-orders")["status"] == "success"


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as made:
        made.on_everything(lambda _seen: Response.json({}))
        yield made


def run(stack: RunningStack, component_id: str, example: dict[str, Any], old: str = "", new: str = "") -> None:
    """As it is, but for the address of the API."""
    text = json.dumps(example)
    document = json.loads(text.replace(old, new) if old else text)
    job = stack.run_job("", component=component_id, configData=document)
    assert job["status"] == "success", job["result"]


@pytest.mark.parametrize("name", TABLES)
def test_the_examples_of_the_extractor_read_the_sample(stack: RunningStack, name: str) -> None:
    stored = stack.storage.get("/v2/storage/components/ex-generic-v2/configs/sample-customers").json
    sample = stored["configuration"]["parameters"]["api"]["baseUrl"]

    run(stack, "ex-generic-v2", getattr(extractor, name), extractor.BASE_URL, sample)

    assert {table: stack.rows_count(table) for table in TABLES[name]} == TABLES[name]


def test_every_example_of_the_extractor_is_run_above() -> None:
    assert [getattr(extractor, name) for name in TABLES] == list(extractor.EXAMPLES)


def test_the_examples_of_the_writer_send_rows(stack: RunningStack, api: Api) -> None:
    for example in writer.EXAMPLES:
        run(stack, "kds-team.wr-generic", example, writer.BASE_URL, api.url)

    sent = [(seen.method, seen.path.rpartition("/")[0], json.loads(seen.body)) for seen in api.seen]
    assert [each[:2] for each in sent] == [("PUT", "/orders")] * 3 + [("POST", "")]
    assert len(sent[3][2]["orders"]) == 3
    assert api.seen[0].headers["authorization"] == "Bearer secret"


@pytest.mark.parametrize("component", OTHERS, ids=lambda c: c.id)
def test_the_examples_of_all_others_run(stack: RunningStack, component: Any) -> None:
    for example in component.configuration_examples:
        run(stack, component.id, example)

    if component.type == "transformation":
        assert stack.rows_count("out.c-sample.totals") == 4


def test_a_shown_example_is_that_of_the_catalogue(stack: RunningStack) -> None:
    shown = stack.storage.get("/v2/storage/components/ex-generic-v2").json
    component = find_component("ex-generic-v2")
    assert component

    assert shown["flags"] == ["genericDockerUI"]
    assert (shown["configurationSchema"], shown["editorSchema"]) == ({}, component.editor_schema)
    assert shown["configurationDescription"].startswith("Set `parameters.api.baseUrl`")
    assert "## Examples" in shown["longDescription"]
