"""What one client can do to others: nothing."""

from __future__ import annotations

import os
import socket
import struct
import threading
import time
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest

from penstock.foundation.admission import Admission
from penstock.foundation.memory_shares import MemoryShares
from penstock.pgwire.listener import FIRST_SECONDS, LOGIN_SECONDS, MAX_LOGINS
from penstock.services.storage import interface as storage
from penstock.sql.folders import folder_of
from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for
from tests.unit.pgwire.raw_client import RawClient, code_of, message, startup
from tests.unit.pgwire.sql_server import Login, SqlServer

ENDLESS = "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range % 7 = 3"


def run_in_thread(client: psycopg.Connection[Any], sql: str) -> tuple[threading.Thread, list[Exception]]:
    errors: list[Exception] = []

    def run() -> None:
        try:
            client.execute(sql.encode())
        except psycopg.Error as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, errors


def is_executing(server: SqlServer) -> bool:
    return any(each.execution.executing for each in server.listener.connections.values())


def test_a_running_statement_is_canceled_and_others_run_meanwhile(sql_server: SqlServer, workspace: Login):
    with sql_server.connect(workspace) as client, sql_server.connect(workspace) as other:
        thread, errors = run_in_thread(client, ENDLESS)
        wait_for(lambda: is_executing(sql_server))
        assert other.execute("SELECT 1").fetchone() == (1,)

        client.cancel_safe()
        thread.join(PATIENCE)

        assert isinstance(errors[0], psycopg.errors.QueryCanceled)
        assert client.execute("SELECT 2").fetchone() == (2,)


def test_a_cancel_request_with_a_wrong_secret_does_nothing(sql_server: SqlServer, workspace: Login):
    sql_server.wait_until_idle()
    with RawClient(sql_server) as client:
        process, secret = client.log_in(workspace)

        assert sql_server.listener.connections.keys() == {(process, secret)}
        with RawClient(sql_server) as other:
            other.send(b"\0\0\0\x10\x04\xd2\x16\x2e" + process.to_bytes(4, "big") + (secret ^ 1).to_bytes(4, "big"))
            assert other.line.recv(1) == b""


def test_a_statement_of_a_client_that_is_gone_is_canceled(sql_server: SqlServer, workspace: Login):
    with sql_server.connect(workspace) as client:
        thread, errors = run_in_thread(client, ENDLESS)
        wait_for(lambda: is_executing(sql_server))

        # A copy of the descriptor: the client closes its own, whose number may belong to another connection by then.
        with socket.socket(fileno=os.dup(client.pgconn.socket)) as line:
            line.shutdown(socket.SHUT_RDWR)

        sql_server.wait_until_idle()
        thread.join(PATIENCE)
        assert errors
    with sql_server.connect(workspace) as other:
        assert other.execute("SELECT 1").fetchone() == (1,)


def test_a_client_that_is_gone_is_noticed_while_its_messages_are_not_read(sql_server: SqlServer, workspace: Login):
    sql_server.wait_until_idle()
    with RawClient(sql_server) as client:
        client.log_in(workspace)
        query = message(b"Q", f"{ENDLESS} -- {'x' * 100_000}\0".encode())
        client.send(query * 3)
        wait_for(lambda: is_executing(sql_server))

    sql_server.wait_until_idle()


def test_a_statement_has_the_timeout_of_its_connection(sql_server: SqlServer, workspace: Login):
    with sql_server.connect(workspace) as client:
        client.execute("SET statement_timeout = '300ms'")

        with pytest.raises(psycopg.errors.QueryCanceled, match=r"longer than 0\.3 s"):
            client.execute(ENDLESS)


@pytest.mark.faults
def test_an_engine_that_is_killed_ends_the_statement_and_starts_again(sql_server: SqlServer):
    login = sql_server.new_workspace()
    with sql_server.connect(login) as client:
        client.execute("CREATE TABLE kept AS SELECT 1 AS id")
        thread, errors = run_in_thread(client, ENDLESS)
        wait_for(lambda: is_executing(sql_server))
        sql_server.kill_engine(login)
        thread.join(PATIENCE)

        assert isinstance(errors[0], psycopg.errors.SystemError)
        assert "was stopped" in str(errors[0])
        assert client.execute("SELECT id FROM kept").fetchone() == (1,)


@pytest.mark.faults
def test_a_transaction_does_not_go_on_in_another_engine(sql_server: SqlServer):
    login = sql_server.new_workspace()
    with sql_server.connect(login) as client:
        client.execute("CREATE TABLE kept (id INTEGER)")
        client.execute("BEGIN")
        client.execute("INSERT INTO kept VALUES (1)")
        sql_server.kill_engine(login)
        time.sleep(0.2)

        with pytest.raises(psycopg.errors.SystemError):
            client.execute("INSERT INTO kept VALUES (2)")
        client.execute("ROLLBACK")
        assert client.execute("SELECT count(*) FROM kept").fetchone() == (0,)


def test_a_transaction_does_not_go_on_in_another_session(sql_server: SqlServer):
    login = sql_server.new_workspace()
    with sql_server.connect(login) as client:
        client.execute("CREATE TABLE kept (id INTEGER)")
        client.execute("BEGIN")
        client.execute("INSERT INTO kept VALUES (1)")
        execution = next(iter(sql_server.listener.connections.values())).execution
        with storage.open_engine(sql_server.services.stack, execution.workspace) as engine:
            engine.end_session(execution.session_id)

        with pytest.raises(psycopg.errors.NoActiveSqlTransaction, match="has ended"):
            client.execute("INSERT INTO kept VALUES (2)")
        client.execute("ROLLBACK")
        assert client.execute("SELECT count(*) FROM kept").fetchone() == (0,)


def test_temporary_tables_that_are_lost_are_told_once(sql_server: SqlServer):
    login = sql_server.new_workspace()
    with sql_server.connect(login) as client:
        client.execute("CREATE TEMPORARY TABLE mine AS SELECT 1 AS id")
        execution = next(iter(sql_server.listener.connections.values())).execution
        with storage.open_engine(sql_server.services.stack, execution.workspace) as engine:
            engine.end_session(execution.session_id)

        with pytest.raises(psycopg.Error, match="temporary tables and variables are gone"):
            client.execute("SELECT 1")
        assert client.execute("SELECT 1").fetchone() == (1,)


def test_a_client_leaves_no_results_behind(sql_server: SqlServer):
    login = sql_server.new_workspace()
    with sql_server.connect(login) as client:
        client.execute("SELECT 1")
        client.execute("SELECT * FROM range(10)")
    sql_server.wait_until_idle()

    results = folder_of(sql_server.services.stack.folder, login.id).results
    wait_for(lambda: not list(results.iterdir()))


def test_a_client_that_does_not_log_in_is_ended(sql_server: SqlServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("penstock.pgwire.listener.LOGIN_SECONDS", 0.2)
    with RawClient(sql_server) as silent, RawClient(sql_server) as slow:
        slow.send(startup(user="a"))

        assert silent.line.recv(1) == b""
        assert [kind for kind, _ in slow.messages()] == [b"R"]


def test_a_client_that_sends_nothing_is_ended_after_three_seconds(
    sql_server: SqlServer, monkeypatch: pytest.MonkeyPatch
):
    assert FIRST_SECONDS == 3
    monkeypatch.setattr("penstock.pgwire.listener.FIRST_SECONDS", 0.2)
    with RawClient(sql_server) as silent, RawClient(sql_server) as slow:
        slow.send(startup(user="a"))
        begin = time.monotonic()

        assert silent.line.recv(1) == b""
        assert time.monotonic() - begin < LOGIN_SECONDS / 2
        assert next(slow.messages())[0] == b"R"


def test_silent_connections_do_not_keep_others_out(
    sql_server: SqlServer, workspace: Login, monkeypatch: pytest.MonkeyPatch
):
    sql_server.wait_until_idle()
    monkeypatch.setattr("penstock.pgwire.listener.FIRST_SECONDS", PATIENCE)
    wait_for(lambda: not sql_server.listener.logins.total())
    with ExitStack() as opened:
        heard = opened.enter_context(RawClient(sql_server))
        heard.send(startup(user="a"))
        assert next(heard.messages())[0] == b"R"
        silent = [opened.enter_context(RawClient(sql_server)) for _ in range(MAX_LOGINS - 1)]
        wait_for(lambda: sql_server.listener.logins.total() == MAX_LOGINS)

        with sql_server.connect(workspace) as client:
            assert client.execute("SELECT 1").fetchone() == (1,)

        assert silent[0].line.recv(1) == b"", "the oldest silent one made way"
        assert sql_server.listener.logins.total() == MAX_LOGINS - 1, "and no other"
        heard.send(message(b"p", b"wrong\0"))
        assert code_of(next(heard.messages())[1]) == "28P01"


def test_only_so_many_log_in_at_a_time(sql_server: SqlServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("penstock.pgwire.listener.MAX_LOGINS", 0)
    wait_for(lambda: not sql_server.listener.logins.total())
    with RawClient(sql_server) as client:
        ((kind, content),) = client.messages()

    assert (kind, code_of(content)) == (b"E", "53300")


def test_a_workspace_has_a_limit_of_connections(
    sql_server: SqlServer, workspace: Login, monkeypatch: pytest.MonkeyPatch
):
    sql_server.wait_until_idle()
    monkeypatch.setattr("penstock.pgwire.listener.PER_WORKSPACE", 1)
    with sql_server.connect(workspace), pytest.raises(psycopg.OperationalError, match="has 1 connections"):
        sql_server.connect(workspace)


def test_a_project_has_a_limit_of_connections(sql_server: SqlServer, workspace: Login, monkeypatch: pytest.MonkeyPatch):
    """Whichever workspaces they are in: the rest is for other projects."""
    sql_server.wait_until_idle()
    monkeypatch.setattr("penstock.pgwire.listener.PER_PROJECT", 1)
    with sql_server.connect(workspace), pytest.raises(psycopg.OperationalError, match="The project has 1 connections"):
        sql_server.connect(workspace)


def test_messages_that_do_not_end_take_a_bounded_part_of_the_memory(
    sql_server: SqlServer, workspace: Login, monkeypatch: pytest.MonkeyPatch
):
    sql_server.wait_until_idle()
    memory = MemoryShares(2_000_000, 1_000_000)
    monkeypatch.setattr(sql_server.listener, "_memory", memory)
    with RawClient(sql_server) as first, RawClient(sql_server) as second:
        for client in (first, second):
            client.log_in(workspace)
        first.send(b"Q" + struct.pack(">I", 900_000) + b"x" * 800_000)
        wait_for(lambda: memory.total > 700_000)
        second.send(message(b"Q", b"x" * 900_000))
        kinds = [(kind, code_of(content)) for kind, content in second.messages()]
    wait_for(lambda: not memory.total)

    assert kinds == [(b"E", "53200")]


def test_an_idle_client_is_ended(sql_server: SqlServer, workspace: Login, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("penstock.pgwire.connection.IDLE_SECONDS", 0.2)
    with RawClient(sql_server) as client:
        client.log_in(workspace)
        ((kind, content),) = client.messages()

    assert (kind, code_of(content)) == (b"E", "57P05")


def test_other_machines_need_tls(sql_server: SqlServer, workspace: Login, tmp_path_factory: pytest.TempPathFactory):
    address = find_address()
    folder = tmp_path_factory.mktemp("everywhere")
    everywhere = SqlServer(sql_server.services, folder, "0.0.0.0", Admission(per_address=1))
    try:
        with pytest.raises(psycopg.OperationalError, match="need TLS: use sslmode=require"):
            everywhere.connect(workspace, host=address)
        with everywhere.connect(workspace, host=address, sslmode="require") as client:
            assert client.execute("SELECT 1").fetchone() == (1,)
            with pytest.raises(psycopg.OperationalError, match="error response"):
                everywhere.connect(workspace, host=address, sslmode="require")
    finally:
        everywhere.stop()


def find_address() -> str:
    """One of this machine that is not loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no address besides loopback")
        return str(probe.getsockname()[0])


def test_clients_are_told_that_the_server_stops(
    sql_server: SqlServer, workspace: Login, tmp_path_factory: pytest.TempPathFactory
):
    stopping = SqlServer(sql_server.services, tmp_path_factory.mktemp("stopping"))
    with stopping.connect(workspace) as idle, stopping.connect(workspace) as busy:
        thread, errors = run_in_thread(busy, ENDLESS)
        wait_for(lambda: is_executing(stopping))

        stopping.stop()

        with pytest.raises(psycopg.errors.AdminShutdown):
            idle.execute("SELECT 1")
        thread.join(PATIENCE)
        assert errors
