"""Functions of VARIANT, ARRAY and OBJECT, which are JSON here, as templates in DuckDB's SQL."""

from __future__ import annotations

_TYPES = (
    "CASE json_type(x) WHEN 'UBIGINT' THEN 'INTEGER' WHEN 'BIGINT' THEN 'INTEGER' WHEN 'HUGEINT' THEN 'INTEGER' "
    "WHEN 'DOUBLE' THEN 'DECIMAL' WHEN 'NULL' THEN 'NULL_VALUE' ELSE json_type(x) END"
)
_ITEMS = "json_extract({}, '$[*]')"

VARIANTS = {
    "PARSE_JSON(x)": "CASE WHEN trim(x::VARCHAR) <> '' THEN x::JSON END",
    "TRY_PARSE_JSON(x)": "CASE WHEN trim(x::VARCHAR) <> '' THEN TRY_CAST(x AS JSON) END",
    "TO_JSON(x)": "CASE WHEN x IS NOT NULL THEN to_json(x)::VARCHAR END",
    "TO_VARIANT(x)": "CASE WHEN x IS NOT NULL THEN to_json(x) END",
    "TO_OBJECT(x)": "CASE WHEN x IS NULL OR json_type(x::JSON) = 'OBJECT' THEN x::JSON ELSE error('Not an OBJECT') END",
    "TO_ARRAY(x)": "CASE WHEN x IS NULL THEN NULL WHEN typeof(x) = 'JSON' AND json_type(to_json(x)) = 'ARRAY' "
    "THEN to_json(x) ELSE to_json([x]) END",
    "SPLIT(s, d)": "CASE WHEN s IS NOT NULL AND d IS NOT NULL THEN to_json(CASE WHEN d = '' THEN [s] "
    "ELSE string_split(s, d) END) END",
    "ARRAY_SIZE(x)": "CASE WHEN json_type(x) = 'ARRAY' THEN json_array_length(x)::BIGINT END",
    "ARRAY_CONTAINS(v, x)": f"list_contains({_ITEMS.format('x')}, to_json(v))",
    "ARRAY_POSITION(v, x)": f"nullif(list_position({_ITEMS.format('x')}, to_json(v)), 0) - 1",
    "ARRAY_TO_STRING(x, s)": "array_to_string(list_transform(json_extract_string(x, '$[*]'), "
    "lambda v: coalesce(v, '')), s)",
    "ARRAY_CAT(a, b)": f"to_json(list_concat({_ITEMS.format('a')}, {_ITEMS.format('b')}))",
    "ARRAY_APPEND(a, v)": f"to_json(list_append({_ITEMS.format('a')}, to_json(v)))",
    "OBJECT_KEYS(x)": "to_json(json_keys(x))",
    "TYPEOF(x)": _TYPES,
    "IS_NULL_VALUE(x)": "json_type(x) = 'NULL'",
    "IS_ARRAY(x)": "json_type(x) = 'ARRAY'",
    "IS_OBJECT(x)": "json_type(x) = 'OBJECT'",
    "IS_VARCHAR(x)": "json_type(x) = 'VARCHAR'",
    "IS_BOOLEAN(x)": "json_type(x) = 'BOOLEAN'",
    "IS_INTEGER(x)": "json_type(x) IN ('UBIGINT', 'BIGINT', 'HUGEINT')",
    "STRIP_NULL_VALUE(x)": "CASE WHEN json_type(x) <> 'NULL' THEN x END",
    "ITEM(x, i)": "CASE WHEN typeof(i) = 'VARCHAR' THEN json_extract(x, '$.\"' || i::VARCHAR || '\"') "
    "WHEN TRY_CAST(i AS BIGINT) >= 0 THEN json_extract(x, TRY_CAST(i AS BIGINT)) END",
}
