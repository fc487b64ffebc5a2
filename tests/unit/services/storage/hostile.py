"""What a hostile or broken client might send, in the place of something sensible."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st


def nested(levels: int) -> Any:
    document: Any = "deep"
    for _ in range(levels):
        document = {"a": [document]}
    return document


TEXTS = [
    "",
    " ",
    "x" * 5000,
    "Žluťoučký 𝒳 🚀",
    "a\x00b",
    "\x01\x1b[31m\r\nX-Evil: 1",
    "..",
    ".",
    "../../../../etc/passwd",
    "%2e%2e%2f%2e%2e%2fkey",
    "/etc/passwd",
    "C:\\con",
    "\"'`;--",
    "'; DROP TABLE storage_buckets; --",
    "x' OR '1'='1",
    "{{7*7}} ${7*7} <script>alert(1)</script>",
    "\u202egpj.exe",
    "\ud800",
    "-1",
    "0",
    "+1",
    "1_000",
    "１２",
    "9" * 40,
    "1e999",
    "NaN",
    "null",
    "[]",
    "*",
    "a,,b",
    "in.c-.",
    "in.c-x.y.z.w",
    "default",
]
VALUES = [
    *TEXTS,
    None,
    True,
    -1,
    0,
    1.5,
    2**63,
    2**64,
    -(2**63) - 1,
    1e308,
    [],
    {},
    [[]],
    [None],
    [2**70],
    [1, "a", None, {}],
    ["x"] * 2000,
    {"": ""},
    {"0": "x", "key": []},
    {"key": "k", "value": {"a": 1}},
    {"column": [], "operator": {}, "values": "x"},
    nested(20),
    nested(200),
]
BODIES = [
    b"{",
    b'{"name":',
    b"[1, 2]",
    b'"text"',
    b"null",
    b"\xff\xfe{}",
    b"\xef\xbb\xbf{}",
    b'{"name": "\xff"}',
    b'{"name": "\\ud800"}',
    b'{"name": "a", "name": ["b"]}',
    b'{"limit": 1e999, "name": NaN}',
    b'{"limit": ' + b"9" * 10_000 + b"}",
    b"[" * 100_000,
    b'{"a":' * 5000,
    b"a[=1&b]=2&[]=3&a[b][c=4&[=&]=",
    b"a" + b"[b]" * 200 + b"=1",
    b"%ff=%ff&%00=%zz",
    b"&&&===&name&name[]=1&name=2&name[x]=3",
    b"--x\r\nContent-Disposition: form-data; name=name\r\n\r\nv",
]
"""Bodies that are no JSON object, no form, or neither quite."""

KINDS = [
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "application/json; charset=utf-16",
    "text/xml",
    "",
]
QUERIES = [
    "a[=1&b]=2&[]=3&a[b][c=4&[=&]=",
    "limit[]=1&limit[x]=2&offset[][][]=3",
    "%ff=%ff&%00=%00&q=%ed%a0%80",
    "include=%2e%2e%2f&include[]=x&include[a][b]=y",
    "limit=-1&offset=99999999999999999999999&sinceId=x",
    "whereFilters[0][values][]=x&whereFilters=1&orderBy[9999999999]=1",
    "x" + "[y]" * 200 + "=1",
    "async=maybe&force=2&isDeleted=%00",
]
NAMES = ["%ff%fe", "%00", "%ed%a0%80", "%2e%2e%2f%2e%2e%2fkey", "..%2f..", "%", "%zz", "a;b=c", "a%0d%0ab", "a%2fb"]
"""Segments of a path that are sent as they stand here."""

FOUND = [
    ("POST /buckets", {"sourceProjectId": 2**70, "sourceBucketId": "in.c-x"}),
    ("POST /buckets/{bucket_id}/share-organization", {"targetProjectIds": [2**70]}),
    ("POST /tables/{table_id}/export-async", {"limit": 2**70}),
    ("POST /tables/{table_id}/import", {"dataString": "no-such-column"}),
    ("DELETE /tables/{table_id}/rows", {"limit": 1}),
]
"""What has broken a row before: every such bug adds a line."""

texts = st.sampled_from(TEXTS) | st.text(max_size=30)
_leaves = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=10)
)
values = st.sampled_from(VALUES) | st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
