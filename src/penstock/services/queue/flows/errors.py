"""What is wrong with a flow's configuration."""

from __future__ import annotations

from penstock.foundation.errors import Invalid


class WrongFlow(Invalid):
    """Its user can fix it; the sentence begins with the place in the configuration."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}")


class UnknownTasks(Invalid):
    def __init__(self, task_ids: list[str]) -> None:
        names = ", ".join(task_ids)
        super().__init__(f"onlyOrchestrationTaskIds: the flow has no enabled tasks {names}. Choose tasks that it has.")


class TooManyPhases(Invalid):
    def __init__(self, limit: int) -> None:
        super().__init__(
            f"The flow has run {limit} phases and still goes on. Give the loop in its transitions a condition to end."
        )
