"""Functions of dates and times, as templates in DuckDB's SQL. Parts of dates and formats are rewritten in dates.py."""

from __future__ import annotations

_LATER = "d::TIMESTAMP + to_months(n::INTEGER)"
_DIGITS = r"(\.\d{6})\d{1,3}"
_CUT = rf"regexp_replace(x, '{_DIGITS}', '\1')"
"""Without the digits that a TIMESTAMP of DuckDB cannot store."""
_NUMBER = (
    "(typeof(x) IN ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'DOUBLE') OR typeof(x) LIKE 'DECIMAL%')"
)
_COUNT = "TRY_CAST(x::VARCHAR AS BIGINT)"
_UNIT = (
    f"(CASE WHEN abs({_COUNT}) < 31536000000 THEN {_COUNT} * 1000000 "
    f"WHEN abs({_COUNT}) < 31536000000000 THEN {_COUNT} * 1000 "
    f"WHEN abs({_COUNT}) < 31536000000000000 THEN {_COUNT} ELSE {_COUNT} // 1000 END)"
)
_MOMENT = (
    f"CASE WHEN {_NUMBER} THEN make_timestamp((TRY_CAST(x::VARCHAR AS DOUBLE) * 1000000)::BIGINT) "
    f"WHEN typeof(x) = 'VARCHAR' AND regexp_full_match(x::VARCHAR, '-?\\d+') THEN make_timestamp({_UNIT}) "
)
"""A number is seconds since 1970; a text of digits is seconds, or smaller units if it is large."""
_ZONES = {"TIMESTAMP": "TIMESTAMP", "TIMESTAMP_NTZ": "TIMESTAMP"}
_ZONED = {"TIMESTAMP_LTZ": "TIMESTAMPTZ", "TIMESTAMP_TZ": "TIMESTAMPTZ"}
_READING = {
    f"{prefix}TO_{name}{arguments}": body.format(cast=cast, parse=parse, kind=kind)
    for name, kind in {**_ZONES, **_ZONED}.items()
    for prefix, cast, parse in (("", "CAST", "strptime"), ("TRY_", "TRY_CAST", "try_strptime"))
    for arguments, body in {
        "(x)": "(" + _MOMENT + " ELSE {cast}(x::VARCHAR AS TIMESTAMP) END)::{kind}",
        "(x, f)": "{parse}(x, f)::{kind}",
        "(x, f, digits)": "{parse}(" + _CUT.replace("{", "{{").replace("}", "}}") + ", f)::{kind}",
    }.items()
}
_READING_DATES = {
    "TO_DATE(x)": f"CAST(({_MOMENT} ELSE CAST(x::VARCHAR AS TIMESTAMP) END) AS DATE)",
    "TO_DATE(x, f)": "strptime(x, f)::DATE",
    "TO_DATE(x, f, digits)": f"strptime({_CUT}, f)::DATE",
    "DATE(x)": f"CAST(({_MOMENT} ELSE CAST(x::VARCHAR AS TIMESTAMP) END) AS DATE)",
    "TRY_TO_DATE(x)": f"CAST(({_MOMENT} ELSE TRY_CAST(x::VARCHAR AS TIMESTAMP) END) AS DATE)",
    "TRY_TO_DATE(x, f)": "try_strptime(x, f)::DATE",
    "TRY_TO_DATE(x, f, digits)": f"try_strptime({_CUT}, f)::DATE",
}
_WRITING = {
    f"{name}{arguments}": body
    for name in ("TO_VARCHAR", "TO_CHAR")
    for arguments, body in {
        "(x, f)": "strftime(x::TIMESTAMP, f)",
        # strftime refuses an empty format, so each half begins with a character that is then cut off
        "(x, f, digits, g)": "substr(strftime(x::TIMESTAMP, '.' || f), 2) "
        "|| left(rpad(strftime(x::TIMESTAMP, '%f'), 9, '0'), digits) || substr(strftime(x::TIMESTAMP, '.' || g), 2)",
    }.items()
}
_PARTS = {
    f"{name}(d)": f"datepart('{part}', d::TIMESTAMP)::BIGINT"
    for name, part in {
        "YEAR": "year",
        "QUARTER": "quarter",
        "MONTH": "month",
        "DAY": "day",
        "DAYOFMONTH": "day",
        "WEEK": "week",
        "WEEKOFYEAR": "week",
        "WEEKISO": "week",
        "DAYOFWEEK": "dow",
        "DAYOFWEEKISO": "isodow",
        "DAYOFYEAR": "doy",
        "YEAROFWEEK": "isoyear",
        "YEAROFWEEKISO": "isoyear",
    }.items()
}
_TIMES = {f"{name}(d)": f"datepart('{name.lower()}', d)::BIGINT" for name in ("HOUR", "MINUTE", "SECOND")}

_DATE = "(make_date(y::BIGINT, 1, 1) + to_months((m - 1)::INTEGER) + to_days((d - 1)::INTEGER))::DATE"
"""Months and days may be out of range: month 13 is January of the next year."""
_TIMESTAMP = "make_timestamp(y::BIGINT, m::BIGINT, d::BIGINT, h::BIGINT, i::BIGINT, s::DOUBLE)"

DATES = {
    **_READING,
    **_READING_DATES,
    **_WRITING,
    **_PARTS,
    **_TIMES,
    "DATEADD(d, i)": "cast_to_type(d::TIMESTAMP + i, d)",
    "DATEADD_TIME(d, i)": "d::TIMESTAMP + i",
    "DATEDIFF(part, a, b)": "date_diff(part, a::TIMESTAMP, b::TIMESTAMP)",
    "DATEDIFF_WEEK(a, b)": "date_diff('week', datetrunc('week', a::TIMESTAMP), datetrunc('week', b::TIMESTAMP))",
    "TIMEDIFF(part, a, b)": "date_diff(part, a, b)",
    "DATE_TRUNC(part, d)": "cast_to_type(datetrunc(part, d::TIMESTAMP), d)",
    "DATE_PART(part, d)": "datepart(part, d::TIMESTAMP)::BIGINT",
    "DATE_PART_TIME(part, d)": "datepart(part, d)::BIGINT",
    "DATE_PART_EPOCH(d)": "floor(epoch(d))::BIGINT",
    "DATE_PART_EPOCH_MS(d)": "epoch_ms(d)",
    "MONTHNAME(d)": "strftime(d::TIMESTAMP, '%b')",
    "DAYNAME(d)": "strftime(d::TIMESTAMP, '%a')",
    "LAST_DAY(d)": "last_day(d::TIMESTAMP)",
    "LAST_DAY_OF(part, i, d)": "(datetrunc(part, d::TIMESTAMP) + i - INTERVAL 1 DAY)::DATE",
    "NEXT_DAY(d, n)": "d::DATE + (((list_position(['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'], left(lower(n), 2)) "
    "- isodow(d::DATE) + 6) % 7) + 1)::INTEGER",
    "ADD_MONTHS(d, n)": "cast_to_type(CASE WHEN last_day(d::TIMESTAMP) = d::TIMESTAMP::DATE "
    f"THEN {_LATER} + to_days((last_day({_LATER}) - ({_LATER})::DATE)::INTEGER) ELSE {_LATER} END, d)",
    "DATE_FROM_PARTS(y, m, d)": _DATE,
    "DATEFROMPARTS(y, m, d)": _DATE,
    "TIME_FROM_PARTS(h, m, s)": "make_time(h::BIGINT, m::BIGINT, s::DOUBLE)",
    "TIMESTAMP_FROM_PARTS(y, m, d, h, i, s)": _TIMESTAMP,
    "TIMESTAMP_NTZ_FROM_PARTS(y, m, d, h, i, s)": _TIMESTAMP,
    "CONVERT_TIMEZONE(a, b, d)": "timezone(b, timezone(a, d::TIMESTAMP))",
    "CONVERT_TIMEZONE(b, d)": "timezone(b, d::TIMESTAMPTZ)",
    "CURRENT_TIMESTAMP()": "now()",
    "CURRENT_DATE()": "current_date",
    "CURRENT_TIME()": "now()::TIME",
    "LOCALTIME()": "now()::TIME",
    "LOCALTIMESTAMP()": "now()",
    "SYSTIMESTAMP()": "now()",
    "GETDATE()": "now()",
    "SYSDATE()": "timezone('UTC', now())",
    "TO_TIME(x)": "x::TIME",
    "TIME(x)": "x::TIME",
    "TRY_TO_TIME(x)": "TRY_CAST(x AS TIME)",
}
