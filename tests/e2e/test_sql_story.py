"""Questions about extracted data: from an API with types to a table made of the result of a query, types and all."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from penstock.client import connect
from penstock.services.sample.data import customers, orders
from tests.support.command import run_command
from tests.support.stacks import RunningStack, clean_environment, wait_for

BUCKET, TABLES = "story", ("customers", "orders", "orders_lines")
JOIN = """CREATE TABLE "turnover" AS
    SELECT c."address_country" AS "country", count(DISTINCT o."id") AS "orders", sum(l."price" * l."pieces") AS "total",
        max(o."placedAt") AS "last"
    FROM "orders" AS o JOIN "customers" AS c ON c."id" = o."customer_id"
        JOIN "orders_lines" AS l ON l."JSON_parentId" = o."lines"
    WHERE c."active" GROUP BY 1"""


class Story:
    """What a user does, in a project that other tests use too."""

    def __init__(self, stack: RunningStack, folder: Path) -> None:
        self._stack, self._folder = stack, folder

    def extract(self, sample: str) -> None:
        """The sample of that name, with types, into the bucket of the story."""
        path = f"/v2/storage/components/ex-generic-v2/configs/{sample}"
        parameters: dict[str, Any] = self._stack.storage.get(path).json["configuration"]["parameters"]
        parameters["config"] |= {"types": "infer", "outputBucket": BUCKET}
        self._stack.configure(parameters, f"{BUCKET}-{sample}")
        assert self._stack.run_job(f"{BUCKET}-{sample}")["status"] == "success"

    def query(self, sql: str) -> list[dict[str, str]]:
        """`penstock sql`, in a shell."""
        words = ("sql", sql, "--csv", "--data-dir", self._stack.folder)
        done = run_command(*words, folder=self._folder, environment=clean_environment())
        assert done.returncode == 0, done.stderr
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def new_workspace(self) -> str:
        return f"/v2/storage/workspaces/{self._post('/v2/storage/workspaces', {'backend': 'snowflake'})['id']}"

    def run_in(self, workspace: str, sql: str) -> None:
        answer = self._post(f"{workspace}/query", {"query": sql})
        assert answer["status"] == "ok", answer

    def finish(self, path: str, document: dict[str, Any]) -> None:
        """Start a job of Storage, and wait for it."""
        job = f"/v2/storage/jobs/{self._post(path, document)['id']}"
        ended = wait_for(
            lambda: (found := self._stack.storage.get(job).json)["status"] in ("success", "error") and found
        )
        assert ended["status"] == "success", ended

    def _post(self, path: str, document: dict[str, Any]) -> Any:
        response = self._stack.storage.post(path, document)
        assert response.status in (200, 201, 202), response.text
        return response.json


@pytest.fixture
def story(stack: RunningStack, tmp_path: Path) -> Story:
    return Story(stack, tmp_path)


def test_a_result_of_sql_is_a_typed_table(story: Story, stack: RunningStack) -> None:
    story.extract("sample-customers")
    story.extract("sample-orders")

    [counted] = story.query(f'SELECT count(*) AS n, count_if("active") AS a FROM "in.c-{BUCKET}"."customers"')
    assert counted == {"n": "250", "a": str(sum(each["active"] for each in customers()))}

    workspace = story.new_workspace()
    tables = [{"source": f"in.c-{BUCKET}.{name}", "destination": name} for name in TABLES]
    story.finish(f"{workspace}/load", {"input": tables})
    story.run_in(workspace, JOIN)
    source = {"dataWorkspaceId": workspace.split("/")[-1], "dataTableName": "turnover", "isTyped": True}
    story.finish(f"/v2/storage/buckets/in.c-{BUCKET}/tables-async", {"name": "turnover", **source})

    table = stack.storage.get(f"/v2/storage/tables/in.c-{BUCKET}.turnover").json
    types = {each["name"]: each["definition"]["type"] for each in table["definition"]["columns"]}
    assert table["isTyped"]
    assert types == {"country": "VARCHAR", "orders": "NUMBER", "total": "NUMBER", "last": "TIMESTAMP_TZ"}
    with connect(stack.greeting["storageUrl"], stack.greeting["token"]) as client:
        rows = client.sql(f'SELECT "country", "orders", "total" FROM "in.c-{BUCKET}"."turnover"').to_arrow().to_pylist()
    assert {row["country"]: (int(row["orders"]), Decimal(row["total"])) for row in rows} == expected()


def expected() -> dict[str, tuple[int, Decimal]]:
    """The number of orders and their value, by country, of active customers."""
    people = {each["id"]: each for each in customers() if each["active"]}
    found: dict[str, tuple[int, Decimal]] = defaultdict(lambda: (0, Decimal(0)))
    for order in orders():
        if person := people.get(order["customer"]["id"]):
            country = person["address"]["country"]
            count, total = found[country]
            found[country] = (count + 1, total + sum(map(_value, order["lines"])))
    return dict(found)


def _value(line: dict[str, Any]) -> Decimal:
    return Decimal(str(line["price"])) * line["pieces"]
