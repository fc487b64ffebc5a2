"""Pages to be read, and how they are."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from penstock.extractor.base.decode import decode
from penstock.extractor.records.columns import Column, Rows
from penstock.extractor.records.fast.reader import FastReader

texts = (st.text(max_size=3) | st.text('a"\\/é', max_size=3)).map(lambda text: json.dumps(text, ensure_ascii=False))
numbers = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["-0", "-0.0", "1.50", "1e5", "0.00001", "100", "12345678901234567890123", "1.0"]),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
rows = st.lists(st.dictionaries(st.sampled_from(["a", "b", "c d", "é"]), scalars, max_size=4), min_size=1, max_size=4)


kinds = st.sampled_from([numbers, st.booleans(), texts])
"""What one column holds."""


@st.composite
def like_pages(draw: st.DrawFn) -> list[list[dict[str, Any]]]:
    """Pages whose columns have one type each, some of them nullable."""
    columns = {key: draw(kinds) for key in ("a", "b", "c d", "é")}
    nullable = draw(st.sets(st.sampled_from(list(columns))))
    fields = {key: st.none() | values if key in nullable else values for key, values in columns.items()}
    page = st.lists(st.fixed_dictionaries(fields), min_size=3, max_size=6)
    return draw(st.lists(page, min_size=2, max_size=4))


def json_of(value: Any, comma: str = ",", colon: str = ":") -> str:
    """Texts and odd numbers are JSON already."""
    if isinstance(value, dict):
        members = [
            f"{json.dumps(key, ensure_ascii=False)}{colon}{json_of(item, comma, colon)}" for key, item in value.items()
        ]
        return f"{{{comma.join(members)}}}"
    if isinstance(value, list):
        return f"[{comma.join([json_of(item, comma, colon) for item in value])}]"
    return value if isinstance(value, str) else json.dumps(value)


def read_page(reader: FastReader, body: bytes, key: str = "items") -> Rows | None:
    def reread() -> list[Any]:
        document = decode(body).document
        return document[key] if isinstance(document, dict) else document

    return reader.read(body, reread)


def reader_after(*documents: Any, key: str = "items") -> FastReader:
    reader = FastReader(key)
    for document in documents:
        reader.learn(document, Column(document["items"] if isinstance(document, dict) else document))
    return reader
