"""What discovery found out: one choice of the configuration, and the evidence for it."""

from __future__ import annotations

import re

import msgspec

from penstock.foundation.redaction import Redactor

_LONG = re.compile(r"(\S{97})\S{4,}")
"""A word of more than 100 characters."""


class Finding(msgspec.Struct, frozen=True, rename="camel"):
    subject: str
    """Such as `records` or `pagination`."""
    choice: str
    evidence: str
    """What was seen: a field, its value, the request."""
    is_proven: bool = True

    def cleaned(self, redactor: Redactor) -> Finding:
        """Without secrets, and with long values cut afterwards, because a part of a secret would not be recognized."""
        evidence = _LONG.sub(r"\1...", redactor.clean(self.evidence))
        return Finding(self.subject, redactor.clean(self.choice), evidence, self.is_proven)
