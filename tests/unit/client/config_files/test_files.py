"""A configuration as files, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from penstock.client.config_files.content import Content, Key, RowContent
from penstock.client.config_files.files import to_content, to_files, to_id, to_name
from penstock.client.config_files.folder import Folder

IDS = st.text(st.characters(codec="utf-8", exclude_characters="/\x00"), min_size=1, max_size=20)
NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=10)
SCALARS = st.none() | st.booleans() | st.integers() | NAMES
DOCUMENTS: Any = st.dictionaries(NAMES, SCALARS | st.lists(SCALARS) | st.dictionaries(NAMES, SCALARS), max_size=4)
ROWS = st.dictionaries(IDS, st.builds(RowContent, NAMES, NAMES, st.booleans(), DOCUMENTS), max_size=3)
CONTENTS = st.builds(Content, NAMES, NAMES, st.booleans(), DOCUMENTS, ROWS)


@given(CONTENTS)
def test_what_is_written_is_read_again(content: Content) -> None:
    assert to_content(to_files(content, "c"), "c", Path("x")) == content


@given(IDS)
def test_every_id_is_the_name_of_one_visible_folder(an_id: str) -> None:
    name = to_name(an_id)

    assert to_id(name) == an_id
    assert not name.startswith(".")
    assert "/" not in name


def test_a_row_that_the_order_does_not_name_comes_last() -> None:
    rows = {row_id: RowContent(row_id, "", False, {}) for row_id in ("a", "b", "c")}
    content = Content("n", "", False, {}, rows, ["c", "gone", "a"])

    assert to_content(to_files(content, "c"), "c", Path("x")).rows_sort_order == ["c", "a", "b"]


def test_files_of_a_removed_script_and_row_disappear(tmp_path: Path) -> None:
    blocks = [{"name": "b", "codes": [{"name": "c", "script": ["x"]}]}]
    row = RowContent("r", "", False, {})
    folder, key = Folder(tmp_path), Key("component", "../1")
    folder.write_content(key, Content("n", "", False, {"parameters": {"blocks": blocks}}, {"r": row}))
    folder.write_content(key, Content("n", "", False, {}))

    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert found == ["component/%2E.%2F1/config.json", "component/%2E.%2F1/meta.json"]
    folder.remove_content(key)
    assert folder.read_contents() == {}


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text('{"x": 1}')
    folder = tmp_path / "project" / "component" / "1"
    folder.mkdir(parents=True)
    (folder / "meta.json").write_text("{}")
    (folder / "config.json").symlink_to(tmp_path / "secret")

    assert Folder(tmp_path / "project").read_contents()[Key("component", "1")].configuration == {}
