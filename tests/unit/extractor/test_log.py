from __future__ import annotations

import io
import re

from penstock.extractor.log import Log, ProgressLog
from penstock.foundation.redaction import Redactor


def test_a_line_has_a_time_a_level_a_message_and_its_facts():
    out = io.StringIO()

    Log(out, Redactor()).warning("two\nlines", url="u")

    assert re.fullmatch(
        r'\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00\] logger\.WARNING: two lines \{"url":"u"\} \[\]\n',
        out.getvalue(),
    )


def test_secrets_are_hidden_in_messages_and_facts():
    out = io.StringIO()

    Log(out, Redactor(["s3cret/"])).info("with s3cret/", body="a s3cret%2F", again="s3cret/")

    assert "s3cret" not in out.getvalue()


def test_debug_lines_need_debug_mode():
    out = io.StringIO()

    Log(out, Redactor()).debug("quiet")
    Log(out, Redactor(), is_debug=True).debug("loud")

    assert "quiet" not in out.getvalue()
    assert "logger.DEBUG: loud [] []" in out.getvalue()


def test_on_a_terminal_progress_is_one_line_and_messages_are_short():
    out = io.StringIO()
    log = ProgressLog(out, Redactor())

    log.progress(2, 2000)
    log.warning("careful")

    assert re.search(r"\r\x1b\[K2 pages, 2,000 rows, [\d,]+ rows/s", out.getvalue())
    assert out.getvalue().endswith("\r\x1b[Kwarning: careful\n")
