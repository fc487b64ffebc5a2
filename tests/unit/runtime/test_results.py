"""What a component says of its run: usage and variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.runtime.data_folder import DataFolder
from penstock.runtime.results import Metric, read_usage, read_variables
from penstock.runtime.written import BadOutput


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    made = DataFolder(tmp_path / "data")
    made.create()
    return made


def test_usage_is_read(folder: DataFolder) -> None:
    assert read_usage(folder) == []
    (folder.path / "out" / "usage.json").write_text('[{"metric": "API calls", "value": 150.5}]')

    assert read_usage(folder) == [Metric("API calls", 150.5)]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "[1]",
        '[{"metric": "a"}]',
        '[{"metric": 1, "value": 1}]',
        '[{"metric": "a", "value": "1"}]',
        "[" * 99999,
    ],
)
def test_usage_in_another_shape_is_refused(folder: DataFolder, content: str) -> None:
    (folder.path / "out" / "usage.json").write_text(content)

    with pytest.raises(BadOutput, match=r"usage\.json that cannot be used"):
        read_usage(folder)


def test_usage_with_more_in_it_is_refused(folder: DataFolder) -> None:
    (folder.path / "out" / "usage.json").write_text('[{"metric": "a", "value": 1, "more": 2}]')

    with pytest.raises(BadOutput, match="more"):
        read_usage(folder)


def test_variables_become_texts(folder: DataFolder) -> None:
    assert read_variables(folder).values == {}
    (folder.path / "out" / "result.json").write_text('{"variables": {"a": 1, "b": "x", "c": null, "d": true}}')

    assert read_variables(folder).values == {"a": "1", "b": "x", "c": "", "d": "1"}


@pytest.mark.parametrize("content", ["{", "[]", '{"variables": [1]}', '{"variables": {"a": [1]}}', "\ud800"])
def test_variables_that_cannot_be_read_are_worth_a_warning(folder: DataFolder, content: str) -> None:
    (folder.path / "out" / "result.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    read = read_variables(folder)

    assert (read.values, bool(read.warning)) == ({}, True)


def test_a_result_that_leads_elsewhere_is_not_read(folder: DataFolder, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"variables": {"a": 1}}')
    (folder.path / "out" / "result.json").symlink_to(tmp_path / "other.json")

    assert read_variables(folder).values == {}
