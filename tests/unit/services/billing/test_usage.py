"""What was used, grouped and in pages."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from sqlalchemy import text

from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.billing.ledger import NOON, manager, run_job
from tests.unit.services.fill import add_project, first_project
from tests.unit.services.scheduler.schedules import clock_at

RANGE = "from=2026-06-01&to=2026-06-30"


@pytest.fixture
def used(shared: ServicesOnly) -> Generator[Http]:
    """A project with jobs of two components on three days."""
    project = add_project(shared)
    mine: dict[str, Any] = {"project_id": project.caller.project_id}
    with clock_at(NOON) as moved:
        for _ in range(3):
            run_job(shared, 1800, config="a", rows=10, **mine)
            run_job(shared, 3600, config="b", rows=1, **mine)
            run_job(shared, 3600, component="own.app", component_type="application", **mine)
            moved.move(days=1)
        yield shared.service("billing", project.token)


def rows(http: Http, query: str) -> list[dict[str, Any]]:
    response = http.get(f"/usage?{RANGE}&{query}")
    assert response.status == 200, response.text
    return response.json["rows"]


def test_usage_is_grouped_by_what_is_asked_for(used: Http) -> None:
    assert [(row["day"], row["credits"]) for row in rows(used, "groupBy=day")] == [
        ("2026-06-01", 4.0),
        ("2026-06-02", 4.0),
        ("2026-06-03", 4.0),
    ]
    assert [(row["component"], row["credits"], row["seconds"]) for row in rows(used, "groupBy=component")] == [
        ("ex-generic-v2", 9.0, 16200.0),
        ("own.app", 3.0, 10800.0),
    ]
    both = rows(used, "groupBy=component,configuration")
    assert [(row["component"], row["configuration"], row["rows"], row["entries"]) for row in both] == [
        ("ex-generic-v2", "a", 30, 3),
        ("ex-generic-v2", "b", 3, 3),
        ("own.app", "", 0, 3),
    ]
    assert set(both[0]) == {
        *("component", "configuration", "entries", "seconds", "freeSeconds", "bytes", "rows", "credits"),
    }
    assert rows(used, "groupBy=kind")[0]["kind"] == "job"


def test_usage_is_filtered_and_paged_and_the_total_is_of_all(used: Http) -> None:
    assert [row["credits"] for row in rows(used, "groupBy=component&configuration=a")] == [3.0]
    pages = [used.get(f"/usage?{RANGE}&groupBy=day,component&limit=4&offset={n}").json for n in (0, 4, 8)]

    assert [len(page["rows"]) for page in pages] == [4, 2, 0]
    assert {page["total"]["credits"] for page in pages} == {12.0}
    assert used.get("/usage?from=2026-06-02&to=2026-06-02").json["total"]["credits"] == 4.0
    assert used.get("/usage?from=2025-06-02&to=2025-06-02").json["rows"] == []
    # Without days: the last thirty.
    assert used.get("/usage").json["from"] == "2026-05-05"


def test_usage_is_csv_too(used: Http) -> None:
    response = used.get(f"/usage.csv?{RANGE}&groupBy=day,component")

    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    lines = response.text.splitlines()
    assert lines[0] == "day,component,entries,seconds,freeSeconds,bytes,rows,credits"
    assert lines[1] == "2026-06-01,ex-generic-v2,2,5400.0,0.0,0,11,3.0"
    assert len(lines) == 7


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("from=yesterday", "from"),
        ("to=2026-13-01", "to"),
        ("from=2026-W23-1", "from"),
        ("from=2020-01-01&to=2026-01-01", "366 days"),
        ("from=2026-06-02&to=2026-06-01", "366 days"),
        ("to=0001-01-01", "valid day"),
        ("groupBy=project", "groupBy"),
        ("limit=0", "limit"),
        ("limit=100000", "limit"),
        ("offset=-1", "offset"),
        ("kind=nothing", "kind"),
    ],
)
def test_wrong_parameters_are_named(shared: ServicesOnly, query: str, said: str) -> None:
    for path in ("/usage", "/usage.csv"):
        response = shared.service("billing").get(f"{path}?{query}")

        assert response.status == 400, response.text
        assert said in response.json["error"]


def test_a_project_sees_only_its_own_and_a_manager_sees_all(shared: ServicesOnly, used: Http) -> None:
    mine = first_project(shared).caller.project_id
    with clock_at(NOON):
        run_job(shared, 3600)
    found = manager(shared, "billing:manage").get(f"/usage/projects?{RANGE}&groupBy=component&limit=1000").json

    assert {row["projectId"] for row in found["rows"]} > {str(mine)}
    assert found["total"]["credits"] == pytest.approx(sum(row["credits"] for row in found["rows"]))
    assert shared.service("billing").get(f"/usage?{RANGE}").json["total"]["entries"] == 1


def test_a_token_for_some_buckets_reads_the_balance_and_not_the_usage(shared: ServicesOnly) -> None:
    token = shared.service("storage").post("/v2/storage/tokens", {"description": "limited"}).json["token"]
    limited = shared.service("billing", token)

    assert limited.get("/credits").status == 200
    assert limited.get("/usage").status == 403
    assert limited.get("/usage.csv").status == 403


def test_usage_reads_days_by_their_index(shared: ServicesOnly) -> None:
    """And never the ledger."""
    is_sqlite = shared.stack.database.engine.dialect.name == "sqlite"
    query = "SELECT sum(amount) FROM billing_days WHERE project_id = 1 AND day >= '2026-01-01' AND day <= '2026-01-31'"
    with shared.stack.database.engine.begin() as connection:
        if not is_sqlite:
            connection.execute(text("SET LOCAL enable_seqscan = off"))
        found = connection.execute(text(f"{'EXPLAIN QUERY PLAN' if is_sqlite else 'EXPLAIN'} {query}")).all()

    plan = "\n".join(str(row) for row in found)
    assert "billing_days" in plan
    assert "SCAN billing_days" not in plan
    assert "Seq Scan" not in plan
