"""Why a request failed, in the words that the original uses."""

from __future__ import annotations

import unicodedata

from penstock.extractor.charset import readable_body
from penstock.extractor.errors import UserError
from penstock.extractor.http import Message
from penstock.extractor.sending.retry import CURL_CODES
from penstock.foundation.outbound import OutboundError, Response
from penstock.foundation.redaction import Redactor

SHOWN_BYTES = 120
WORDS = {"empty": "Empty reply from server. ", "timeout": "Operation timed out. "}
"""What the original says where our sentence is another one."""


def failed_request(method: str, response: Response, redactor: Redactor, withheld: str = "") -> UserError:
    """A status that says no; secrets are hidden before it is cut, since a part of one would not be known as one.

    `withheld` is the host, if it got no credentials because the configuration does not name it.
    """
    family = "Client" if response.status < 500 else "Server"
    said = _said(readable_body(response), redactor)
    why = f"{'' if said else '. '}{_withheld(withheld)}" if withheld and response.status < 500 else ""
    return UserError(
        f"The API request failed: [{response.status}] {family} error: `{method} {response.url}` resulted in a "
        f"`{response.status} {response.reason}` response{said}{why}"
    )


def broken_off(url: str, error: OutboundError) -> Response | None:
    """What came of a response that broke off after its head; None for any other failure."""
    return Response.kept(error.status, "", [], error.body, url) if error.status else None


def failed_way(message: Message, error: OutboundError) -> UserError:
    """A request that got no response."""
    code = CURL_CODES.get(error.kind)
    cause = f"CURL error {code}: {WORDS.get(error.kind, '')}{error}" if code else f"The API request failed: {error}"
    return UserError(f"{cause} ({message.method} {message.url})")


def _withheld(host: str) -> str:
    return (
        f"No credentials were sent to {host}, because the configuration does not name this host. If it should get "
        "them, add it to `parameters.api.trustedHosts`."
    )


def _said(body: bytes, redactor: Redactor) -> str:
    """The beginning of what the API answered, on lines of its own, if people can read it."""
    start = redactor.clean_start(body, SHOWN_BYTES)
    cut = " (truncated...)" if len(body) > SHOWN_BYTES else ""
    return f":\n{start}{cut}\n" if start and all(map(_is_readable, start)) else ""


def _is_readable(character: str) -> bool:
    return character in "\n\r\t" or unicodedata.category(character)[0] in "LMNPSZ"
