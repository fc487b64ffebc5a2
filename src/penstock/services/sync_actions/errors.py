"""Errors of sync actions, and their form: `error` and `message` both have the message, since clients read either."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.foundation.errors import AppError, Invalid, NotFound, Unavailable
from penstock.web.errors import with_status_code

RETRY_SECONDS = 2


class ComponentNotFound(NotFound):
    def __init__(self, component_id: str) -> None:
        super().__init__(f'Component "{component_id[:200]}" not found.')


class UnknownAction(Invalid):
    def __init__(self, action: str, component_id: str, allowed: Sequence[str]) -> None:
        listed = f"Its actions: {', '.join(allowed)}." if allowed else "It has no synchronous actions."
        super().__init__(f'"{action[:200]}" is not an action of the component "{component_id}". {listed}')


class ActionFailed(Invalid):
    """The component ended with an error that its user can fix, or exceeded a limit."""


class ResultTooLarge(Invalid):
    def __init__(self, limit: int) -> None:
        super().__init__(f"The result of the action has more than {limit:,} bytes. Ask for less.")


class ActionBroken(AppError):
    """The component ended in a way that is not its user's fault."""

    status = 500


class ResultNotJson(ActionBroken):
    def __init__(self, component_id: str) -> None:
        super().__init__(f"Application error: the result of the component {component_id} is not valid JSON.")


class TooManyActions(AppError):
    """The project runs as many actions as one project may."""

    status = 429
    code = "tooManyRequests"
    retry_after = RETRY_SECONDS

    def __init__(self, limit: int) -> None:
        super().__init__(f"This project runs {limit} synchronous actions already. Try again when one has ended.")


class AllSlotsTaken(Unavailable):
    retry_after = RETRY_SECONDS

    def __init__(self) -> None:
        super().__init__("As many synchronous actions run as this stack allows. Try again in a moment.")


def with_message(error: AppError) -> dict[str, Any]:
    return {**with_status_code(error), "message": error.message}
