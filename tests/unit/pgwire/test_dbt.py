"""dbt on the SQL port: a project with everything that a beginner uses, run twice."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from tests.unit.pgwire.sql_server import Login, SqlServer

DBT = shutil.which("dbt")
PROJECT = {
    "dbt_project.yml": """
        {name: shop, version: "1.0", profile: shop, flags: {send_anonymous_usage_stats: false},
         models: {shop: {+grants: {select: [reporter]}}}}""",
    "seeds/raw_orders.csv": "id,customer,amount,ordered_at\n1,Ada,10.50,2024-01-01\n2,Bob,7.25,2024-01-02\n",
    "models/orders.sql": """{{ config(materialized='view') }}
        select id, customer, amount, cast(ordered_at as timestamp) as ordered_at from {{ ref('raw_orders') }}""",
    "models/customers.sql": """{{ config(materialized='table', indexes=[{'columns': ['customer'], 'unique': true}]) }}
        select customer, count(*) as orders, sum(amount) as total from {{ ref('orders') }} group by customer""",
    "models/log.sql": """{{ config(materialized='incremental', unique_key='id') }}
        select id, customer, ordered_at from {{ ref('orders') }}
        {% if is_incremental() %} where ordered_at >= (select max(ordered_at) from {{ this }}) {% endif %}""",
    "models/source_orders.sql": "select * from {{ source('shop', 'orders') }}",
    "models/schema.yml": """
        version: 2
        sources: [{name: shop, schema: in.c-shop, tables: [{name: orders}]}]
        models:
        - name: customers
          description: One row per customer
          config: {persist_docs: {relation: true, columns: true}}
          columns: [{name: customer, description: The name, data_tests: [unique, not_null]}]
        - name: orders
          columns: [{name: id, data_tests: [unique, not_null]}]""",
    "snapshots/orders_snapshot.sql": """{% snapshot orders_snapshot %}
        {{ config(target_schema=target.schema, unique_key='id', strategy='check', check_cols=['amount']) }}
        select * from {{ ref('raw_orders') }} {% endsnapshot %}""",
}


@pytest.fixture
def project(tmp_path: Path, sql_server: SqlServer, workspace: Login) -> Path:
    for name, content in PROJECT.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(dedent(content))
    output = {
        "type": "postgres",
        "host": "127.0.0.1",
        "port": sql_server.port,
        "user": workspace.user,
        "threads": 2,
        "password": workspace.password,
        "dbname": workspace.database,
        "schema": workspace.schema,
    }
    (tmp_path / "profiles.yml").write_text(json.dumps({"shop": {"target": "dev", "outputs": {"dev": output}}}))
    return tmp_path


def run_dbt(project: Path, *words: str) -> str:
    assert DBT
    ended = subprocess.run([DBT, "--no-use-colors", *words], cwd=project, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout
    return ended.stdout


@pytest.mark.faults
@pytest.mark.skipif(not DBT, reason="dbt is not installed (pip install dbt-postgres)")
def test_a_project_of_dbt_runs_twice(project: Path, sql_server: SqlServer, workspace: Login):
    for _ in range(2):
        run_dbt(project, "build")
        run_dbt(project, "docs", "generate")

    with sql_server.connect(workspace) as client:
        customers = client.execute("SELECT customer, orders FROM customers ORDER BY 1").fetchall()
        kinds = client.execute(
            "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = current_schema() "
            "AND table_name IN ('orders', 'log', 'orders_snapshot', 'orders__dbt_backup') ORDER BY 1"
        ).fetchall()
        grants = client.execute(
            "SELECT DISTINCT table_name FROM information_schema.role_table_grants WHERE grantee = 'reporter' ORDER BY 1"
        ).fetchall()
    assert customers == [("Ada", 1), ("Bob", 1)]
    assert kinds == [("log", "BASE TABLE"), ("orders", "VIEW"), ("orders_snapshot", "BASE TABLE")]
    assert [name for (name,) in grants] == ["customers", "log", "orders", "source_orders"]
    catalog = json.loads((project / "target" / "catalog.json").read_text())
    assert catalog["nodes"]["model.shop.customers"]["metadata"]["comment"] == "One row per customer"
