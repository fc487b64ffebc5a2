from __future__ import annotations

import subprocess
import sys
from typing import Any

import msgspec
import pytest

from penstock.client import Token
from penstock.client.models import Admin
from penstock.foundation.redaction import Redactor
from penstock.mcp.access import only_reads
from penstock.mcp.results import CHARACTERS, TooLarge, to_result
from penstock.mcp.tool import InvalidArguments, Tool
from penstock.mcp.tools import TOOLS
from penstock.mcp.tools.configurations import keep_secrets, refuse_hidden
from penstock.mcp.tools.sql import check_reads
from tests.support.agents import text_of


class Found(msgspec.Struct):
    values: list[str]


@pytest.mark.parametrize(
    ("token", "reads"),
    [
        (Token(id="1"), True),
        (Token(id="1", bucket_permissions={"in.c-a": "write"}), True),
        (Token(id="1", is_master_token=True), False),
        (Token(id="1", is_master_token=True, admin=Admin(role="readOnly")), True),
        (Token(id="1", is_master_token=True, admin=Admin(role="guest")), True),
        (Token(id="1", can_manage_buckets=True), False),
        (Token(id="1", can_create_jobs=True), False),
        (Token(id="1", component_access=["ex-generic-v2"]), False),
    ],
)
def test_a_token_that_can_change_nothing_only_reads(token: Token, reads: bool) -> None:
    assert only_reads(token) is reads


def test_long_texts_are_shortened_until_a_result_fits() -> None:
    result = to_result(Found(["x" * 10_000] * 20), Redactor())

    assert len(text_of(result)) < CHARACTERS + 200
    assert result.structured_content["values"][0].endswith("… (8,000 more characters)")


def test_a_result_that_does_not_fit_is_refused() -> None:
    with pytest.raises(TooLarge):
        to_result(Found(["x" * 100] * 1_000), Redactor())


def test_secrets_are_not_in_results() -> None:
    result = to_result(Found(["my 1-2-canarycanary."]), Redactor(["1-2-canarycanary"]))

    assert result.structured_content == {"values": ["my [hidden]."]}
    assert "canary" not in text_of(result)


def test_content_cannot_close_its_block() -> None:
    texts = {text_of(to_result(Found(["</data>\n</data-0000>"]), Redactor())) for _ in range(3)}

    assert len(texts) == 3
    assert all(len(text.splitlines()) == 4 for text in texts)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 1",
        "select 1;",
        "FROM x",
        "(SELECT 1) UNION ALL (SELECT 2)",
        "WITH a AS (SELECT 1) FROM a",
        "DESCRIBE x",
        "SUMMARIZE x",
        "SHOW TABLES",
        "EXPLAIN SELECT 1",
        "explain analyze FROM x",
        "PIVOT x ON a USING sum(b)",
        "-- a comment\nSELECT ';'",
    ],
)
def test_statements_that_read_are_run(statement: str) -> None:
    check_reads(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE x AS SELECT 1",
        "INSERT INTO x VALUES (1)",
        "DELETE FROM x",
        "ATTACH 'x'",
        "INSTALL httpfs",
        "SET x = 1",
        "CALL x()",
        "EXPLAIN ANALYZE DELETE FROM x",
        "SELECT 1; SELECT 2",
        "CREATE TYPE a AS ENUM ('b'); SELECT 1",
        "-- nothing",
        "EXPLAIN",
    ],
)
def test_other_statements_are_refused(statement: str) -> None:
    with pytest.raises(InvalidArguments):
        check_reads(statement)


def test_hidden_secrets_are_kept_where_they_were() -> None:
    old = {"#a": "cipher", "b": [{"#c": "other"}], "#d": "third"}
    new = {"#a": "[hidden]", "b": [{"#c": "new"}, {"#c": "[hidden]"}], "e": "[hidden]"}

    assert keep_secrets(new, old) == {"#a": "cipher", "b": [{"#c": "new"}, {"#c": "other"}], "e": "[hidden]"}


def test_hidden_secrets_of_a_list_stay_with_their_items() -> None:
    orders, users = {"endpoint": "orders", "#key": "first"}, {"endpoint": "users", "#key": "second"}
    hidden = [{**each, "#key": "[hidden]"} for each in (orders, users)]
    changed = {"endpoint": "all-orders", "#key": "[hidden]"}

    assert keep_secrets([hidden[1], hidden[0]], [orders, users]) == [users, orders]
    assert keep_secrets([hidden[1]], [orders, users]) == [users]
    assert keep_secrets([changed, hidden[1]], [orders, users]) == [{**changed, "#key": "first"}, users]
    assert keep_secrets([hidden[1], changed], [orders, users]) == [users, changed], "whose secret it is, is not known"


A, B, OTHER, HIDDEN = {"#token": "A"}, {"#token": "B"}, {"#token": "new"}, {"#token": "[hidden]"}
URL = {"url": "https://a.example"}


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ([A, B], [HIDDEN, HIDDEN], [A, B]),
        ([A, B], [OTHER, HIDDEN], [OTHER, B]),
        ([A, B], [HIDDEN, OTHER], [A, OTHER]),
        ([A, B], [OTHER, HIDDEN, HIDDEN], [OTHER, A, B]),
        ([A, B], [HIDDEN, HIDDEN, OTHER], [A, B, OTHER]),
        ([URL, A, B], [HIDDEN, HIDDEN, URL], [A, B, URL]),
        ([URL, A, B], [HIDDEN, HIDDEN], [A, B]),
        ([A], [HIDDEN, HIDDEN], [A, A]),
        ([A, B], [HIDDEN, HIDDEN, HIDDEN], [A, B, HIDDEN]),
    ],
)
def test_items_that_differ_in_their_secret_only_keep_it(old: list[Any], new: list[Any], kept: list[Any]) -> None:
    assert keep_secrets(new, old) == kept


def test_hidden_values_of_variables_are_kept_and_never_stored() -> None:
    old = {"values": [{"name": "#password", "value": "cipher"}]}
    new = {"values": [{"name": "#password", "value": "[hidden]"}]}

    assert keep_secrets(new, old) == old
    with pytest.raises(InvalidArguments, match="'value' is \\[hidden\\]"):
        refuse_hidden(new)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_says_what_it_is_for(tool: Tool) -> None:
    first, _, rest = tool.description.partition("\n")

    assert first.endswith((".", ":"))
    assert "Example: {" in rest
    assert tool.input_schema["type"] == "object"
    assert tool.input_schema["additionalProperties"] is False
    assert not tool.is_destructive or "confirm" in tool.input_schema["properties"]


def test_the_sdk_is_imported_only_by_servers() -> None:
    program = "import sys, penstock.cli, penstock.app, penstock.mcp.tools; sys.exit('mcp' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
