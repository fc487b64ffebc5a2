from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from penstock.foundation.redaction import HIDDEN, Redactor
from penstock.foundation.redaction.forms import Forms
from penstock.foundation.redaction.pieces import merge
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


@st.composite
def secrets_and_contents(draw: st.DrawFn) -> tuple[frozenset[str], bytes]:
    """Some secrets, and a content of those, encoded and plain, with scraps of escapes in between."""
    scraps = st.lists(SCRAPS, min_size=2, max_size=5).map(lambda parts: "".join(parts).ljust(4, "x"))
    secrets = draw(st.lists(scraps, min_size=1, max_size=3))
    plain = st.sampled_from(secrets)
    encoded = st.builds(lambda encode, secret: encode(Around("", secret, "")).text, st.sampled_from(ENCODERS), plain)
    separators = st.sampled_from([" ", '"', "=", "\n", "\r\n\t"])
    content = "".join(draw(st.lists(plain | encoded | SCRAPS | separators, max_size=8)))
    return frozenset(secrets), content.encode()


@given(secrets_and_contents())
@example((frozenset(["nabb/c"]), b"\\nabb\\/c"))
@example((frozenset(["abcd", "x/abcd"]), b"x\\/abcd"))
@example((frozenset(["abcd", "cd/ef"]), b" abcd\\/ef"))
@example((frozenset(["a/ba"]), b" a/ba\\/ba"))
@example((frozenset(["/abc"]), b'"\\/abc"'))
@example((frozenset(["0abcdef"]), b" %30abcdef"))
@example((frozenset(["a%25"]), b" a%2525"))
@example((frozenset(["copy"]), b" copy &copy; %63opy"))
@example((frozenset(["gggg", "gggg\\x"]), b" gggg\\\\x"))
def test_the_quick_search_finds_the_same_as_the_thorough_one(case: tuple[frozenset[str], bytes]):
    secrets, content = case
    search = Search(Forms(secrets))

    assert search.find(content) == merge(search.find_in_views(content))
