"""Creation of a project: its Main branch and the token of its administrator."""

from __future__ import annotations

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.management import interface as management
from penstock.services.storage.operations.authentication import to_caller
from penstock.services.storage.operations.issuing import IssuedToken, create_master_token
from penstock.services.storage.store import branches


def create_project(tx: Transaction, name: str, admin: str) -> tuple[IssuedToken, Caller]:
    """A project with its Main branch and the token of its administrator."""
    project = management.create_project(tx, name)
    branch_id = open_project(tx, project)
    token = create_master_token(tx, project.id, admin)
    return token, to_caller(token.row, branch_id)


def open_project(tx: Transaction, project: management.Project) -> int:
    """Give a new project its Main branch; returns the id of that."""
    branch = branches.Branch(
        id=ids.new_id(tx), project_id=project.id, name="Main", is_default=True, created=clock.now()
    )
    branches.add_branch(tx, branch)
    return branch.id
