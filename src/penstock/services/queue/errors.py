"""What can go wrong in Queue, by name."""

from __future__ import annotations

from penstock.foundation.errors import Invalid, NotFound


class JobNotFound(NotFound):
    code = "queue.jobNotFound"

    def __init__(self, job_id: str) -> None:
        super().__init__(f'Job "{job_id}" not found')


class InvalidJob(Invalid):
    """The request cannot become a job; the sentence names the field."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f'Invalid request:\n - {field}: "{problem}"')


class UnknownComponent(InvalidJob):
    def __init__(self, component_id: str) -> None:
        super().__init__("component", f"There is no component {component_id} in this stack.")


class UnknownConfiguration(InvalidJob):
    def __init__(self, config_id: str, component_id: str) -> None:
        super().__init__("config", f"There is no configuration {config_id} of {component_id} in this project.")


class ConfigurationDisabled(Invalid):
    def __init__(self, config_id: str, component_id: str) -> None:
        super().__init__(f'Configuration "{config_id}" of component "{component_id}" is disabled.')
