"""The error messages of failed requests, with the wording of the original."""

from __future__ import annotations

import unicodedata

from penstock.extractor.base.charset import readable_body
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message
from penstock.extractor.requests.sending.retry import CURL_CODES
from penstock.foundation.outbound import OutboundError, Response
from penstock.foundation.redaction import Redactor

SHOWN_BYTES = 120
WORDS = {"empty": "Empty reply from server. ", "timeout": "Operation timed out. "}
"""The wording of the original where ours differs."""


def failed_request(method: str, response: Response, redactor: Redactor, withheld: str = "") -> UserError:
    """Returns the error for an error status. The body is redacted before it is cut, because a part of a secret would
    not be recognized.

    `withheld` is the host, if no credentials were sent to it because the configuration does not name it.
    """
    family = "Client" if response.status < 500 else "Server"
    body = _body_start(readable_body(response), redactor)
    why = f"{'' if body else '. '}{_withheld(withheld)}" if withheld and response.status < 500 else ""
    return UserError(
        f"The API request failed: [{response.status}] {family} error: `{method} {response.url}` resulted in a "
        f"`{response.status} {response.reason}` response{body}{why}"
    )


def broken_off(url: str, error: OutboundError) -> Response | None:
    """Returns the received part of a response that was cut after its headers; None for any other failure."""
    return Response.kept(error.status, "", [], error.body, url) if error.status else None


def failed_way(message: Message, error: OutboundError) -> UserError:
    """Returns the error for a request without a response."""
    code = CURL_CODES.get(error.kind)
    cause = f"CURL error {code}: {WORDS.get(error.kind, '')}{error}" if code else f"The API request failed: {error}"
    return UserError(f"{cause} ({message.method} {message.url})")


def _withheld(host: str) -> str:
    return (
        f"No credentials were sent to {host}, because the configuration does not name this host. If it should get "
        "them, add it to `parameters.api.trustedHosts`."
    )


def _body_start(body: bytes, redactor: Redactor) -> str:
    """Returns the beginning of the body on separate lines, if it is readable text."""
    start = redactor.clean_start(body, SHOWN_BYTES)
    cut = " (truncated...)" if len(body) > SHOWN_BYTES else ""
    return f":\n{start}{cut}\n" if start and all(map(_is_readable, start)) else ""


def _is_readable(character: str) -> bool:
    return character in "\n\r\t" or unicodedata.category(character)[0] in "LMNPSZ"
