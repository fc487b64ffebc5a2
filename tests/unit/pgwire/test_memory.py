"""What one client can make the server keep: little."""

from __future__ import annotations

import struct

import pytest

from penstock.pgwire.errors import LIMIT, ClientError
from penstock.pgwire.parameters import to_literals
from penstock.pgwire.requests import Bind
from penstock.pgwire.statements import MAX_CHARACTERS, MAX_PLACES, split_query
from penstock.pgwire.types import TEXT, TEXT_ARRAY
from penstock.sql.process import parsing
from tests.unit.pgwire.raw_client import RawClient, code_of, message
from tests.unit.pgwire.sql_server import Login, SqlServer


def test_a_query_has_the_limit_of_the_engine():
    assert MAX_CHARACTERS == parsing.MAX_CHARACTERS
    with pytest.raises(ClientError) as caught:
        next(split_query(";" * (MAX_CHARACTERS + 1)))

    assert caught.value.sqlstate == LIMIT


def test_a_value_that_is_used_often_is_not_joined_when_that_is_too_long():
    (statement,) = split_query("SELECT " + "$1, " * 50_000 + "$1")

    with pytest.raises(ClientError) as caught:
        statement.with_values(["x" * 20_000_000])  # 1 TB

    assert caught.value.sqlstate == LIMIT
    assert len(statement.with_values(["x" * 50])) < MAX_CHARACTERS


def test_a_statement_uses_parameters_only_so_often():
    with pytest.raises(ClientError, match=f"at most {MAX_PLACES} times"):
        next(split_query("SELECT " + "$1," * (MAX_PLACES + 1)))


@pytest.mark.parametrize(("form", "value"), [(0, b"{%s}" % (b"1," * 1_000_001)), (1, None)], ids=["text", "binary"])
def test_an_array_has_a_limit_of_elements(form: int, value: bytes | None):
    count = 1_000_001
    binary = struct.pack(">iiIii", 1, 0, TEXT, count, 1) + struct.pack(">i", 0) * count

    with pytest.raises(ClientError, match="at most 1000000 elements"):
        to_literals(Bind("", "", [form], [value or binary], []), [TEXT_ARRAY])


def test_prepared_statements_and_portals_take_little_memory_together(sql_server: SqlServer, workspace: Login):
    text = b"SELECT length('" + b"x" * 4_000_000 + b"')"
    with RawClient(sql_server) as client:
        client.log_in(workspace)
        refused = [prepare(client, b"s%d" % number, text) for number in range(10)]
        portals = b"".join(message(b"B", b"p%d\0s0\0" % number + b"\0" * 6) for number in range(3))
        client.send(portals + message(b"S"))
        bound = client.until_ready()
        client.send(message(b"Q", b"DEALLOCATE ALL\0"))
        client.until_ready()

        assert refused == [None] * refused.index(LIMIT) + [LIMIT] * (10 - refused.index(LIMIT))
        assert 2 <= refused.index(LIMIT) <= 8
        assert code_of(bound[-2][1]) == LIMIT
        assert prepare(client, b"again", text) is None


def prepare(client: RawClient, name: bytes, text: bytes) -> str | None:
    """The SQLSTATE if it is refused."""
    client.send(message(b"P", name + b"\0" + text + b"\0\0\0") + message(b"S"))
    found = client.until_ready()
    return code_of(found[0][1]) if found[0][0] == b"E" else None
