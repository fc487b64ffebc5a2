"""A task of a flow: what it runs, when it is retried, and how far it has come."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from penstock.services.queue.flows.errors import WrongFlow

Text = Annotated[str, msgspec.Meta(min_length=1)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=366 * 86_400)]


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """What an error has to say to be tried again."""

    type: Literal["errorMessageContains", "errorMessageExact"]
    value: str

    def is_met(self, message: str) -> bool:
        return message == self.value if self.type == "errorMessageExact" else self.value in message


class Strategy(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    max_retries: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 3
    delay: Seconds = 10


class Retry(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    strategy: Literal["linear"] = "linear"
    strategy_params: Strategy = Strategy()
    retry_on: list[Reason] = []
    """Any of them; without one every error is tried again."""

    def wants(self, attempts: int, message: str) -> bool:
        """Whether there is to be another attempt after so many, the last of which ended with this message."""
        is_meant = not self.retry_on or any(reason.is_met(message) for reason in self.retry_on)
        return is_meant and attempts <= self.strategy_params.max_retries


class JobTask(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What is asked of the queue when the task's turn has come."""

    component_id: Text
    config_id: str | int | None = None
    config_data: dict[str, Any] | None = None
    config_row_ids: list[str | int] = []
    mode: str = "run"
    tag: str | None = None
    variable_values_id: str | int | None = None
    variable_values_data: dict[str, Any] = {}
    variable_overrides: list[str] = []
    backend: dict[str, Any] | str = {}
    executor: str | None = None
    parallelism: str | int | None = None
    behavior: dict[str, Any] = {}
    delay: Seconds | None = None
    retry: Retry | None = None


class TaskRun(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    status: str = ""
    """Empty until it has ended."""
    job_id: int | None = None
    message: str = ""
    """Why there is no job."""
    start_time: datetime | None = None
    end_time: datetime | None = None


def check_job_task(task: JobTask, place: str) -> None:
    if task.config_id in (None, "") and task.config_data is None:
        raise WrongFlow(place, "A task needs a configId, or configData of its own.")
