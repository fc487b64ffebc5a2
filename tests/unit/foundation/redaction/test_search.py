from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from penstock.foundation.redaction import HIDDEN, Redactor
from penstock.foundation.redaction.forms import Forms
from penstock.foundation.redaction.search import Search
from tests.unit.foundation.redaction.encoders import ENCODERS, Around, Encoder

AROUND = "|"
PRINTABLE = st.characters(exclude_categories=["C"], exclude_characters=AROUND)
TRICKY = st.sampled_from("\\/\"'&<>+= %#;u0025cfnx-_~ö€😀")
SECRETS = st.text(PRINTABLE | TRICKY, min_size=4, max_size=24) | st.text(PRINTABLE | TRICKY, min_size=90, max_size=140)
"""Short ones, and ones that are longer than a line of base64."""


@given(SECRETS, st.lists(st.tuples(st.sampled_from(ENCODERS), st.integers(0, 3), st.integers(0, 3)), max_size=3))
def test_a_secret_is_hidden_whole_in_whatever_it_is_encoded(secret: str, levels: list[tuple[Encoder, int, int]]):
    parts = Around(AROUND, secret, AROUND)
    for encode, before, after in levels:
        parts = encode(Around(AROUND * before + parts.before, parts.secret, parts.after + AROUND * after))

    assert Redactor([secret]).clean(parts.text) == f"{parts.before}{HIDDEN}{parts.after}"


SCRAPS = st.sampled_from(
    [
        "\\",
        "\\\\",
        "%",
        "&",
        "&amp;",
        "%25",
        "\\u0025",
        "&#37;",
        "%5c",
        "\\/",
        "n",
        "u0041",
        "41",
        ";",
        "ab",
        "b/c",
        "+",
    ]
)


@given(st.lists(SCRAPS, min_size=2, max_size=5), st.lists(SCRAPS, max_size=4), st.sampled_from(ENCODERS))
@example(["n", "ab", "b/c"], ["\\"], ENCODERS[2])
def test_the_quick_check_misses_nothing_that_the_thorough_search_finds(
    scraps: list[str], around: list[str], encode: Encoder
):
    secret = "".join(scraps).ljust(4, "x")
    content = encode(Around("", secret, "")).text.join(["".join(around)] * 2).encode()
    search = Search(Forms(frozenset([secret])))

    assert bool(search.find(content)) == bool(search.find_in_views(content))
