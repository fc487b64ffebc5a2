"""Imports of commands that need most of the program."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

DEFAULT_THRESHOLD = gc.get_threshold()


def collect_rarely() -> None:
    """Commands import many modules, which are never garbage, and make little of it afterwards."""
    gc.set_threshold(50_000, *DEFAULT_THRESHOLD[1:])


@contextmanager
def without_collections() -> Generator[None]:
    """Modules are never garbage: to collect while a thousand of them are imported takes a tenth of the time. What is
    made later is collected as usual: such a command runs for long."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*DEFAULT_THRESHOLD)
        gc.enable()
