"""The SMTP server through which notifications are sent as e-mails."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.foundation.outbound.mail import MailError, MailServer, try_server
from penstock.foundation.stack.public_links import LOCAL_LINKS_FIX, explain_local_links
from penstock.settings import Settings


def examine(settings: Settings) -> Iterator[Check]:
    if not settings.smtp_host:
        yield note("e-mail", "no SMTP server is set, so notifications are sent to webhooks only; see smtp_host")
        return
    yield check_server(MailServer.from_settings(settings, settings.smtp_host))
    if problem := explain_local_links(settings):
        yield note("links", problem, f"{LOCAL_LINKS_FIX}.")


def check_server(server: MailServer) -> Check:
    try:
        try_server(server)
    except MailError as error:
        return wrong("e-mail", str(error), "Correct smtp_host, smtp_port, smtp_tls, smtp_user and smtp_password.")
    return ok("e-mail", f"{server.host}:{server.port} accepts messages from {server.sender}")
