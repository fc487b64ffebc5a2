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
        assert turns.take(PATIENCE)
        order.append(number)
        turns.end()

    assert turns.take(0)
    for number in range(20):
        threads.append(threading.Thread(target=write, args=(number,)))
        threads[-1].start()
        wait_for(lambda: turns.waiting == len(threads))
    turns.end()
    for thread in threads:
        thread.join()

    assert order == list(range(20))


def test_a_project_does_not_wait_for_all_writers_of_another_one() -> None:
    turns, order, threads = Turns(), list[str](), list[threading.Thread]()

    def write(project: str) -> None:
        assert turns.take(PATIENCE, project)
        order.append(project)
        turns.end()

    assert turns.take(0, "greedy")
    for project in [*["greedy"] * 8, "modest", "modest", "third"]:
        threads.append(threading.Thread(target=write, args=(project,)))
        threads[-1].start()
        wait_for(lambda: turns.waiting == len(threads))
    turns.end()
    for thread in threads:
        thread.join()

    assert order == ["modest", "greedy", "third", "modest", *["greedy"] * 7]


def test_only_one_has_the_turn() -> None:
    turns, busy, most = Turns(), [0], [0]

    def write(_number: int) -> None:
        assert turns.take(PATIENCE)
        busy[0] += 1
        most[0] = max(most[0], busy[0])
        busy[0] -= 1
        turns.end()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(write, range(2000)))

    assert most == [1]


def test_one_that_gives_up_does_not_get_the_turn_later() -> None:
    turns = Turns()
    assert turns.take(0)
    assert not turns.take(0.01)
    turns.end()

    assert turns.take(0)


def test_a_turn_that_is_handed_over_is_not_free() -> None:
    turns = Turns()
    assert turns.take(0)
    waiting = threading.Thread(target=turns.take, args=(PATIENCE,))
    waiting.start()
    wait_for(lambda: turns.waiting == 1)

    assert turns.hand_over()
    waiting.join()
    assert not turns.take(0)


def test_a_turn_goes_on_if_there_is_nobody_to_hand_it_to() -> None:
    turns = Turns()
    assert turns.take(0)

    assert not turns.hand_over()
    assert not turns.take(0)
