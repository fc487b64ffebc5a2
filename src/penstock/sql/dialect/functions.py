"""Functions of Snowflake that DuckDB lacks, or defines differently, as macros of DuckDB.

Date formats arrive translated to `strftime` by formats.py.
"""

from __future__ import annotations

_TYPES = {
    "NUMBER": "DECIMAL(38, 0)",
    "NUMERIC": "DECIMAL(38, 0)",
    "DECIMAL": "DECIMAL(38, 0)",
    "DOUBLE": "DOUBLE",
    "BOOLEAN": "BOOLEAN",
    "TIME": "TIME",
}
_CONVERSIONS = [
    f"{prefix}TO_{name}(x) AS {'TRY_CAST' if prefix else 'CAST'}(x AS {kind})"
    for name, kind in _TYPES.items()
    for prefix in ("", "TRY_")
]
_MICROSECONDS = r"system.main.regexp_replace(x, '(\.\d{6})\d{1,3}', '\1')"
"""Without the digits that a TIMESTAMP of DuckDB cannot store."""
_MOMENTS = [
    f"{prefix}TO_{name}(x) AS {cast}(x AS {kind}), (x, f) AS {parse}(x, f)::{kind}, "
    f"(x, f, digits) AS {parse}({_MICROSECONDS}, f)::{kind}"
    for name, kind in (("DATE", "DATE"), ("TIMESTAMP", "TIMESTAMP"), ("TIMESTAMP_NTZ", "TIMESTAMP"))
    for prefix, cast, parse in (("", "CAST", "strptime"), ("TRY_", "TRY_CAST", "try_strptime"))
]
_TEXTS = [
    f"{name}(x) AS CAST(x AS VARCHAR), (x, f) AS strftime(x, f), "
    # strftime refuses an empty format, so each half begins with a character that is then cut off
    "(x, f, digits, g) AS substr(strftime(x, '.' || f), 2) || left(rpad(strftime(x, '%f'), 9, '0'), digits) "
    "|| substr(strftime(x, '.' || g), 2)"
    for name in ("TO_VARCHAR", "TO_CHAR")
]
_INTERVAL = """(CASE part
    WHEN 'year' THEN to_years(n::INTEGER) WHEN 'quarter' THEN to_months(3 * n::INTEGER)
    WHEN 'month' THEN to_months(n::INTEGER) WHEN 'week' THEN to_days(7 * n::INTEGER)
    WHEN 'day' THEN to_days(n::INTEGER) WHEN 'hour' THEN to_hours(n::BIGINT)
    WHEN 'minute' THEN to_minutes(n::BIGINT) WHEN 'second' THEN to_seconds(n::BIGINT)
    WHEN 'millisecond' THEN to_milliseconds(n::BIGINT) WHEN 'microsecond' THEN to_microseconds(n::BIGINT)
    ELSE error('Not a part of a date: ' || part) END)"""
_LATER = "d::TIMESTAMP + to_months(n::INTEGER)"
_DATES = [
    f"DATEADD(part, n, d) AS cast_to_type(d::TIMESTAMP + {_INTERVAL}, d)",
    f"DATEADD_TIME(part, n, d) AS d::TIMESTAMP + {_INTERVAL}",
    "DATEDIFF(part, a, b) AS CASE part WHEN 'week' "
    "THEN date_diff('week', datetrunc('week', a::TIMESTAMP), datetrunc('week', b::TIMESTAMP)) "
    "ELSE date_diff(part, a::TIMESTAMP, b::TIMESTAMP) END",
    "DATE_PART(part, d) AS datepart(part, d)::BIGINT",
    "DATE_PART_EPOCH(part, d) AS CASE part WHEN 'epoch' THEN floor(epoch(d))::BIGINT ELSE epoch_ms(d) END",
    "MONTHNAME(d) AS strftime(d::TIMESTAMP, '%b')",
    "DAYNAME(d) AS strftime(d::TIMESTAMP, '%a')",
    "DATE_TRUNC(part, d) AS cast_to_type(datetrunc(part, d::TIMESTAMP), d)",
    f"ADD_MONTHS(d, n) AS cast_to_type(CASE WHEN last_day(d::TIMESTAMP) = d::TIMESTAMP::DATE "
    f"THEN {_LATER} + to_days((last_day({_LATER}) - ({_LATER})::DATE)::INTEGER) ELSE {_LATER} END, d)",
    "DATE_FROM_PARTS(y, m, d) AS make_date(y::BIGINT, m::BIGINT, d::BIGINT)",
    "GETDATE() AS now()",
    "SYSDATE() AS now()::TIMESTAMP",
]
_NAMES = "abcdefgh"
_CONCAT = "CONCAT" + ", ".join(
    f"({', '.join(_NAMES[:count])}) AS {' || '.join(f'{name}::VARCHAR' for name in _NAMES[:count])}"
    for count in range(1, len(_NAMES) + 1)
)
_FIRST = "CASE WHEN i = 0 THEN 1 ELSE i END"
"""A position of 0 means the first."""
_PIECES = [
    f"SPLIT_PART(s, d, i) AS system.main.split_part(s, d, {_FIRST})",
    *(
        f"{name}(s, i) AS system.main.substring(s, {_FIRST}), "
        f"(s, i, n) AS system.main.substring(s, {_FIRST}, CASE WHEN n < 0 THEN 0 ELSE n END)"
        for name in ("SUBSTR", "SUBSTRING")
    ),
]
_OTHERS = [
    "IFF(c, a, b) AS CASE WHEN c THEN a ELSE b END",
    "NVL(a, b) AS coalesce(a, b)",
    "NVL2(a, b, c) AS CASE WHEN a IS NOT NULL THEN b ELSE c END",
    "ZEROIFNULL(a) AS coalesce(a, 0)",
    "NULLIFZERO(a) AS nullif(a, 0)",
    "DIV0(a, b) AS CASE WHEN b = 0 THEN 0 ELSE a / b END",
    "DIV0NULL(a, b) AS CASE WHEN b = 0 OR b IS NULL THEN 0 ELSE a / b END",
    "EQUAL_NULL(a, b) AS a IS NOT DISTINCT FROM b",
    "CHARINDEX(part, whole) AS strpos(whole, part)",
    "STARTSWITH(s, part) AS starts_with(s, part)",
    "ENDSWITH(s, part) AS ends_with(s, part)",
    "REGEXP_LIKE(s, p) AS regexp_full_match(s, p)",
    "REGEXP_REPLACE(s, p) AS system.main.regexp_replace(s, p, '', 'g'), "
    "(s, p, r) AS system.main.regexp_replace(s, p, r, 'g')",
    "REGEXP_SUBSTR(s, p) AS CASE WHEN regexp_matches(s, p) THEN regexp_extract(s, p) END",
    "REGEXP_COUNT(s, p) AS len(regexp_extract_all(s, p))",
    "PARSE_JSON(x) AS CAST(x AS JSON)",
    "TRY_PARSE_JSON(x) AS TRY_CAST(x AS JSON)",
    "ARRAY_SIZE(x) AS json_array_length(x)",
    "SHA2(x) AS sha256(x)",
    "UUID_STRING() AS uuid()::VARCHAR",
    "SQUARE(x) AS x * x",
    "EDITDISTANCE(a, b) AS levenshtein(a, b)",
    "BOOLOR_AGG(x) AS bool_or(x)",
    "BOOLAND_AGG(x) AS bool_and(x)",
    _CONCAT,
]
FUNCTIONS = tuple(f"CREATE MACRO {each}" for each in (*_CONVERSIONS, *_MOMENTS, *_TEXTS, *_DATES, *_PIECES, *_OTHERS))
