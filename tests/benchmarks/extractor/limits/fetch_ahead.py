"""Fetches every page with 16 requests under way: what is left of a server's latency when nobody waits in line."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from threading import Thread

from tests.benchmarks.extractor.limits.pages import PAGE, Wanted, read_arguments, read_page

WIDTH = 16


def fetch(wanted: Wanted, starts: Iterator[int]) -> None:
    """One of 16 that share the numbers of the pages."""
    connection = http.client.HTTPConnection("127.0.0.1", wanted.port)
    for start in starts:
        read_page(connection, wanted.target(start))


def main() -> None:
    wanted = read_arguments()
    starts = iter(range(0, wanted.rows, PAGE))
    threads = [Thread(target=fetch, args=(wanted, starts)) for _ in range(WIDTH)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
