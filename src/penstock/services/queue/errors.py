"""What can go wrong in Queue, by name."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.foundation.errors import Forbidden, Invalid, NotFound


class JobNotFound(NotFound):
    code = "queue.jobNotFound"

    def __init__(self, job_id: str) -> None:
        super().__init__(f'Job "{job_id}" not found')


class InvalidRequest(Invalid):
    """The sentence names the field."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f'Invalid request:\n - {field}: "{problem}"')
        self.faults = ({"path": field, "message": problem},)


class InvalidJob(InvalidRequest):
    """The request cannot become a job."""


class InvalidSearch(InvalidRequest):
    """The query cannot be asked."""


class NotOneOf(InvalidRequest):
    def __init__(self, field: str, value: object, allowed: Sequence[str]) -> None:
        super().__init__(field, f"{str(value)[:100]!r} is not known here; use one of {', '.join(allowed)}.")


class UnknownComponent(InvalidJob):
    def __init__(self, component_id: str) -> None:
        super().__init__("component", f"There is no component {component_id} in this stack.")


class UnknownConfiguration(InvalidJob):
    def __init__(self, config_id: str, component_id: str) -> None:
        super().__init__("config", f"There is no configuration {config_id} of {component_id} in this project.")


class UnknownTag(InvalidJob):
    def __init__(self, component_id: str, tag: str, allowed: str) -> None:
        super().__init__(
            "tag", f"{component_id} has no version {tag}: it comes with this stack, as {allowed}. Omit the tag."
        )


class UnknownBranch(InvalidJob):
    def __init__(self, branch_id: str) -> None:
        super().__init__("branchId", f"There is no branch {branch_id} in this project.")


class JobExists(InvalidJob):
    code = "dbDeduplicationIdConflict"

    def __init__(self, deduplication_id: str) -> None:
        super().__init__("deduplicationId", f"A job with {deduplication_id!r} has not ended yet.")


class ConfigurationDisabled(Invalid):
    def __init__(self, config_id: str, component_id: str) -> None:
        super().__init__(f'Configuration "{config_id}" of component "{component_id}" is disabled.')


class NotRunnable(Invalid):
    def __init__(self, component_id: str, reason: str = "") -> None:
        super().__init__(f'The component "{component_id}" is not runnable. {reason}'.rstrip())


class UnknownProcessor(Invalid):
    def __init__(self, component_id: str) -> None:
        super().__init__(f'The processor "{component_id[:200]}" is not there. See those there are: penstock components')


class NotAProcessor(Invalid):
    def __init__(self, component_id: str, kind: str) -> None:
        super().__init__(
            f'The component "{component_id}" is of type "{kind}". Only components of type "processor" can be named in '
            "`processors`."
        )


class VaultNotReadable(Forbidden):
    def __init__(self) -> None:
        super().__init__(
            "The configuration names variables of the vault, which this token may not get. Use a token that may manage "
            "all buckets or create jobs."
        )


class ComponentForbidden(Forbidden):
    def __init__(self, component_id: str) -> None:
        super().__init__(
            f'The token may not use the component "{component_id}". Use one with `canManageBuckets`, or with '
            "the component in its `componentAccess`."
        )


class ProcessorForbidden(Forbidden):
    def __init__(self, component_id: str) -> None:
        super().__init__(
            f'The token may not use the processor "{component_id}". Add it to the `componentAccess` of the token, or '
            "remove it from `processors`."
        )


class TwoKindsOfValues(Invalid):
    def __init__(self) -> None:
        super().__init__('Provide either "variableValuesId" or "variableValuesData", but not both.')
        self.faults = ({"path": "variableValuesData", "message": self.message},)


class NotKillable(Invalid):
    code = "queue.jobNotKillable"

    def __init__(self, job_id: int, status: str) -> None:
        super().__init__(
            f'Job "{job_id}" is {status}, which is not in one of killable states: created, waiting, processing.'
        )


class NotAnOrchestration(Invalid):
    def __init__(self, job_id: int) -> None:
        super().__init__(f'Job "{job_id}" is not an orchestration job.')
