"""SQL that was written for Snowflake, on a data folder."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.components.snowflake_transformation import SNOWFLAKE_TRANSFORMATION
from penstock.components.snowflake_transformation.__main__ import transform_snowflake
from tests.support.components import Finished, Trial


def transform(trial: Trial, *statements: str, source: str = "result") -> Finished:
    return trial.call(transform_snowflake, configure(*statements, source=source))


def configure(*statements: str, source: str = "result") -> dict[str, Any]:
    """As the official clients write it: blocks of codes of scripts, and a mapping on each side."""
    parameters = {"blocks": [{"name": "Block 1", "codes": [{"name": "Code", "script": list(statements)}]}]}
    output = {"tables": [{"source": source, "destination": "out.c-main.result"}]}
    return {"parameters": parameters, "storage": {"output": output}}


def select(trial: Trial, expression: str) -> str:
    document = configure(f'CREATE TABLE "result" AS SELECT 1 AS "one", {expression} AS "x"')
    done = trial.call(transform_snowflake, document)
    assert (done.code, done.errors) == (0, "")
    return done.rows("result")[1][1]


def test_a_transformation_of_an_official_client_runs(trial: Trial) -> None:
    trial.add_table("orders.csv", "id,customer,price,day\n1,Ann,10.50,2024-01-31\n2,Ann,4.50,2024-02-29\n")

    document = configure(
        'CREATE OR REPLACE TABLE "paid" AS SELECT "customer", "price"::NUMBER(10, 2) AS "amount", "day"::DATE AS "day" '
        'FROM "orders";',
        'CREATE OR REPLACE TABLE "result" AS SELECT "customer", SUM("amount") AS "total", '
        'DATEADD(day, 1, MAX("day")) AS "next", IFF(COUNT(*) > 1, \'many\', \'one\') AS "how_many" '
        'FROM "paid" GROUP BY "customer";',
    )
    done = trial.run(SNOWFLAKE_TRANSFORMATION, document)

    assert (done.code, done.errors) == (0, "")
    assert done.rows("result") == [["customer", "total", "next", "how_many"], ["Ann", "15.00", "2024-03-01", "many"]]


def test_names_without_quotes_are_in_upper_case(trial: Trial) -> None:
    done = transform(trial, 'create table result as select 1 as id, 2 as "Id2"', source="RESULT")

    assert done.rows("RESULT")[0] == ["ID", "Id2"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("'5000000000'::INT", "5000000000"),
        ("'12.6'::NUMBER", "13"),
        ("CAST('1.005' AS NUMBER(10, 2))", "1.01"),
        ("'2024-01-31'::TIMESTAMP_NTZ(9)", "2024-01-31 00:00:00"),
        ("'0.1'::FLOAT + '0.2'::FLOAT", "0.30000000000000004"),
        ("DATEADD('month', 1, '2024-01-31'::DATE)", "2024-02-29"),
        ("DATEADD(hour, 3, '2024-01-31'::DATE)", "2024-01-31 03:00:00"),
        ("DATEADD(d, -1, '2024-03-01 10:00:00')", "2024-02-29 10:00:00"),
        ("DATEDIFF(dd, '2024-01-01', '2024-02-01'::DATE)", "31"),
        ("DATE_TRUNC(month, '2024-02-03'::DATE)", "2024-02-01"),
        ("TO_VARCHAR('2024-02-03 14:05:06'::TIMESTAMP, 'DD.MM.YYYY HH24:MI:SS')", "03.02.2024 14:05:06"),
        ("TO_DATE('03/02/2024', 'DD/MM/YYYY')", "2024-02-03"),
        ("TRY_TO_NUMBER('many')", ""),
        ("NVL(NULL, 2)", "2"),
        ("CONCAT('a', NULL)", ""),
        ("REGEXP_REPLACE('aaa', 'a', 'b')", "bbb"),
        (r"REGEXP_REPLACE('a12b', '\\d+', '')", "ab"),
        ("PARSE_JSON('{\"a\": [1]}'):a", "[1]"),
        ('PARSE_JSON(\'{"a": "b"}\'):a::STRING', "b"),
        ("CURRENT_TIMESTAMP() > '2020-01-01'", "true"),
    ],
)
def test_types_and_functions_mean_what_they_mean_there(trial: Trial, expression: str, expected: str) -> None:
    assert select(trial, expression) == expected


def test_variables_lists_and_the_order_of_nulls(trial: Trial) -> None:
    trial.add_table("t.csv", "id\n1\n2\n3\n")

    done = transform(
        trial,
        "SET last = '1'; CREATE TRANSIENT TABLE marked (id NUMBER(38,0), place INT)",
        'INSERT INTO marked SELECT "id", ROW_NUMBER() OVER (ORDER BY NULLIF("id", $last) DESC) FROM "t"',
        'CREATE VIEW "result" AS SELECT LISTAGG(id, \',\') WITHIN GROUP (ORDER BY place) AS "ids" FROM marked',
    )

    assert (done.code, done.errors) == (0, "")
    assert done.rows("result") == [["ids"], ["1,3,2"]]


def test_paths_into_json_flatten_and_objects(trial: Trial) -> None:
    trial.add_table("t.csv", 'id,data\n1,"{""items"": [{""n"": ""a""}, {""n"": ""b""}]}"\n')

    done = transform(
        trial,
        'CREATE TABLE "result" AS SELECT "id", f.value:n::STRING AS "n", OBJECT_CONSTRUCT(\'i\', f.index) AS "o" '
        'FROM "t", LATERAL FLATTEN(input => PARSE_JSON("data"):items) f ORDER BY f.index',
    )

    assert (done.code, done.errors) == (0, "")
    assert done.rows("result") == [["id", "n", "o"], ["1", "a", '{"i":0}'], ["1", "b", '{"i":1}']]


def test_a_division_by_zero_fails_as_it_does_there(trial: Trial) -> None:
    done = transform(trial, "SELECT 1 / 0")

    assert done.code == 1
    assert "Division by zero" in done.errors


def test_what_is_not_translated_is_named(trial: Trial) -> None:
    done = transform(trial, "SELECT SOUNDEX('a')")

    assert done.code == 1
    assert done.errors.startswith(
        'The SQL of block "Block 1", code "Code" cannot be translated: SQL compilation error:'
    )
    assert "The function SOUNDEX is not translated" in done.errors


def test_what_duckdb_does_not_know_is_its_error(trial: Trial) -> None:
    done = transform(trial, "SELECT NO_SUCH_FUNCTION('a', 1)")

    assert done.code == 1
    assert done.errors.startswith('Statement 1 of block "Block 1", code "Code" failed: Catalog Error')


def test_the_example_of_the_catalogue_is_what_clients_write() -> None:
    parameters: Any = SNOWFLAKE_TRANSFORMATION.configuration_examples[0]["parameters"]

    assert "CREATE OR REPLACE TABLE" in parameters["blocks"][0]["codes"][0]["script"][0]


def test_a_variable_that_was_never_set_fails_before_anything_runs(trial: Trial) -> None:
    document = configure("SET lmt = '2024-01-01'", 'CREATE TABLE "result" AS SELECT 1 AS "one"')
    typo = {"name": "Code 2", "script": ['DELETE FROM "result"\nWHERE "one" <= $lmi']}
    document["parameters"]["blocks"].append({"name": "Block 2", "codes": [typo]})
    done = trial.call(transform_snowflake, document)

    assert done.code == 1
    assert done.errors.strip() == (
        'The SQL of block "Block 2", code "Code 2" cannot run, and no statement has run: '
        "SQL compilation error: error line 2 at position 15\nSession variable '$LMI' does not exist"
    )
    assert not any("Running" in line for line in done.lines)


def test_a_variable_of_an_earlier_block_is_known(trial: Trial) -> None:
    document = configure("SET lmt = 7")
    later = {"name": "Code 2", "script": ['CREATE TABLE "result" AS SELECT $lmt AS "one", 1 AS "two"']}
    document["parameters"]["blocks"].append({"name": "Block 2", "codes": [later]})

    assert trial.call(transform_snowflake, document).rows("result") == [["one", "two"], ["7", "1"]]


def test_what_does_not_exist_is_said_in_the_words_of_snowflake(trial: Trial) -> None:
    table = transform(trial, "SELECT 1; SELECT nvl(1, 2)\nFROM nonsense")
    column = transform(trial, 'CREATE TABLE "t" AS SELECT 1 AS n; SELECT n,\n  nonsense FROM "t"')

    place = 'Statement 2 of block "Block 1", code "Code" failed: SQL compilation error:'
    assert table.errors.strip() == f"{place}\nObject 'NONSENSE' does not exist or not authorized."
    assert column.errors.strip() == f"{place} error line 2 at position 2\ninvalid identifier 'NONSENSE'"
