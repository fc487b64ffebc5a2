"""What is said about a wrong configuration: what, where, and how to mend it."""

from __future__ import annotations

from penstock.extractor.errors import UserError


def invalid(what: str, path: str, mend: str = "") -> UserError:
    return UserError(f"Invalid configuration: {what} - at `{path}`. {mend}".rstrip())
