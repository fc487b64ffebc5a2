"""Sends the notification of a task to its recipients."""

from __future__ import annotations

from penstock.services.management import interface as management
from penstock.services.notification import interface as notification
from penstock.services.queue.flows.conditional.document import Notification, Recipient
from penstock.services.queue.flows.work import Work
from penstock.services.storage import interface as storage


def find_problem(work: Work, message: Notification) -> str:
    """Why it cannot be sent to one of them; empty if it can."""
    for one in map(_to_recipient, message.recipients):
        if problem := notification.find_problem(work.stack.settings, one.channel, one.address):
            return f"The notification cannot be sent. {problem}"
    return ""


def send(work: Work, notice: Notification) -> None:
    """Send it to all of them, when the transaction of the task is committed."""
    job, project = work.job, management.get_project(work.tx, work.job.project_id)
    data = {
        "project": {"id": str(project.id), "name": project.name},
        "title": notice.title,
        "message": notice.message,
        "job": {"id": str(job.id)},
    }
    if job.config is not None:
        name = storage.find_configuration_name(work.tx, job.project_id, job.branch_id, job.component, job.config)
        data["flow"] = {"id": job.config, "name": name or job.config}
    for one in map(_to_recipient, notice.recipients):
        message = notification.DirectMessage(
            project_id=job.project_id, channel=one.channel, address=one.address, data=data
        )
        notification.send_directly(work.tx, message)


def _to_recipient(recipient: Recipient | str) -> Recipient:
    return recipient if isinstance(recipient, Recipient) else Recipient("email", recipient)
