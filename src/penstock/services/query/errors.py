"""Errors of Query, and their form: unlike in other services, `exception` has the message and `error` the status."""

from __future__ import annotations

from typing import Any

from penstock.foundation.errors import AppError, Invalid, NotFound, TooLarge


class JobNotFound(NotFound):
    def __init__(self, job_id: str) -> None:
        super().__init__(f'Query job "{job_id}" not found.')


class StatementNotFound(NotFound):
    def __init__(self, job_id: str, statement_id: str) -> None:
        super().__init__(f'Statement "{statement_id}" of query job "{job_id}" not found.')


class BranchNotNumeric(NotFound):
    def __init__(self, value: str, main_branch_id: int) -> None:
        super().__init__(
            f'"{value}" is not the id of a branch. Send its number; the default branch of this project is '
            f"{main_branch_id}."
        )


class EmptyStatement(Invalid):
    def __init__(self, position: int) -> None:
        super().__init__(f"Statement {position} is empty. Send SQL, or leave it out.")


class NoStatements(Invalid):
    def __init__(self) -> None:
        super().__init__("There is no statement to run. Send at least one in `statements`.")


class InvalidTimeout(Invalid):
    def __init__(self, value: str) -> None:
        super().__init__(f'"{value}" is not a valid timeout. Write a positive duration such as 60s, 1m30s or 500ms.')


class TooManyQueries(AppError):
    status, retry_after = 429, 5

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"The project has {limit:,} query jobs that have not ended, and more are not accepted. "
            "Wait until some have ended, or cancel them."
        )


class JobFinished(Invalid):
    def __init__(self, job_id: int, status: str) -> None:
        super().__init__(f"Query job {job_id} has ended ({status}) and cannot be canceled.")


class NotCompleted(Invalid):
    def __init__(self, statement_id: int, status: str) -> None:
        super().__init__(
            f"Statement {statement_id} is not completed yet: it is {status}. Wait until the job has ended."
        )


class NoRows(Invalid):
    """A statement that failed, or that returns no rows."""

    def __init__(self, statement_id: int, status: str) -> None:
        super().__init__(f"Statement {statement_id} has no rows to export: it is {status}.")


class ExportTooLarge(TooLarge):
    def __init__(self, statement_id: int, megabytes: int) -> None:
        super().__init__(
            f"The file of statement {statement_id} is larger than {megabytes:,} MB, the setting sql_export_megabytes "
            "of the stack. Select fewer rows or columns, or create a table and export it from Storage."
        )


class ResultsExpired(AppError):
    status = 410

    def __init__(self, statement_id: int, hours: int) -> None:
        super().__init__(
            f"The results of statement {statement_id} have expired: they are kept for {hours} hours. Run it again."
        )


class ServerRestarted(AppError):
    def __init__(self) -> None:
        super().__init__("The server was restarted while the statement was running or waiting. Run it again.")


def with_exception(error: AppError) -> dict[str, Any]:
    """The form of errors in this service."""
    return {
        "exception": error.message,
        "error": error.status,
        "code": str(error.status),
        "status": "error",
        "context": list(error.faults) or {},
        "trace": [],
    }
