"""Errors of SQL that cannot be translated."""

from __future__ import annotations

from penstock.foundation.errors import Invalid


class NotTranslated(Invalid):
    """The SQL is wrong, or would return other rows than in Snowflake."""

    code = "sql.notTranslated"
