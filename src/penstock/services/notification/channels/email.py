"""E-mails: the text of a notification, sent through the operator's SMTP server."""

from __future__ import annotations

from typing import Any

from penstock.foundation.outbound.mail import Mail, MailError, MailServer, send_mail
from penstock.foundation.settings import Settings
from penstock.foundation.stack.public_links import base_url, is_for_this_machine
from penstock.services.notification.channels.outcome import NotSent
from penstock.services.notification.filters import find_value
from penstock.services.notification.models import DeliveryRow

NOT_SET_UP = "This stack cannot send e-mails: its operator has to set smtp_host."
STATES = {"failed": "failed", "succeeded": "succeeded", "succeeded-with-warning": "succeeded with a warning"}
LONG = "processing-long"
SUBJECT_CHARACTERS = 200


def send_email(settings: Settings, row: DeliveryRow, payload: dict[str, Any]) -> None:
    """Raises NotSent unless the SMTP server accepts it."""
    if not settings.smtp_host:
        raise NotSent(NOT_SET_UP)
    server = MailServer.from_settings(settings, settings.smtp_host)
    subject, text = make_text(row.event, payload, is_direct=row.subscription_id is None)
    text += _explain_links(settings, text)
    try:
        send_mail(server, Mail(id=f"{row.id}@{settings.domain}", to=row.address, subject=subject, text=text))
    except MailError as error:
        raise NotSent(str(error), is_final=error.is_final) from error


def make_text(event: str, payload: dict[str, Any], *, is_direct: bool = False) -> tuple[str, str]:
    """Subject and text."""
    subject, lines = _direct(payload) if is_direct else _about_job(event, payload)
    project = find_value(payload, "project.name") or find_value(payload, "project.id") or ""
    links = [f"{name.capitalize()}: {url}" for name in ("flow", "job") if (url := find_value(payload, f"{name}.url"))]
    shown = " ".join(f"[{project}] {subject}".split() if project else subject.split())[:SUBJECT_CHARACTERS]
    about = [f"Project: {project}"] if project else []
    return shown, "\n".join([*lines, *(["", *about, *links] if about or links else [])]) + "\n"


def _explain_links(settings: Settings, text: str) -> str:
    url = base_url(settings)
    if url not in text or not is_for_this_machine(settings):
        return ""
    return f"\nLinks to {url} work only on the machine on which the stack runs.\n"


def _direct(payload: dict[str, Any]) -> tuple[str, list[str]]:
    return str(payload.get("title", "")), [str(payload.get("message", ""))]


def _about_job(event: str, payload: dict[str, Any]) -> tuple[str, list[str]]:
    what = _find_name(payload, "job.configuration") or _find_name(payload, "job.component") or "A job"
    phase = _find_name(payload, "phase")
    what = f'{what}, phase "{phase}",' if phase else what
    subject = f"{what} {_describe(event)}"
    lines = [f"{subject}."]
    if message := payload.get("errorMessage"):
        lines += ["", str(message)]
    if event.endswith(LONG):
        lines += ["", _compare_durations(payload)]
    return subject, lines


def _describe(event: str) -> str:
    _, _, end = event.partition("job-")
    return "takes longer than usual" if end == LONG else STATES.get(end, f"reports {event}")


def _compare_durations(payload: dict[str, Any]) -> str:
    current, average = (find_value(payload, name) for name in ("currentDuration", "averageDuration"))
    return f"It has been running for {current} seconds; earlier runs took {average} seconds on average."


def _find_name(payload: dict[str, Any], path: str) -> str:
    return str(find_value(payload, f"{path}.name") or find_value(payload, f"{path}.id") or "")
