"""The table of feedback."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import JSON, BigInteger, Column, Index, Table, Text, delete, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.ai.models import FeedbackRow

feedback = Table(
    "ai_feedback",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("token_id", BigInteger, nullable=False),
    Column("value", Text, nullable=False),
    Column("correlation_id", Text, nullable=False),
    Column("comment", Text, nullable=False),
    Column("subject", JSON, nullable=False),
    Column("created", Timestamp, nullable=False),
    Index("ai_feedback_by_project", "project_id", "id"),
)


def add_feedback(tx: Transaction, row: FeedbackRow, most: int) -> None:
    """The oldest of the project go when there are more than `most`."""
    tx.change(insert(feedback).values(msgspec.structs.asdict(row)))
    mine = feedback.c.project_id == row.project_id
    newest = select(feedback.c.id).where(mine).order_by(feedback.c.id.desc())
    last = tx.value(newest.limit(1).offset(most))
    if last is not None:
        tx.change(delete(feedback).where(mine, feedback.c.id <= last))


def list_feedback(tx: Transaction, project_id: int) -> list[FeedbackRow]:
    """Oldest first."""
    return tx.all(select(feedback).where(feedback.c.project_id == project_id).order_by(feedback.c.id), into=FeedbackRow)


def remove_older(tx: Transaction, before: datetime) -> None:
    """Remove older rows of any project."""
    tx.change(delete(feedback).where(feedback.c.created < before))
