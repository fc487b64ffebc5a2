"""Which addresses can be sent to. Nothing of an address may end up in another header or address of an e-mail."""

from __future__ import annotations

import re

from msgspec import UNSET

from penstock.foundation.outbound import OutboundError
from penstock.foundation.outbound.urls import read_target
from penstock.services.notification.errors import InvalidRecipient
from penstock.services.notification.models import Channel, Recipient

ADDRESS_CHARACTERS = 2000
_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
# Not with "=?": mail programs decode such words (RFC 2047), into any characters.
_IS_EMAIL = re.compile(rf"(?=.{{3,254}}\Z)(?!.*=\?){_LOCAL}@{_LABEL}(\.{_LABEL})*").fullmatch


def read_address(recipient: Recipient) -> str:
    """The address of a recipient; raises InvalidRecipient if nothing can be sent there."""
    given = [each for each in (recipient.address, recipient.url) if each is not UNSET]
    if not given:
        raise InvalidRecipient("recipient.address", "This field is missing.")
    return check_address(recipient.channel, given[0])


def check_address(channel: Channel, address: str) -> str:
    if channel == "email":
        if not _IS_EMAIL(address):
            raise InvalidRecipient("recipient.address", f'"{address[:200]}" is not a valid e-mail address.')
    elif problem := _find_problem(address):
        raise InvalidRecipient("recipient.url", f"The address of the webhook is not valid. {problem}")
    return address


def _find_problem(url: str) -> str:
    """Whether the host may be called is decided when it is: names change their addresses."""
    if len(url) > ADDRESS_CHARACTERS:
        return f"It has more than {ADDRESS_CHARACTERS:,} characters."
    try:
        read_target(url)
    except (OutboundError, ValueError) as error:
        return str(error)
    return ""
