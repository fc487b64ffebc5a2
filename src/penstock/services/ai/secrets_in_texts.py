"""Secrets that users paste into questions, or that stand in messages and addresses, by the forms they have.

Values under `#` keys are known and hidden by the redactor; these here are not known, and are found by their looks.
"""

from __future__ import annotations

import re

from penstock.foundation.redaction import HIDDEN

_NAMES = "|".join(
    (
        "(?:api|access|private|secret)[-_]?key",
        "(?:access|refresh|id|auth)[-_]?token",
        "client[-_]?secret",
        "token",
        "secret",
        "passw(?:or)?d",
        "pwd",
    )
)
_FORMS = (
    re.compile(r"()KBC::[A-Za-z]+::[\w+/=.:-]+"),
    re.compile(r"()\bkbc_(?:at|pat)_[\w-]+"),
    re.compile(r"()\b\d+-\d+-[A-Za-z0-9]{20,}"),
    re.compile(r"()\beyJ[\w-]+\.[\w-]+\.[\w-]*"),
    re.compile(r"()-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL),
    re.compile(r"((?i:\bauthorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token)?\s*))[\w+/=.~-]{4,}"),
    re.compile(r"((?i:\b(?:bearer|basic)\s+))(?=[a-z-]*[A-Z0-9_+/=~])[\w+/=.~-]{8,}"),
    re.compile(r"(\w://[^\s/:@]*:)[^\s/@]+(?=@)"),
    re.compile(rf"((?i:[?&;](?:{_NAMES}|key|sig|signature)=))[^\s&;#\"'`]+"),
    re.compile(r"(\"#[^\"\n]{1,100}\"\s*:\s*\")(?:[^\"\\]|\\.)*"),
    re.compile(rf"((?i:\b(?:{_NAMES})[\"'`]?\s*[:=]\s*[\"'`]))[^\"'`\n]+"),
)
"""What comes before a secret is in the first group, and stays."""


def hide_in_text(text: str) -> str:
    for form in _FORMS:
        text = form.sub(rf"\g<1>{HIDDEN}", text)
    return text
