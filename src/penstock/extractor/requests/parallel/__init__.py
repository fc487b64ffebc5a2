"""Concurrent requests, with the same result as sequential ones.

concurrency.py   how many requests may be in progress: as many as the API handles well
ahead.py         fetches pages of one job ahead
side_by_side.py  runs jobs concurrently, and yields their pages in the order of the jobs
"""

from __future__ import annotations

from penstock.extractor.requests.parallel.ahead import Ahead
from penstock.extractor.requests.parallel.concurrency import ConcurrencyLimiter, Parallelism, read_parallelism
from penstock.extractor.requests.parallel.side_by_side import JobLimit, one_by_one, side_by_side

__all__ = ["Ahead", "ConcurrencyLimiter", "JobLimit", "Parallelism", "one_by_one", "read_parallelism", "side_by_side"]
