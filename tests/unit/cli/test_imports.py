"""Imports without collections of garbage."""

from __future__ import annotations

import gc

import pytest

from penstock.cli.imports import DEFAULT_THRESHOLD, collect_rarely, without_collections


def test_garbage_is_collected_again_after_the_imports() -> None:
    usual = gc.get_threshold()
    try:
        collect_rarely()
        assert gc.get_threshold()[0] > DEFAULT_THRESHOLD[0]
        with without_collections():
            assert not gc.isenabled()

        assert gc.isenabled()
        assert gc.get_threshold() == DEFAULT_THRESHOLD
    finally:
        gc.set_threshold(*usual)


def test_garbage_is_collected_again_after_an_import_that_failed() -> None:
    with pytest.raises(ImportError), without_collections():
        raise ImportError

    assert gc.isenabled()
