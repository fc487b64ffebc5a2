"""Errors of branches."""

from __future__ import annotations

from penstock.foundation.errors import Invalid, NotFound


class BranchNotFound(NotFound):
    def __init__(self, branch: str) -> None:
        super().__init__(f'Branch id:"{branch}" was not found.')


class BranchExists(Invalid):
    code = "devBranch.duplicateName"

    def __init__(self, name: str) -> None:
        super().__init__(f'There already is a branch with name "{name}"')


class MainStays(Invalid):
    def __init__(self) -> None:
        super().__init__("Cannot delete Main branch")


class CannotRenameMain(Invalid):
    def __init__(self) -> None:
        super().__init__("You can not update default branch name.")
