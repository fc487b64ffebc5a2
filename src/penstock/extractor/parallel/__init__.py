"""Several requests at once, without anybody being able to tell from the result.

concurrency.py    how many requests may be on their way: as many as the API takes well
ahead.py         pages of one job that are fetched before their turn
side_by_side.py  jobs that run at the same time and still speak one after another
"""

from __future__ import annotations

from penstock.extractor.parallel.ahead import Ahead
from penstock.extractor.parallel.concurrency import ConcurrencyLimiter, Parallelism, read_parallelism
from penstock.extractor.parallel.side_by_side import JobLimit, one_by_one, side_by_side

__all__ = ["Ahead", "ConcurrencyLimiter", "JobLimit", "Parallelism", "one_by_one", "read_parallelism", "side_by_side"]
