"""A workspace, and statements that are run in it through HTTP."""

from __future__ import annotations

from typing import Any

from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly, wait_for


class SqlWorkspace:
    """A new workspace of a project, by default of the first one."""

    def __init__(self, services: ServicesOnly, token: str | None = None, **fields: Any) -> None:
        self.storage, self.query = services.service("storage", token), services.service("query", token)
        branches = self.storage.get("/v2/storage/dev-branches").json
        self.branch_id: int = next(each["id"] for each in branches if each["isDefault"])
        wanted = {"backend": "snowflake", "readOnlyStorageAccess": True, **fields}
        made = self.storage.post("/v2/storage/workspaces", wanted)
        assert made.status == 201, made.text
        self.id: int = made.json["id"]
        self.schema: str = made.json["connection"]["schema"]
        self.database: str = made.json["connection"]["database"]

    @property
    def path(self) -> str:
        return f"/api/v1/branches/{self.branch_id}/workspaces/{self.id}/queries"

    def submit(self, *statements: str, **fields: Any) -> Response:
        return self.query.post(self.path, {"statements": list(statements), **fields})

    def run(self, *statements: str, **fields: Any) -> dict[str, Any]:
        """The job, when it has ended."""
        response = self.submit(*statements, **fields)
        assert response.status == 201, response.text
        return finish(self.query, response.json["queryJobId"])

    def results(self, *statements: str, **fields: Any) -> dict[str, Any]:
        """Of the last statement."""
        job = self.run(*statements, **fields)
        return read_results(self.query, job).json

    def rows(self, *statements: str, **fields: Any) -> list[list[str | None]]:
        results = self.results(*statements, **fields)
        assert results["status"] == "completed", results
        return results["data"]


def finish(query: Http, job_id: str) -> dict[str, Any]:
    def find() -> dict[str, Any] | None:
        job = query.get(f"/api/v1/queries/{job_id}").json
        return job if job["status"] in ("completed", "failed", "canceled") else None

    return wait_for(find)


def read_results(query: Http, job: dict[str, Any], position: int = -1, parameters: str = "") -> Response:
    return query.get(f"{statement_path(job, position)}/results{parameters}")


def statement_path(job: dict[str, Any], position: int = -1) -> str:
    return f"/api/v1/queries/{job['queryJobId']}/{job['statements'][position]['id']}"
