"""Records of files: creation, visibility and expiration."""

from __future__ import annotations

import re
import unicodedata
from datetime import timedelta

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.storage.errors.files import FileNotFound
from penstock.services.storage.models.files import FileRow
from penstock.services.storage.operations.branches import check_branch
from penstock.services.storage.operations.permissions import may_read_all_files
from penstock.services.storage.store import files

NAME_LENGTH = 200


def add_row(
    tx: Transaction,
    caller: Caller,
    name: str,
    tags: list[str],
    *,
    max_age_days: int | None,
    is_sliced: bool,
    is_public: bool = False,
    size_bytes: int | None = None,
    file_id: int | None = None,
) -> FileRow:
    """Add a file; `file_id` is its reserved id. Raises BranchNotFound if the branch was deleted."""
    check_branch(tx, caller)
    now = clock.now()
    row = FileRow(
        id=ids.new_id(tx) if file_id is None else file_id,
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        name=clean_name(name),
        size_bytes=size_bytes,
        tags=list(dict.fromkeys(tags)),
        is_sliced=is_sliced,
        is_public=is_public,
        max_age_days=max_age_days,
        created=now,
        expires=now + timedelta(days=max_age_days) if max_age_days is not None else None,
        run_id=caller.run_id,
        token_id=caller.token_id,
        token_description=caller.description,
    )
    files.add_file(tx, row)
    return row


def get_row(tx: Transaction, caller: Caller, file_id: str | int) -> FileRow:
    """A file that exists and that the caller may read: its own, or any for a caller that may read all."""
    number = ids.read_id(str(file_id))
    row = files.find_file(tx, caller.project_id, number) if number is not None else None
    if not row or not is_alive(row) or not (may_read_all_files(caller) or row.token_id == caller.token_id):
        raise FileNotFound
    if caller.branch_filter not in (None, row.branch_id):
        raise FileNotFound
    return row


def is_alive(row: FileRow) -> bool:
    return row.expires is None or row.expires > clock.now()


def clean_name(name: str) -> str:
    """Keep letters, digits, `.`, `_` and `-`; the end stays, since it is the extension. Users save files under this
    name."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
    cleaned = re.sub(r"[^A-Za-z0-9._-]", "_", plain).lstrip(".")
    return cleaned[-NAME_LENGTH:].lstrip(".") or "file"


def upload_name(name: str) -> str:
    """The name of a file that a client or a component uploaded: clients expect `_` for `-` too."""
    return clean_name(name).replace("-", "_")
