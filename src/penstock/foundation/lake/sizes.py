"""Size statistics of a table, from its catalog: no file is opened."""

from __future__ import annotations

import msgspec

from penstock.foundation.lake.session import Session

SMALL_BYTES = 8 * 1024 * 1024


class Sizes(msgspec.Struct, frozen=True):
    """Of the current version, without what only older snapshots contain."""

    rows: int
    bytes: int
    files: int
    small_files: int
    deleted_rows: int

    @property
    def deleted_share(self) -> float:
        written = self.rows + self.deleted_rows
        return self.deleted_rows / written if written else 0.0


def measure(session: Session) -> Sizes:
    own = f"SELECT table_id FROM {session.metadata}.ducklake_table WHERE {session.is_current}"
    now = f"table_id IN ({own}) AND end_snapshot IS NULL"
    files = (
        f"SELECT coalesce(sum(record_count), 0)::BIGINT, coalesce(sum(file_size_bytes), 0)::BIGINT, count(*), "
        f"count(*) FILTER (file_size_bytes < {SMALL_BYTES}) FROM {session.metadata}.ducklake_data_file WHERE {now}"
    )
    written, size, count, small = session.one(files)
    gone = f"SELECT coalesce(sum(delete_count), 0)::BIGINT FROM {session.metadata}.ducklake_delete_file WHERE {now}"
    # The version comes with the same query: a separate one would double the time.
    deleted, session.version = session.one(f"SELECT ({gone}), ({session.newest_version})")
    rows = written - deleted
    return Sizes(rows, size if rows else 0, count, small, deleted)
