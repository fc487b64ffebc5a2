"""Sends an e-mail through the SMTP server of the operator. It is trusted, and may have a private address.

Nothing of a message can become a header or a recipient: control characters are removed, and the address is checked by
the caller and passed to the server by itself.
"""

from __future__ import annotations

import re
import smtplib
from collections.abc import Generator
from contextlib import contextmanager
from email.errors import MessageError
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from typing import Literal

import msgspec

from penstock.foundation import clock
from penstock.foundation.outbound.authorities import trusting
from penstock.foundation.outbound.errors import OutboundError
from penstock.foundation.outbound.policy import Policy
from penstock.foundation.settings import Settings

TIMEOUT_SECONDS = 10.0
PORTS = {"starttls": 587, "tls": 465, "none": 25}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class MailError(Exception):
    """Why a message was not accepted; `is_final` if the server will not accept it later either."""

    def __init__(self, message: str, *, is_final: bool = False) -> None:
        super().__init__(message)
        self.is_final = is_final


class MailServer(msgspec.Struct, frozen=True, kw_only=True):
    host: str
    port: int
    tls: Literal["starttls", "tls", "none"]
    user: str | None = None
    password: str | None = None
    sender: str
    ca_bundle: str | None = None

    @classmethod
    def from_settings(cls, settings: Settings, host: str) -> MailServer:
        return cls(
            host=host,
            port=settings.smtp_port or PORTS[settings.smtp_tls],
            tls=settings.smtp_tls,
            user=settings.smtp_user,
            password=settings.smtp_password,
            sender=settings.smtp_sender or f"penstock@{settings.domain}",
            ca_bundle=settings.ca_bundle,
        )


class Mail(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    """The same for every attempt, so that a mailbox can recognize a repeated message."""
    to: str
    subject: str
    text: str


def send_mail(server: MailServer, mail: Mail) -> None:
    """Returns when the server has accepted the message; raises MailError otherwise."""
    message = _make_message(server.sender, mail)
    with _explaining(server), _connect(server) as connection:
        connection.send_message(message, server.sender, [mail.to])


def try_server(server: MailServer) -> None:
    """Connect and log in; raises MailError if that is not possible."""
    with _explaining(server), _connect(server) as connection:
        connection.ehlo_or_helo_if_needed()


@contextmanager
def _explaining(server: MailServer) -> Generator[None]:
    try:
        yield
    except smtplib.SMTPRecipientsRefused as error:
        code, text = next(iter(error.recipients.values()))
        raise MailError(f"The SMTP server refused the recipient: {_shown(code, text)}", is_final=code >= 500) from error
    except smtplib.SMTPAuthenticationError as error:
        raise MailError(f"The SMTP server refused smtp_user and smtp_password: {error.smtp_code}") from error
    except smtplib.SMTPResponseException as error:
        shown = _shown(error.smtp_code, error.smtp_error)
        raise MailError(f"The SMTP server refused the message: {shown}", is_final=_is_final(error)) from error
    except (smtplib.SMTPException, OutboundError, OSError, ValueError) as error:
        raise MailError(f"The SMTP server {server.host}:{server.port} cannot be used: {error}") from error


def _connect(server: MailServer) -> smtplib.SMTP:
    """A connection that is ready to send. Use it as a context manager."""
    tls = trusting(Policy(ca_bundle=server.ca_bundle)) if server.tls != "none" else None
    # Otherwise smtplib asks the network for the name of this machine, which may take long.
    name = server.sender.rpartition("@")[2]
    if server.tls == "tls":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, name, timeout=TIMEOUT_SECONDS, context=tls
        )
    else:
        connection = smtplib.SMTP(server.host, server.port, name, timeout=TIMEOUT_SECONDS)
    try:
        if server.tls == "starttls":
            connection.starttls(context=tls)
        if server.user:
            connection.login(server.user, server.password or "")
    except BaseException:
        connection.close()
        raise
    return connection


def _make_message(sender: str, mail: Mail) -> EmailMessage:
    try:
        return make_message(sender, mail)
    except (MessageError, ValueError) as error:
        # Not final: the operator can correct the sender.
        raise MailError(f"The message from {sender} to {mail.to} cannot be made: {error}") from error


def make_message(sender: str, mail: Mail) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = mail.to
    message["Subject"] = " ".join(_CONTROL.sub(" ", mail.subject).split())
    message["Date"] = formatdate(clock.now().timestamp())
    message["Message-ID"] = f"<{mail.id}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(_CONTROL.sub("", mail.text))
    return message


def _is_final(error: smtplib.SMTPResponseException) -> bool:
    """Return whether a retry is useless. Where the sender is refused, the operator can correct the setting."""
    return error.smtp_code >= 500 and not isinstance(error, smtplib.SMTPSenderRefused | smtplib.SMTPHeloError)


def _shown(code: int, text: bytes | str) -> str:
    shown = text.decode(errors="replace") if isinstance(text, bytes) else text
    return f"{code} {' '.join(_CONTROL.sub(' ', shown).split())[:300]}"
