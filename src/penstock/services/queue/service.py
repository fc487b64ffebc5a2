"""What the stack has to know of Queue."""

from __future__ import annotations

from penstock.foundation.jobs.background import WorkerContext
from penstock.runtime.sandboxing import SandboxRule
from penstock.services.queue.routes import routes
from penstock.services.queue.worker import Worker, launchers
from penstock.services.storage.interface import authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import with_status_code
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="queue",
        name="Queue API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_status_code,
        workers=[make_worker],
    )


def make_worker(context: WorkerContext) -> Worker:
    stack, settings = context.stack, context.stack.settings
    rule = SandboxRule(setting=settings.sandbox, host=settings.host)
    choose = launchers(settings.launcher, rule, stack.database, settings.component_network)
    return Worker(stack, context.name, choose, context.find_storage_url)
