"""Queries of an honest client: a workspace that reads the tables of its project, and a statement now and then."""

from __future__ import annotations

import time
from typing import Any

from tests.e2e.soak.calls import Call, Client

MAX_POLLS, POLL_SECONDS = 600, 0.1
FINISHED = ("completed", "failed", "canceled")


class Queries:
    def __init__(self, wish: dict[str, Any], token: str) -> None:
        self._storage, self._query = Client(wish["storage"], token), Client(wish["query"], token)
        self._path, self._statement = "", ""

    @property
    def calls(self) -> list[Call]:
        return self._query.calls

    def begin(self, bucket: str) -> None:
        """Create the workspace; its engine starts with the first statement."""
        branches = self._storage.send("branches", "GET", "/v2/storage/dev-branches").document
        body = {"backend": "snowflake", "readOnlyStorageAccess": True}
        made = self._storage.send("workspace", "POST", "/v2/storage/workspaces", body).document
        branch = next(each["id"] for each in branches if each["isDefault"])
        self._path = f"/api/v1/branches/{branch}/workspaces/{made['id']}/queries"
        self._statement = f'SELECT count(*) FROM "{bucket}"."t"'
        self.run()
        self.calls.clear()

    def run(self) -> None:
        begun = self._query.send("query", "POST", self._path, {"statements": [self._statement]})
        if begun.status != 201:
            return
        for _ in range(MAX_POLLS):
            job = self._query.send("query job", "GET", f"/api/v1/queries/{begun.document['queryJobId']}").document
            if job and job["status"] in FINISHED:
                assert job["status"] == "completed", job
                return
            time.sleep(POLL_SECONDS)
