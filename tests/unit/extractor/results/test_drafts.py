from __future__ import annotations

from pathlib import Path

from penstock.extractor.records.layout import Layout
from penstock.extractor.results.drafts import Drafts
from penstock.extractor.results.tables import MAX_OPEN, Tables

USERS = Layout("users", "users", ("id",))


def test_drafts_become_tables(tmp_path: Path):
    drafts, tables = Drafts(tmp_path / "drafts"), Tables(tmp_path / "tables", "")
    tables.write(USERS, b'"1"\n', 1)
    drafts.write(USERS, b'"2"\n', 1)
    drafts.write(USERS, b'"3"\n', 1)

    drafts.move_to(tables)
    tables.close()

    assert (tmp_path / "tables/users").read_text() == '"id"\n"1"\n"2"\n"3"\n'
    assert list((tmp_path / "drafts").iterdir()) == []


def test_discarded_drafts_leave_nothing(tmp_path: Path):
    drafts, tables = Drafts(tmp_path / "drafts"), Tables(tmp_path / "tables", "")
    drafts.write(USERS, b'"1"\n', 1)
    drafts.discard()
    drafts.write(USERS, b'"2"\n', 1)

    drafts.move_to(tables)
    tables.close()

    assert (tmp_path / "tables/users").read_text() == '"id"\n"2"\n'


def test_more_tables_than_files_may_be_open(tmp_path: Path):
    drafts, tables = Drafts(tmp_path / "drafts"), Tables(tmp_path / "tables", "")
    layouts = [Layout(f"t{number}", f"t{number}", ("a",)) for number in range(MAX_OPEN + 5)]
    for round_ in (b"1", b"2"):
        for layout in layouts:
            drafts.write(layout, b'"%b"\n' % round_, 1)

    drafts.move_to(tables)
    tables.close()

    assert {path.read_text() for path in (tmp_path / "tables").iterdir()} == {'"a"\n"1"\n"2"\n'}
