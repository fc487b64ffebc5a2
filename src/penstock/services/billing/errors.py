"""Errors of Billing."""

from __future__ import annotations

from penstock.foundation.errors import AppError, Invalid, NotFound


class NoCredits(AppError):
    """The project has used its credits, and the free minutes of this month."""

    status = 402
    code = "billing.noCredits"

    def __init__(self, project_id: int) -> None:
        super().__init__(
            f"You do not have enough credits: project {project_id} has used all it had, and the free minutes of this "
            f"month. Running jobs finish, and new ones can be started once an administrator of the stack adds credits: "
            f"`penstock projects top-up AMOUNT --project {project_id}`, or "
            f"`POST /manage/projects/{project_id}/credits`."
        )


class UnknownProject(NotFound):
    def __init__(self, project_id: int) -> None:
        super().__init__(
            f"There is no project {project_id}. `projectId` must be the number of a project of this stack."
        )


class InvalidDay(Invalid):
    def __init__(self, field: str, value: str) -> None:
        super().__init__(f'{field}: "{value}" is not a valid day. Write it as 2026-11-17.')


class InvalidRange(Invalid):
    def __init__(self, first: str, last: str, most: int) -> None:
        super().__init__(f"The days from {first} to {last} are not a range of 1 to {most} days. Change `from` or `to`.")


class InvalidGrouping(Invalid):
    def __init__(self, value: str, allowed: tuple[str, ...]) -> None:
        super().__init__(f'groupBy: "{value}" is not known. Use some of these, with commas: {", ".join(allowed)}.')
