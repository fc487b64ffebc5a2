"""The error of a failed job, logged under the id that its user is given."""

from __future__ import annotations

from penstock.foundation import ids
from penstock.foundation.logging import Log
from penstock.services.queue.models.results import Failure

log = Log("queue")

INTERNAL_ERROR = (
    "The stack could not finish this job, through no fault of yours. Its operator finds why in the worker's log."
)


def new_failure(job_id: int, kind: str, message: str, cause: Exception | None = None) -> Failure:
    """`kind` is `user` or `application`; `message` is what the user reads, `cause` a defect of the stack."""
    failure = Failure(type=kind, exception_id=ids.new_exception_id())
    facts = {"job_id": job_id, "exception_id": failure.exception_id, "type": kind, "reason": message}
    if kind == "user":
        log.info("job failed", **facts)
    else:
        log.error("job failed", exception=cause, **facts)
    return failure
