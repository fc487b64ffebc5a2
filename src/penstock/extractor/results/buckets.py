"""The buckets that a run writes to; iterations of one bucket share its tables."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from penstock.extractor.base.log import Log
from penstock.extractor.config.effective import Config
from penstock.extractor.records.mapping import missing_tables
from penstock.extractor.records.types import Types
from penstock.extractor.requests.journal import RunFolder
from penstock.extractor.results import Bucket
from penstock.extractor.results.proof import Keys, Rejected, explain_collapse
from penstock.extractor.results.spool import Spool
from penstock.extractor.results.state import State
from penstock.extractor.results.tables import Tables

DEFAULT = "__kbc_default"
"""The name of the default bucket in the log."""


class Buckets:
    def __init__(self, folder: RunFolder, state: State, log: Log) -> None:
        self.state = state
        self._folder, self._log = folder, log
        self._buckets: dict[str, Bucket] = {}

    def open(self, config: Config) -> Bucket:
        """Returns the bucket of a configuration; its mappings are those of the first iteration that opens it."""
        if config.bucket not in self._buckets:
            self._buckets[config.bucket] = self._make(config)
        bucket = self._buckets[config.bucket]
        bucket.is_incremental = config.is_incremental
        bucket.upserts |= config.upserts
        return bucket

    def learn(self, config: Config) -> None:
        """Call it at the end of an iteration: stores the types of records in the state, unless they are mapped."""
        bucket = self._buckets[config.bucket]
        if not bucket.is_mapped:
            self.state.learn(bucket.flattened)

    def finish(self, configs: list[Config]) -> None:
        """Call it after the last record: writes the tables."""
        for name, bucket in self._buckets.items():
            self._log.debug(f"Processing results for {name or DEFAULT}.")
            bucket.finish()
        for config in configs:
            bucket = self._buckets[config.bucket]
            bucket.add_missing(config.mappings, is_incremental=config.is_incremental)

    @property
    def rows(self) -> dict[str, int]:
        """Returns how many rows each table has, by the name of its file; a table comes before those of its lists."""
        return self._by_file({name: bucket.tables.rows for name, bucket in self._buckets.items()})

    @property
    def duplicates(self) -> dict[str, int]:
        """Returns how many rows of each table with a primary key have the key of an earlier one."""
        return self._by_file({name: bucket.duplicates() for name, bucket in self._buckets.items()})

    def explain_collapses(self, duplicates: dict[str, int]) -> list[str]:
        """Sentences about tables that lose many rows when they are loaded, because these share a primary key."""
        keys = {
            _full(name, table): key
            for name, bucket in self._buckets.items()
            for table, key in bucket.tables.replacing_keys.items()
        }
        rows = self.rows
        sentences = [explain_collapse(name, key, rows[name], duplicates.get(name, 0)) for name, key in keys.items()]
        return [sentence for sentence in sentences if sentence]

    @property
    def written(self) -> int:
        """Returns how many records were written to tables."""
        return sum(bucket.written for bucket in self._buckets.values())

    def _by_file(self, counts: dict[str, dict[str, int]]) -> dict[str, int]:
        named = {_full(name, table): count for name, tables in counts.items() for table, count in tables.items()}
        return dict(sorted(named.items()))

    def _make(self, config: Config) -> Bucket:
        folder = self._folder.path / f"bucket-{len(self._buckets)}"
        folder.mkdir()
        types = Types() if config.has_types else None
        tables = Tables(self._folder.path / "tables", config.bucket, types)
        spool, mapped = Spool(self._folder.journal), _mapped_tables(config)
        parser = self.state.parser(folder, spool, config.compat_level, self._log, mapped, types and types.part())
        keys = Keys(folder / "keys") if config.mappings else None
        is_rejecting = config.policies.is_rejecting
        rejected = Rejected(self._folder.path / "rejected", config.bucket) if is_rejecting else None
        bucket = Bucket(tables, parser, config.mappings, keys, rejected, types and types.part())
        if config.upserts:
            bucket.count_keys(folder / "row-keys")
        return bucket

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for bucket in self._buckets.values():
            bucket.tables.close()


def _mapped_tables(config: Config) -> set[str]:
    return {table.name for name, mapping in config.mappings.items() for table in missing_tables(name, mapping)}


def _full(bucket: str, table: str) -> str:
    return f"{bucket}.{table}" if bucket else table
