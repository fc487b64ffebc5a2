"""Findings and tables as lines."""

from __future__ import annotations

from penstock.extractor.tools.discovery import Discovery, Finding
from penstock.extractor.tools.discovery.explanation import explain
from penstock.extractor.tools.discovery.proof import Proof, Table
from penstock.foundation.redaction import Redactor


def test_what_is_not_proven_comes_last() -> None:
    findings = [Finding("key", "none", "No ids.", is_proven=False), Finding("records", "`a`", "12 of them.")]
    table = Table("rows", ["id", *"abcdef"], [["1", "x" * 30, *"bcdef"]], 1)

    assert list(explain(Discovery({}, findings, Proof([table], is_whole=True), 3))) == [
        "records  `a`",
        "         12 of them.",
        "",
        "Not proven:",
        "key  none",
        "     No ids.",
        "",
        "rows: 1 rows, 1 more column",
        "  id  a                         b  c  d  e",
        "  1   xxxxxxxxxxxxxxxxxxxxx...  b  c  d  e",
    ]


def test_long_values_are_cut_after_secrets_are_hidden() -> None:
    secret = "s" * 40
    finding = Finding("pagination", secret, f"`next` holds {'a' * 80}{secret}").cleaned(Redactor([secret]))

    assert "sss" not in str(finding)
    assert Finding("x", "", "a" * 500).cleaned(Redactor()).evidence == "a" * 97 + "..."
