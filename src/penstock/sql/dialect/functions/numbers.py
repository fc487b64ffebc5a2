"""Functions of numbers and conditions, as templates in DuckDB's SQL."""

from __future__ import annotations

_BUCKET = "floor((x - low) / ((high - low) / n)) + 1"

NUMBERS = {
    "DIVIDE(a, b)": "CASE WHEN b = 0 THEN error('Division by zero') ELSE a / b END",
    "MOD(a, b)": "CASE WHEN b = 0 THEN error('Division by zero') ELSE a % b END",
    "DIV0(a, b)": "CASE WHEN b = 0 THEN 0 ELSE a / b END",
    "DIV0NULL(a, b)": "CASE WHEN b = 0 OR b IS NULL THEN 0 ELSE a / b END",
    "CEIL(x)": "ceil(x)",
    "CEIL(x, n)": "ceil(x * power(10, n)) / power(10, n)",
    "FLOOR(x)": "floor(x)",
    "FLOOR(x, n)": "floor(x * power(10, n)) / power(10, n)",
    "TRUNC(x)": "trunc(x)",
    "TRUNC(x, n)": "trunc(x, n)",
    "TRUNCATE(x)": "trunc(x)",
    "TRUNCATE(x, n)": "trunc(x, n)",
    "SQUARE(x)": "x * x",
    "BITAND(a, b)": "a & b",
    "BITOR(a, b)": "a | b",
    "BITXOR(a, b)": "xor(a, b)",
    "BITNOT(a)": "~a",
    "BITSHIFTLEFT(a, n)": "a << n",
    "BITSHIFTRIGHT(a, n)": "a >> n",
    "WIDTH_BUCKET(x, low, high, n)": f"(CASE WHEN x < low THEN 0 WHEN x >= high THEN n + 1 ELSE {_BUCKET} END)::BIGINT",
    "IFF(c, a, b)": "CASE WHEN c THEN a ELSE b END",
    "NVL2(a, b, c)": "CASE WHEN a IS NOT NULL THEN b ELSE c END",
    "ZEROIFNULL(a)": "coalesce(a, 0)",
    "NULLIFZERO(a)": "nullif(a, 0)",
    "EQUAL_NULL(a, b)": "a IS NOT DISTINCT FROM b",
    "SEQ1()": "row_number() OVER () - 1",
    "SEQ2()": "row_number() OVER () - 1",
    "SEQ4()": "row_number() OVER () - 1",
    "SEQ8()": "row_number() OVER () - 1",
    "TO_DOUBLE(x)": "x::DOUBLE",
    "TRY_TO_DOUBLE(x)": "TRY_CAST(x AS DOUBLE)",
    "TO_BOOLEAN(x)": "CASE WHEN typeof(x) <> 'VARCHAR' THEN TRY_CAST(x AS BOOLEAN) "
    "WHEN lower(x::VARCHAR) IN ('true', 't', 'yes', 'y', 'on', '1') THEN TRUE "
    "WHEN lower(x::VARCHAR) IN ('false', 'f', 'no', 'n', 'off', '0') THEN FALSE "
    "WHEN x IS NOT NULL THEN error('Boolean value ''' || x::VARCHAR || ''' is not recognized') END",
    "TRY_TO_BOOLEAN(x)": "CASE WHEN typeof(x) <> 'VARCHAR' THEN TRY_CAST(x AS BOOLEAN) "
    "WHEN lower(x::VARCHAR) IN ('true', 't', 'yes', 'y', 'on', '1') THEN TRUE "
    "WHEN lower(x::VARCHAR) IN ('false', 'f', 'no', 'n', 'off', '0') THEN FALSE END",
    "TEXT(x)": "CASE typeof(x) WHEN 'JSON' THEN json_extract_string(x::VARCHAR, '$') ELSE x::VARCHAR END",
    "TO_INT(x)": "CASE WHEN typeof(x) IN ('DOUBLE', 'FLOAT') THEN round(TRY_CAST(x AS DOUBLE))::BIGINT "
    "ELSE x::BIGINT END",
}
