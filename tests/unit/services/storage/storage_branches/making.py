"""A project whose branches have their own storage, and tables in them."""

from __future__ import annotations

import itertools
from typing import Any

from penstock.services.management import interface as management
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project
from tests.unit.services.storage.loading import make_table, rows, storage, succeed

_numbers = itertools.count(1)


def turn(services: ServicesOnly, *, is_on: bool, project: Project | None = None) -> None:
    project_id = project.caller.project_id if project else services.project.id
    with services.stack.database.writing() as tx:
        management.set_feature(tx, project_id, management.STORAGE_BRANCHES, is_on=is_on)


class Branched:
    """One project through two doors: its default branch, and a branch of its own."""

    def __init__(self, services: ServicesOnly) -> None:
        turn(services, is_on=True)
        self.services, self.main = services, storage(services)
        self.id = self.add_branch()
        self.branch = self.at(self.id)

    def add_branch(self) -> int:
        name = f"Branch {next(_numbers)}"
        return succeed(self.main, self.main.post("/dev-branches", {"name": name}))["id"]

    def at(self, branch_id: int, token: str | None = None) -> Http:
        return Http(f"{self.main.base}/branch/{branch_id}", token or self.main.token)

    def make_tables(self, name: str = "users", **fields: Any) -> str:
        """The same table in both, with other rows."""
        make_table(self.main, "id,name\n1,main\n", name, **fields)
        self.make_in_branch(name, **fields)
        return f"in.c-main.{name}"

    def make_in_branch(self, name: str = "users", content: str = "id,name\n1,branch\n", **fields: Any) -> None:
        self.branch.post("/buckets", {"name": "main"})
        body = {"name": name, "dataString": content, **fields}
        response = self.branch.post("/buckets/in.c-main/tables", body)
        assert response.status == 201, response.text

    def rows(self, table_id: str = "in.c-main.users") -> tuple[list[list[str]], list[list[str]]]:
        """Main's, and the branch's."""
        return rows(self.main, table_id), rows(self.branch, table_id)

    def run(self, http: Http, path: str, document: Any = None, method: str = "POST") -> Any:
        """The results of the job that a request starts; jobs are asked for without a branch."""
        response = http.post(path, document) if method == "POST" else http.delete(path)
        return succeed(self.main, response)
