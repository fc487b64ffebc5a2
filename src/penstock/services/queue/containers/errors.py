"""How a job that is made of jobs can fail, in sentences for its user."""

from __future__ import annotations

from penstock.foundation.errors import Invalid


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
