"""What one client has prepared and opened, and the state of its transaction."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from penstock.pgwire import requests, responses
from penstock.pgwire.copy.receiving import CopyIn
from penstock.pgwire.copy.sending import send_copy
from penstock.pgwire.copy.statement import Copy
from penstock.pgwire.errors import CANCELED, NO_STATEMENT, SYNTAX, UNSUPPORTED, ClientError
from penstock.pgwire.execution import Execution
from penstock.pgwire.open_statements import OpenStatements, Portal, Prepared
from penstock.pgwire.parameters import find_types, to_literals, to_nulls
from penstock.pgwire.results import Result
from penstock.pgwire.running import IDLE, Runner
from penstock.pgwire.settings import Settings
from penstock.pgwire.statements import Statement, split_query


class Session:
    """Blocks. Each request is answered with pieces of bytes; errors are raised as ClientError."""

    def __init__(self, execution: Execution, settings: Settings) -> None:
        self._execution, self._open = execution, OpenStatements(execution)
        self._runner = Runner(execution, settings, self._open)
        self._undescribed: str | None = None
        """The portal that the client has asked to describe. If it is executed next, that tells its columns."""
        self._copy_in: CopyIn | None = None
        """The data that the client sends."""

    @property
    def is_copying(self) -> bool:
        return self._copy_in is not None

    def respond(self, request: requests.Request) -> Iterator[bytes]:
        if self._copy_in or isinstance(request, requests.CopyMessage):
            yield self._add_data(self._copy_in, request)
            return
        name, self._undescribed = self._undescribed, None
        is_executed = isinstance(request, requests.Execute) and request.portal == name
        if name is not None and not is_executed:
            yield self._describe_portal(self._open.get_portal(name))
        if isinstance(request, requests.Query):
            yield from self._query(request.text)
        elif isinstance(request, requests.Execute):
            yield from self._execute(self._open.get_portal(request.portal), request.most_rows, is_executed)
        else:
            yield self._reply(request)

    def _add_data(self, copy_in: CopyIn | None, request: requests.Request) -> bytes:
        """What is left over of a COPY that has failed is ignored, and a Sync while one runs, as PostgreSQL does it."""
        if copy_in is None or isinstance(request, requests.Sync | requests.Flush):
            return b""
        if isinstance(request, requests.CopyData):
            copy_in.add(request.content)
            return b""
        if isinstance(request, requests.CopyDone):
            copy_in.add(b"", is_last=True)
            self._runner.end_copy()
            self._copy_in = None
            return responses.command_complete(f"COPY {copy_in.count}")
        reason = (
            request.reason if isinstance(request, requests.CopyFail) else "the client sent something else than data"
        )
        raise ClientError(CANCELED, f"COPY from the client was ended: {reason}")

    def _reply(self, request: requests.Request) -> bytes:
        """Reply to a request that runs no statement of the client."""
        match request:
            case requests.Parse():
                return self._parse(request)
            case requests.Bind():
                return self._bind(request)
            case requests.Describe():
                return self._describe(request)
            case requests.Close():
                return self._close(request)
            case requests.Sync():
                return self.synchronize()
            case requests.Unsupported(kind):
                raise ClientError(UNSUPPORTED, f"Messages of the type {kind!r} are not supported.")
            case _:
                return b""

    def synchronize(self) -> bytes:
        """The end of a batch of messages. Without a transaction, portals end with it."""
        self._undescribed = None
        if self._runner.status == IDLE:
            self._open.close_all_portals()
        return responses.ready(self._runner.status)

    def fail(self) -> None:
        """Record an error, which ends the transaction."""
        self._undescribed = self._copy_in = None
        self._runner.fail()

    def close(self) -> None:
        self._execution.close()

    def _query(self, text: str) -> Iterator[bytes]:
        is_empty = True
        for statement in split_query(text):
            is_empty = False
            if self._copy_in:
                raise ClientError(UNSUPPORTED, "COPY FROM STDIN has to be the last statement of a query.")
            result_id = self._execution.new_result_id()
            try:
                yield from self._run_simple(statement, result_id)
            except ClientError as error:
                if error.position is not None:
                    error.position += statement.start
                raise
            finally:
                self._execution.free_result_id(result_id)
        if is_empty:
            yield responses.EMPTY_QUERY

    def _run_simple(self, statement: Statement, result_id: str) -> Iterator[bytes]:
        if statement.parameters:
            raise ClientError(NO_STATEMENT, "A query without values cannot have parameters such as $1.")
        result = self._runner.run(statement, statement.text, result_id)
        yield result.notices
        if result.copy:
            yield from self._copy(result.copy, result)
            return
        if described := result.describe([]):
            yield described
        yield from result.take([], 0)
        yield responses.command_complete(result.tag)

    def _copy(self, copy: Copy, result: Result) -> Iterator[bytes]:
        if not copy.is_from_client:
            yield from send_copy(copy, result)
            return
        self._copy_in = self._runner.start_copy(copy)
        columns = len(self._copy_in.fields)
        yield responses.copy_response(b"G", is_binary=copy.form == "binary", columns=columns)

    def _parse(self, request: requests.Parse) -> bytes:
        statements = list(itertools.islice(split_query(request.text), 2))
        if len(statements) > 1:
            raise ClientError(SYNTAX, "A prepared statement cannot hold several statements, separated by semicolons.")
        statement = statements[0] if statements else None
        self._open.prepare(request.name, statement, find_types(statement, request.types) if statement else [])
        return responses.PARSE_COMPLETE

    def _bind(self, request: requests.Bind) -> bytes:
        prepared = self._open.get_prepared(request.statement)
        self._open.require_new_portal(request.portal)
        literals = to_literals(request, prepared.types)
        sql = prepared.statement.with_values(literals) if prepared.statement else ""
        self._open.open_portal(request.portal, prepared, sql, request.result_formats)
        return responses.BIND_COMPLETE

    def _describe(self, request: requests.Describe) -> bytes:
        if request.kind == "S":
            return self._describe_statement(self._open.get_prepared(request.name))
        if cursor := self._open.find_cursor(request.name):
            return cursor.result.describe([]) or responses.NO_DATA
        self._open.get_portal(request.name)
        self._undescribed = request.name
        return b""

    def _describe_statement(self, prepared: Prepared) -> bytes:
        if not prepared.is_described:
            statement = prepared.statement
            sql = statement.with_values(to_nulls(prepared.types)) if statement else ""
            self._open.describe(prepared, self._runner.describe(statement, sql) if statement else None)
        described = Result("", prepared.fields).describe([]) or responses.NO_DATA
        return responses.parameter_description(prepared.types) + described

    def _describe_portal(self, portal: Portal) -> bytes:
        if portal.result:
            return portal.result.describe(portal.formats) or responses.NO_DATA
        statement = portal.prepared.statement
        fields = self._runner.describe(statement, portal.sql) if statement else None
        return Result("", fields).describe(portal.formats) or responses.NO_DATA

    def _execute(self, portal: Portal, most_rows: int, is_undescribed: bool) -> Iterator[bytes]:
        if not portal.prepared.statement:
            yield from [responses.NO_DATA] if is_undescribed else []
            yield responses.EMPTY_QUERY
            return
        result = portal.result
        if not result:
            result = self._runner.run(portal.prepared.statement, portal.sql, portal.result_id)
            self._open.execute(portal, result)
            yield result.notices
        if portal.prepared.fields and not is_undescribed:
            result.use_fields(portal.prepared.fields)
        if is_undescribed:
            yield result.describe(portal.formats) or responses.NO_DATA
        if result.copy:
            yield from self._copy(result.copy, result)
            return
        yield from result.take(portal.formats, most_rows)
        yield responses.command_complete(result.tag) if result.is_complete else responses.PORTAL_SUSPENDED

    def _close(self, request: requests.Close) -> bytes:
        if request.kind == "S":
            self._open.close_prepared(request.name)
        else:
            self._open.close_portal(request.name)
        return responses.CLOSE_COMPLETE
