"""Errors of Sandboxes, and their form: `error` and `message` both have the message, since clients read either."""

from __future__ import annotations

from typing import Any

from penstock.foundation.errors import AppError, NotFound
from penstock.web.errors import with_status_code


class AppNotFound(NotFound):
    def __init__(self, app_id: str) -> None:
        super().__init__(f'App "{app_id[:200]}" not found.')


class AppsNotAvailable(AppError):
    status = 501

    def __init__(self) -> None:
        super().__init__(
            "Data apps and Python and R workspaces are not available on this stack yet. "
            "Use an SQL workspace of Storage, or a transformation in Python."
        )


def with_message(error: AppError) -> dict[str, Any]:
    return {**with_status_code(error), "message": error.message}
