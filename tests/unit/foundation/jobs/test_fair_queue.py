"""Whose turn it is: that of the key with the fewest in use."""

from __future__ import annotations

from penstock.foundation.jobs.fair_queue import FairQueue


def test_the_key_with_the_fewest_in_use_is_next() -> None:
    queue = FairQueue[int, str](2)
    for key, item in ((1, "a"), (1, "b"), (1, "c"), (2, "d")):
        queue.add(key, item)

    assert [queue.take(), queue.take(), queue.take()] == [(1, "a"), (2, "d"), (1, "b")]
    assert (queue.take(), len(queue), queue.is_full(1)) == (None, 1, True)


def test_a_key_with_its_share_is_next_when_one_is_released() -> None:
    queue = FairQueue[int, str](1)
    queue.use(1)
    queue.add(1, "a")
    assert queue.take() is None

    queue.release(1)

    assert (queue.take(), queue.count_used(1), queue.count_used(), queue.count_waiting(1)) == ((1, "a"), 1, 1, 0)


def test_items_that_wait_can_be_removed() -> None:
    queue = FairQueue[int, str](1)
    for key, item in ((1, "a"), (1, "b"), (2, "c")):
        queue.add(key, item)

    assert queue.find_longest() == 1
    assert queue.remove_last(1) == "b"
    queue.remove(1, "a")

    assert (queue.find_longest(), len(queue), queue.take(), queue.find_longest()) == (2, 1, (2, "c"), None)
