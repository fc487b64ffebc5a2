from __future__ import annotations

import io
from pathlib import Path

from penstock.extractor.base.log import Log
from penstock.extractor.records.legacy import Legacy
from penstock.extractor.requests.journal import Journal
from penstock.extractor.results.legacy import LegacyFlattened
from penstock.extractor.results.spool import Spool
from penstock.extractor.results.tables import Tables
from penstock.foundation.redaction import Redactor
from tests.unit.extractor.results.writing import batch_of, kept


def test_all_pages_are_known_before_the_first_is_written(tmp_path: Path):
    journal = Journal(tmp_path)
    log = Log(io.StringIO(), Redactor())
    results = LegacyFlattened(Spool(journal), Legacy(None, log), log)
    for records in ([{"id": 1}], [], [{"id": 2, "name": "Ada"}]):
        results.add(kept(journal, batch_of("users", records, {"team": "a"})))
    tables = Tables(tmp_path / "tables", "")

    results.write(tables)
    tables.close()
    journal.close()

    assert (tmp_path / "tables/users").read_text() == '"id","name","team"\n"1","","a"\n"2","Ada","a"\n'
