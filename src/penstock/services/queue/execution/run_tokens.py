"""A token for a program that calls Storage in its user's name (`forward_token`): created for a run, deleted with it.

It may do what the job's own token may, but make no other tokens. It is noted in the job's progress in the transaction
that makes it, so that a worker that takes the job over deletes it; otherwise it expires.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress

from penstock.components.component import Component
from penstock.foundation.callers import Caller
from penstock.foundation.errors import Unavailable
from penstock.foundation.stacks import STORAGE, service_host
from penstock.runtime.environment import ForwardedToken, TokenDetails
from penstock.services.management import interface as management
from penstock.services.queue.execution.job_context import JobContext
from penstock.services.queue.models.progress import Progress
from penstock.services.queue.running import leases

SPARE_SECONDS = 60
"""What a run may take beyond its own time, to be ended."""


class RunTokens:
    """`progress` is that of the job when its programs begin."""

    def __init__(self, context: JobContext, caller: Caller, progress: Progress) -> None:
        self._context, self._caller, self._progress = context, caller, progress

    @contextmanager
    def create(self, component: Component, seconds: int) -> Generator[ForwardedToken | None]:
        """Create a token for a run of so many seconds; none for a component that does not ask for one."""
        if not component.forward_token:
            yield None
            return
        stack, job, monitor = self._context.stack, self._context.job, self._context.monitor
        token = leases.create_run_token_of(stack, self._caller, job, self._progress, seconds + SPARE_SECONDS)
        monitor.redact_with(monitor.redactor.also([token.text, token.text.rpartition("-")[2]]))
        url = self._context.find_storage_url() or f"https://{service_host(STORAGE, stack.domain)}"
        try:
            yield ForwardedToken(token=token.text, url=url)
        finally:
            with suppress(Unavailable):
                leases.remove_run_token_of(stack, job, token.id)

    def find_details(self, component: Component) -> TokenDetails | None:
        """Return who runs the component, for one that asks (`forward_token_details`)."""
        if not component.forward_token_details:
            return None
        job = self._context.job
        with self._context.stack.database.reading() as tx:
            project = management.get_project(tx, job.project_id)
            user = management.find_user(tx, self._caller.user_id) if self._caller.user_id else None
        return TokenDetails(
            project_name=project.name,
            token_id=str(job.token_id),
            description=job.token_description,
            real_user=user.email if user else "",
        )
