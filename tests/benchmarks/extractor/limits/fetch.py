"""Fetches every page and throws it away: what the network and Python's start alone cost."""

from __future__ import annotations

from tests.benchmarks.extractor.limits.pages import read_arguments, read_pages

if __name__ == "__main__":
    for _ in read_pages(read_arguments()):
        pass
