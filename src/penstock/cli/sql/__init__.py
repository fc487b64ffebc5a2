"""Query the tables of a project with SQL.

Without a statement, a prompt with completion and a history opens; statements may also come from a pipe. A table is
named by its bucket and its name: "in.c-shop"."orders".
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from penstock.cli.target import add_target

DIALECTS = ("duckdb", "snowflake")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "statement", metavar="STATEMENT", nargs="?", help='such as \'SELECT count(*) FROM "in.c-shop"."orders"\''
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print all rows as CSV")
    form.add_argument("--json", action="store_true", help="print all rows as JSON")
    form.add_argument("--parquet", metavar="FILE", help="write all rows into this file, with their types")
    parser.add_argument("--overwrite", action="store_true", help="replace FILE if it exists")
    parser.add_argument("--dialect", choices=DIALECTS, default=DIALECTS[0], help="what it is written in (duckdb)")
    parser.add_argument("--timeout", metavar="SECONDS", type=float, help="stop a statement that runs longer")
    add_target(parser)


def run(options: Namespace) -> int:
    from penstock.cli.sql.output import show
    from penstock.cli.sql.prompt import Prompt
    from penstock.cli.sql.statements import split_statements
    from penstock.cli.target import connect_to

    with connect_to(options) as client:
        if options.statement is None and sys.stdin.isatty():
            return Prompt(client, options).run()
        text = sys.stdin.read() if options.statement in (None, "-") else options.statement
        statements = split_statements(text)
        _check(statements, options)
        for number, statement in enumerate(statements):
            if number and not (options.csv or options.json):
                print()
            show(client.sql(statement, dialect=options.dialect, timeout=options.timeout), options)
    return 0


def _check(statements: list[str], options: Namespace) -> None:
    from penstock.foundation.errors import Invalid

    if not statements:
        raise Invalid("There is no statement to run. Give one: penstock sql 'SELECT 1'")
    if options.parquet and len(statements) > 1:
        raise Invalid(f"--parquet writes the rows of one statement, and there are {len(statements)}.")
