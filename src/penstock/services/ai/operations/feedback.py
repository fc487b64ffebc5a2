"""Stores what a user thought of an answer."""

from __future__ import annotations

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.ai import store
from penstock.services.ai.models import FeedbackRow, NewFeedback

MAX_FEEDBACK = 10_000
"""Of a project."""


def add_feedback(tx: Transaction, caller: Caller, new_feedback: NewFeedback) -> None:
    """What it is about is stored as sent, and not looked for."""
    row = FeedbackRow(
        id=ids.new_id(tx),
        project_id=caller.project_id,
        token_id=caller.token_id,
        value=new_feedback.value,
        correlation_id=new_feedback.correlation_id,
        comment=new_feedback.comment,
        subject=msgspec.to_builtins(new_feedback.subject) if new_feedback.subject else {},
        created=clock.now(),
    )
    store.add_feedback(tx, row, MAX_FEEDBACK)
