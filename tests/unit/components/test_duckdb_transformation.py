"""The SQL transformation, on a data folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from penstock.components.duckdb_transformation import DUCKDB_TRANSFORMATION
from penstock.components.duckdb_transformation.engine import MEMORY_VARIABLE, Engine, open_engine
from penstock.components.duckdb_transformation.transform import transform as duckdb_transform
from penstock.extractor.base.errors import UserError
from tests.support.components import Finished, Trial


def transform(trial: Trial, *statements: str, outputs: tuple[str, ...] = ("result",)) -> Finished:
    return trial.call(duckdb_transform, configure(*statements, outputs=outputs))


def start(
    trial: Trial, *statements: str, outputs: tuple[str, ...] = ("result",), environment: Mapping[str, str] = {}
) -> Finished:
    """As a process."""
    return trial.run(DUCKDB_TRANSFORMATION, configure(*statements, outputs=outputs), environment)


def configure(*statements: str, outputs: tuple[str, ...]) -> dict[str, Any]:
    parameters = {"blocks": [{"name": "First", "codes": [{"name": "Only", "script": list(statements)}]}]}
    output = {"tables": [{"source": source, "destination": f"out.c-main.{source}"} for source in outputs]}
    return {"parameters": parameters, "storage": {"output": output}}


def test_tables_become_tables_as_the_scripts_say(trial: Trial) -> None:
    trial.add_table("orders.csv", 'id,price\n1,10\n2,5\n3,"7"\n')
    trial.add_table("people", 'id,name\n1,Ann\n2,"B ""o"" b"\n')

    done = start(
        trial,
        "CREATE TABLE joined AS SELECT name, price::INTEGER AS price FROM orders JOIN people USING (id);",
        'CREATE VIEW "result" AS SELECT name, price * 2 AS double FROM joined ORDER BY price; -- the end',
    )

    assert (done.code, done.errors) == (0, "")
    assert done.rows("result") == [["name", "double"], ['B "o" b', "10"], ["Ann", "20"]]
    assert done.names() == ["result"]


def test_an_output_is_a_file_with_the_name_in_the_mapping(trial: Trial) -> None:
    done = transform(trial, "CREATE TABLE r AS SELECT 1 AS a; CREATE TABLE s AS SELECT 2 AS b", outputs=("r.csv", "s"))

    assert done.names() == ["r.csv", "s"]


def test_values_stay_what_they_are(trial: Trial) -> None:
    trial.add_table("t.csv", 'a,b\n007,\n" x ","line\nend"\n1e3,"NULL"\n')

    done = transform(trial, "CREATE TABLE result AS SELECT a, b, b IS NULL AS c FROM t")

    assert done.rows("result")[1:] == [["007", "", "false"], [" x ", "line\nend", "false"], ["1e3", "NULL", "false"]]


def test_a_row_whose_only_cell_is_null_is_still_a_row(trial: Trial) -> None:
    done = transform(trial, "CREATE TABLE Result AS SELECT * FROM (VALUES (NULL), (1), (NULL)) AS t(n)")

    assert done.text("tables/result") == 'n\n""\n1\n""\n'


def test_a_table_of_the_same_name_elsewhere_takes_no_rows_from_an_output(trial: Trial) -> None:
    done = transform(
        trial,
        "CREATE SCHEMA other; CREATE TABLE other.result AS SELECT 1 AS a, 2 AS b",
        "CREATE TABLE result AS SELECT * FROM (VALUES (NULL), (1)) AS t(n)",
    )

    assert done.text("tables/result") == 'n\n""\n1\n'


def test_a_temporary_table_is_written_in_place_of_the_table_that_it_hides(trial: Trial) -> None:
    done = transform(
        trial,
        "CREATE TABLE result AS SELECT 1 AS a, 2 AS b",
        "CREATE TEMP TABLE result AS SELECT * FROM (VALUES (NULL), (1)) AS t(n)",
    )

    assert done.text("tables/result") == 'n\n""\n1\n'


def test_an_output_that_is_only_in_another_schema_is_an_error_of_the_user(trial: Trial) -> None:
    done = transform(trial, "CREATE SCHEMA other; CREATE TABLE other.result AS SELECT 1 AS a")

    assert done.code == 1
    assert 'Writing the output table "result" failed' in done.errors


def test_a_plain_list_of_scripts_will_do(trial: Trial) -> None:
    document = {
        "parameters": {"script": ["CREATE TABLE r AS SELECT 1 AS a", "", "INSERT INTO r VALUES (2)"]},
        "storage": {"output": {"tables": [{"source": "r", "destination": "out.c-x.r"}]}},
    }

    assert trial.call(duckdb_transform, document).rows("r") == [["a"], ["1"], ["2"]]


def test_an_error_names_the_block_the_code_and_the_statement(trial: Trial) -> None:
    done = transform(trial, "CREATE TABLE r AS SELECT 1 AS a; SELECT 2", "SELECT * FROM nowhere")

    assert done.code == 1
    assert 'Statement 3 of block "First", code "Only" failed' in done.errors
    assert "nowhere" in done.errors
    assert done.names() == []


@pytest.mark.parametrize(
    ("script", "outputs", "said"),
    [
        ("CREATE TABLE r AS SELECT 1\0 AND MORE", ("r",), "it contains the character U+0000"),
        ("SELEC 1", ("r",), 'The SQL of block "First", code "Only" cannot be read'),
        ("SELECT 1", ("r",), 'asks for the table "r", which no script has made'),
        ("SELECT 1", ("../r",), '"../r" cannot be the source'),
        ("SELECT 1", ("r.manifest",), "cannot be the source"),
        ("SELECT 1", (".csv",), "cannot be the source"),
        ("SELECT ?", (), "failed"),
        ("SELECT error('my secret is pa55word')", (), "my secret is [hidden]"),
    ],
)
def test_a_mistake_is_a_sentence(trial: Trial, script: str, outputs: tuple[str, ...], said: str) -> None:
    document = {
        "parameters": {
            "blocks": [{"name": "First", "codes": [{"name": "Only", "script": [script]}]}],
            "#p": "pa55word",
        },
        "storage": {"output": {"tables": [{"source": source} for source in outputs]}},
    }

    done = trial.call(duckdb_transform, document)

    assert done.code == 1
    assert said in done.errors
    assert "Traceback" not in done.errors
    assert "pa55word" not in done.all_output


@pytest.mark.parametrize("parameters", [{"blocks": 1}, {"blocks": [{"codes": "x"}]}, {"script": [{}]}])
def test_parameters_of_another_shape_are_the_users_mistake(trial: Trial, parameters: dict[str, Any]) -> None:
    done = trial.call(duckdb_transform, {"parameters": parameters})

    assert done.code == 1
    assert done.errors.startswith("Invalid configuration: `parameters.")
    assert "must be" in done.errors


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("SELECT * FROM read_text('/etc/passwd')", "disabled"),
        ("SELECT * FROM read_text('{folder}/config.json')", "disabled"),
        ("SELECT * FROM read_text('{folder}/in/../config.json')", "disabled"),
        ("SELECT * FROM '{folder}/config.json'", "disabled"),
        ("SELECT * FROM glob('/etc/*')", "disabled"),
        ("COPY (SELECT 1) TO '{folder}/x.csv'", "disabled"),
        ("ATTACH '{folder}/other.duckdb'", "disabled"),
        ("EXPORT DATABASE '{folder}/export'", "disabled"),
        ("INSTALL httpfs", "disabled"),
        ("LOAD httpfs", "disabled"),
        ("SELECT * FROM read_csv('https://example.com/x.csv')", "disabled"),
        ("SET enable_external_access = true", "locked"),
        ("SET lock_configuration = false", "locked"),
        ("RESET allowed_directories", "locked"),
        ("SET memory_limit = '90GB'", "locked"),
        ("SELECT * FROM statement", "does not exist"),
        ("CREATE PERSISTENT SECRET s (TYPE s3)", "disabled"),
    ],
)
def test_sql_reaches_nothing_but_the_tables(tmp_path: Path, statement: str, reason: str) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "in").mkdir()
    with open_engine(tmp_path) as connection, pytest.raises(UserError) as told:
        Engine(connection).run(statement.replace("{folder}", str(tmp_path)), "It")

    assert reason in str(told.value)


def test_sql_may_read_what_came_in_and_write_what_goes_out(tmp_path: Path) -> None:
    for folder in ("in/files", "out/files"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "in/files/1_x.csv").write_text("a\n1\n")
    with open_engine(tmp_path) as connection:
        source, target = tmp_path / "in/files/1_x.csv", tmp_path / "out/files/x.parquet"
        Engine(connection).run(f"COPY (SELECT * FROM '{source}') TO '{target}'", "It")

    assert target.exists()


def test_what_does_not_fit_into_memory_goes_to_disk_and_is_removed(trial: Trial) -> None:
    script = "CREATE TABLE result AS SELECT range AS a, md5(range::VARCHAR) AS b FROM range(1000000) ORDER BY b"

    done = start(
        trial,
        script,
        "CREATE TABLE few AS SELECT count(*) AS n FROM result",
        outputs=("few",),
        environment={MEMORY_VARIABLE: "80"},
    )

    assert (done.code, done.errors) == (0, "")
    assert done.rows("few") == [["n"], ["1000000"]]
    assert not (done.folder / ".duckdb").exists()


def test_a_table_without_a_header_is_reported(trial: Trial) -> None:
    trial.add_table("empty.csv", "")

    assert 'The input table "empty" has no header' in transform(trial, "SELECT 1", outputs=()).errors
