"""Statements through the service `query`: submitted, waited for, and canceled if the caller is interrupted."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from penstock.client.errors import ClientError, NotThere
from penstock.client.sql.models import QueryJob, Results, Submitted
from penstock.client.sql.result import SqlResult
from penstock.client.sql.workspace import Place, Workspaces
from penstock.client.transport import Transport

DUCKDB = "duckdb"
_MIN_PAUSE, _MAX_PAUSE = 0.005, 1.0


class QueryFailed(ClientError):
    """The message is that of the engine."""

    status = 400


class InvalidTimeout(ClientError):
    status = 400

    def __init__(self, seconds: float) -> None:
        super().__init__(f"{seconds:g} is not a valid timeout. Give a number of seconds above 0.")


class Queries:
    """Statements of one client run in one session: temporary tables and variables stay until it ends."""

    def __init__(self, find_url: Callable[[str], str], workspaces: Workspaces, transport: Transport) -> None:
        self._find_url, self._workspaces, self._transport = find_url, workspaces, transport
        self._place: Place | None = None
        self._session_id: str | None = None

    def run(self, sql: str, dialect: str = DUCKDB, timeout: float | None = None) -> SqlResult:
        """Wait until the statement has ended; raises QueryFailed if it failed or was canceled."""
        submitted = self._submit(sql, dialect, timeout)
        self._session_id = submitted.session_id
        job = self._wait(submitted.query_job_id)
        statement = job.statements[0]
        if job.status != "completed":
            raise QueryFailed(statement.error or job.cancellation_reason or f"The statement was {job.status}.")
        return self.find(f"{job.query_job_id}/{statement.id}")

    def find(self, result_id: str) -> SqlResult:
        """The result of an earlier statement, by the `id` that it had."""
        job_id, _, statement_id = result_id.partition("/")
        return SqlResult(
            self, result_id, f"{self._url}/queries/{quote(job_id, safe='')}/{quote(statement_id, safe='')}"
        )

    def read_page(self, statement_url: str, offset: int, size: int) -> Results:
        return self._transport.get(f"{statement_url}/results", Results, {"offset": offset, "pageSize": size})

    def download(self, statement_url: str, file_type: str, target: Path, *, gzip: bool = False) -> None:
        query = f"fileType={file_type}&gzip={int(gzip)}"
        self._transport.download(f"{statement_url}/export?{query}", target)

    @property
    def _url(self) -> str:
        return f"{self._find_url('query')}/api/v1"

    def _submit(self, sql: str, dialect: str, timeout: float | None) -> Submitted:
        body: dict[str, Any] = {"statements": [sql], "dialect": dialect, "sessionId": self._session_id}
        if timeout is not None:
            body["timeout"] = _milliseconds(timeout)
        try:
            return self._send(body)
        except NotThere:
            if not self._place:
                raise
            # The workspace was deleted since it was found.
            self._place = None
            return self._send(body)

    def _send(self, body: dict[str, Any]) -> Submitted:
        self._place = self._place or self._workspaces.find_or_create()
        return self._transport.post(f"{self._url}{self._place.path}", body, Submitted)

    def _wait(self, job_id: str) -> QueryJob:
        """The service holds each response back for a moment, so that short statements need one request."""
        url, pause = f"{self._url}/queries/{job_id}", _MIN_PAUSE
        try:
            while not (job := self._transport.get(url, QueryJob)).is_finished:
                time.sleep(pause)
                pause = min(pause * 1.5, _MAX_PAUSE)
        except KeyboardInterrupt:
            with suppress(ClientError):
                self._transport.post(f"{url}/cancel", {"reason": "Interrupted by the user."}, msgspec.Raw)
            raise
        return job


def _milliseconds(seconds: float) -> str:
    if not math.isfinite(seconds) or seconds <= 0:
        raise InvalidTimeout(seconds)
    return f"{max(round(seconds * 1000), 1)}ms"
