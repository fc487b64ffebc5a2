"""Functions of texts, as templates in DuckDB's SQL."""

from __future__ import annotations

_FIRST = "CASE WHEN i = 0 THEN 1 ELSE i END"
"""A position of 0 means the first."""
_AFTER = "strpos(substr(s, CASE WHEN i < 1 THEN 1 ELSE i END), p)"
_FOUND = f"CASE WHEN {_AFTER} = 0 THEN 0 ELSE {_AFTER} + CASE WHEN i < 1 THEN 1 ELSE i END - 1 END"
_BREAKS = r"""\s!?@"^#$&~_,.:;+\-*%/|\\\[\](){}<>"""
_WORDS = f"regexp_extract_all(lower(s), '[^{_BREAKS}]+|[{_BREAKS}]+')"

TEXTS = {
    "UPPER(s)": "upper(s)",
    "LOWER(s)": "lower(s)",
    "LENGTH(s)": "length(s)",
    "LEN(s)": "length(s)",
    "OCTET_LENGTH(s)": "octet_length(encode(s))",
    "BIT_LENGTH(s)": "8 * octet_length(encode(s))",
    "TRIM(s)": "trim(s, ' ')",
    "TRIM(s, c)": "trim(s, c)",
    "LTRIM(s)": "ltrim(s, ' ')",
    "LTRIM(s, c)": "ltrim(s, c)",
    "RTRIM(s)": "rtrim(s, ' ')",
    "RTRIM(s, c)": "rtrim(s, c)",
    "REVERSE(s)": "reverse(s)",
    "REPEAT(s, n)": "repeat(s, n)",
    "SPACE(n)": "repeat(' ', n)",
    "TRANSLATE(s, a, b)": "translate(s, a, b)",
    "CONTAINS(s, p)": "contains(s, p)",
    "STARTSWITH(s, p)": "starts_with(s, p)",
    "ENDSWITH(s, p)": "ends_with(s, p)",
    "REPLACE(s, a)": "replace(s, a, '')",
    "REPLACE(s, a, b)": "replace(s, a, b)",
    "LPAD(s, n)": "lpad(s, n, ' ')",
    "LPAD(s, n, p)": "lpad(s, n, p)",
    "RPAD(s, n)": "rpad(s, n, ' ')",
    "RPAD(s, n, p)": "rpad(s, n, p)",
    "LEFT(s, n)": "CASE WHEN n < 0 THEN '' ELSE left(s, n) END",
    "RIGHT(s, n)": "CASE WHEN n < 0 THEN '' ELSE right(s, n) END",
    "SUBSTR(s, i)": f"substring(s, {_FIRST})",
    "SUBSTR(s, i, n)": f"substring(s, {_FIRST}, CASE WHEN n < 0 THEN 0 ELSE n END)",
    "SUBSTRING(s, i)": f"substring(s, {_FIRST})",
    "SUBSTRING(s, i, n)": f"substring(s, {_FIRST}, CASE WHEN n < 0 THEN 0 ELSE n END)",
    "SPLIT_PART(s, d, i)": f"split_part(s, d, {_FIRST})",
    "INSERT(s, i, n, p)": "substring(s, 1, i - 1) || p || substring(s, i + n)",
    "INITCAP(s)": f"array_to_string(list_transform({_WORDS}, lambda w: upper(left(w, 1)) || substring(w, 2)), '')",
    "POSITION(p, s)": "strpos(s, p)",
    "POSITION(p, s, i)": _FOUND,
    "CHARINDEX(p, s)": "strpos(s, p)",
    "CHARINDEX(p, s, i)": _FOUND,
    "REGEXP_LIKE(s, p)": "regexp_full_match(s, p)",
    "REGEXP_LIKE(s, p, o)": "regexp_full_match(s, p, o)",
    "RLIKE(s, p)": "regexp_full_match(s, p)",
    "RLIKE(s, p, o)": "regexp_full_match(s, p, o)",
    "REGEXP_REPLACE(s, p)": "regexp_replace(s, p, '', 'g')",
    "REGEXP_REPLACE(s, p, r)": "regexp_replace(s, p, r, 'g')",
    "REGEXP_SUBSTR(s, p)": "list_extract(regexp_extract_all(s, p), 1)",
    "REGEXP_SUBSTR(s, p, n, g, o)": "list_extract(regexp_extract_all(s, p, g, o), n)",
    "REGEXP_COUNT(s, p)": "len(regexp_extract_all(s, p))",
    "EDITDISTANCE(a, b)": "levenshtein(a, b)",
    "MD5(x)": "md5(x)",
    "MD5_HEX(x)": "md5(x)",
    "SHA1(x)": "sha1(x)",
    "SHA1_HEX(x)": "sha1(x)",
    "SHA2(x)": "sha256(x)",
    "SHA2_HEX(x)": "sha256(x)",
    "BASE64_ENCODE(x)": "to_base64(encode(x))",
    "BASE64_DECODE_STRING(x)": "decode(from_base64(x))",
    "HEX_ENCODE(x)": "hex(encode(x))",
    "HEX_DECODE_STRING(x)": "decode(unhex(x))",
    "UUID_STRING()": "uuid()::VARCHAR",
}
TAKES_TEXT = frozenset(signature.split("(")[0] for signature in TEXTS)
"""A column of VARIANT is given to them as a text without quotes."""
