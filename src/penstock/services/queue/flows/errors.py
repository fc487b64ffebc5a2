"""What is wrong with a flow's configuration, and how a job that is made of jobs can fail, in sentences for its user."""

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


class TokenGone(Invalid):
    def __init__(self) -> None:
        super().__init__("The token that started this job was revoked or has expired.")


class FlowRunsItself(Invalid):
    def __init__(self, component_id: str, config_id: str) -> None:
        super().__init__(
            f"A flow cannot run itself: {component_id} {config_id} is running already and waits for this task. "
            "Take the task out, or let it run another flow."
        )


class NoEarlierJob(Invalid):
    def __init__(self, job_id: str) -> None:
        super().__init__(
            f'previousJobId: "{job_id}" is not a finished job of this flow. Give the id of the run to be repeated.'
        )


class NothingToRetry(Invalid):
    def __init__(self) -> None:
        super().__init__("The job does not say what to retry. Only the task of a flow is retried.")


class NothingToRun(Invalid):
    def __init__(self) -> None:
        super().__init__("A phase runs only as a part of its flow. Run the whole flow, or choose some of its tasks.")
