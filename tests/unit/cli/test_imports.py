"""Imports without collections of garbage."""

from __future__ import annotations

import gc

import pytest

from penstock.cli.imports import without_collections


def test_garbage_is_collected_again_after_the_imports() -> None:
    with without_collections():
        assert not gc.isenabled()

    assert gc.isenabled()


def test_garbage_is_collected_again_after_an_import_that_failed() -> None:
    with pytest.raises(ImportError), without_collections():
        raise ImportError

    assert gc.isenabled()
