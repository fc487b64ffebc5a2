"""The buckets that a run writes into; iterations of one bucket share its tables."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from penstock.extractor.config.effective import Config
from penstock.extractor.log import Log
from penstock.extractor.results import Bucket
from penstock.extractor.results.output import Stage
from penstock.extractor.results.tables import Tables
from penstock.extractor.state import Memory

DEFAULT = "__kbc_default"
"""What the log calls the bucket that the platform chooses."""


class Buckets:
    def __init__(self, stage: Stage, memory: Memory, log: Log) -> None:
        self.memory = memory
        self._stage, self._log = stage, log
        self._buckets: dict[str, Bucket] = {}

    def open(self, config: Config) -> Bucket:
        """The bucket of a configuration; the first one that opens it decides about its mappings."""
        if config.bucket not in self._buckets:
            self._buckets[config.bucket] = self._make(config)
        bucket = self._buckets[config.bucket]
        bucket.is_incremental = config.is_incremental
        return bucket

    def learn(self, config: Config) -> None:
        """An iteration has ended; where records are mapped, what they looked like does not matter."""
        bucket = self._buckets[config.bucket]
        if not bucket.is_mapped:
            self.memory.learn(bucket.flattened)

    def finish(self, configs: list[Config]) -> None:
        """All records are in: write the tables."""
        for name, bucket in self._buckets.items():
            self._log.debug(f"Processing results for {name or DEFAULT}.")
            bucket.finish()
        for config in configs:
            bucket = self._buckets[config.bucket]
            bucket.add_missing(config.mappings, is_incremental=config.is_incremental)

    @property
    def tables(self) -> int:
        return sum(len(bucket.tables) for bucket in self._buckets.values())

    def _make(self, config: Config) -> Bucket:
        folder = self._stage.work / f"bucket-{len(self._buckets)}"
        folder.mkdir()
        tables = Tables(self._stage.tables, config.bucket)
        return Bucket(tables, self.memory.parser(folder, config.compat_level, self._log), config.mappings)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for bucket in self._buckets.values():
            bucket.tables.close()
