"""Writers of one process take turns in the order in which they came, and one that gives up is forgotten."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from penstock.foundation.database.turns import Turns
from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for


def test_turns_are_taken_in_the_order_of_arrival() -> None:
    turns, order, threads = Turns(), list[int](), list[threading.Thread]()

    def write(number: int) -> None:
        with turns.take(PATIENCE) as is_mine:
            assert is_mine
            order.append(number)

    with turns.take(0):
        for number in range(20):
            threads.append(threading.Thread(target=write, args=(number,)))
            threads[-1].start()
            wait_for(lambda: len(turns._waiting) == len(threads))
    for thread in threads:
        thread.join()

    assert order == list(range(20))


def test_only_one_has_the_turn() -> None:
    turns, busy, most = Turns(), [0], [0]

    def write(_number: int) -> None:
        with turns.take(PATIENCE) as is_mine:
            assert is_mine
            busy[0] += 1
            most[0] = max(most[0], busy[0])
            busy[0] -= 1

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(write, range(2000)))

    assert most == [1]


def test_one_that_gives_up_does_not_get_the_turn_later() -> None:
    turns = Turns()
    with turns.take(0), turns.take(0.01) as is_mine:
        assert not is_mine

    with turns.take(0) as is_mine:
        assert is_mine


def test_a_writer_that_fails_passes_the_turn_on() -> None:
    turns = Turns()
    try:
        with turns.take(0):
            raise ValueError
    except ValueError:
        pass

    with turns.take(0) as is_mine:
        assert is_mine
