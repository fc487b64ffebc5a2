"""Pages into CSV by DuckDB alone: read as lines of JSON with a schema that it infers, on one thread.

It knows none of the extractor's rules (row ids, digits as they came, types that change between pages), and holds all
rows in memory. Objects become columns and lists become tables, linked by the id of the row.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from tests.benchmarks.extractor.limits.pages import Wanted, read_arguments, read_pages

LISTS = ("labels", "assignees", "topics")
OBJECTS = ("user", "milestone", "repository", "reactions")
_PERSON = ("id", "login", "type", "site_admin", "html_url")
PLACES = (
    *(f"user.{key}" for key in _PERSON),
    *("milestone.id", "milestone.title", "milestone.due_on"),
    *(f"milestone.creator.{key}" for key in _PERSON),
    *("repository.id", "repository.name", "repository.owner.id", "repository.owner.login"),
    *("repository.owner.plan.name", "repository.owner.plan.seats"),
    *("reactions.total_count", "reactions.plus_one", "reactions.heart"),
)
"""Where the values inside objects are."""


def nested_tables() -> dict[str, str]:
    inner = ", ".join(_column(place) for place in PLACES)
    others = ", ".join(f'"{name}"' for name in (*OBJECTS, *LISTS))
    return {
        "nested": f"SELECT * EXCLUDE ({others}), {inner} FROM rows",
        "nested_labels": "SELECT id AS nested_id, unnest(labels, max_depth := 2) FROM rows",
        "nested_assignees": "SELECT id AS nested_id, unnest(assignees, max_depth := 2) FROM rows",
        "nested_topics": "SELECT id AS nested_id, unnest(topics) AS data FROM rows",
    }


def _column(place: str) -> str:
    quoted = ".".join(f'"{key}"' for key in place.split("."))
    return f"{quoted} AS {place.replace('.', '_')}"


def save_pages(wanted: Wanted, path: Path) -> None:
    with path.open("wb") as file:
        for body in read_pages(wanted):
            file.write(body + b"\n")


def read_rows(path: Path) -> duckdb.DuckDBPyConnection:
    database = duckdb.connect()
    database.execute("SET threads = 1")
    database.execute("SET preserve_insertion_order = false")
    # A line is a page of a thousand rows; two of them tell the schema.
    source = f"read_json('{path}', format = 'newline_delimited', maximum_object_size = 33554432, sample_size = 2)"
    database.execute(f"CREATE TABLE rows AS SELECT unnest(items, max_depth := 2) FROM {source}")
    return database


def main() -> None:
    wanted = read_arguments()
    pages = Path(wanted.out, "pages")
    save_pages(wanted, pages)
    database = read_rows(pages)
    for name, rows in (nested_tables() if wanted.kind == "nested" else {wanted.kind: "FROM rows"}).items():
        database.execute(f"COPY ({rows}) TO '{Path(wanted.out, name)}.csv' (FORMAT csv, HEADER)")
    pages.unlink()


if __name__ == "__main__":
    main()
