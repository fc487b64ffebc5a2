"""What each function of Snowflake is in DuckDB: the same, one with another name, a template, or a rewrite in calls.py.

A function of Snowflake that is in none of these lists is an error that names it. Names that are not functions of
Snowflake are passed on, so that functions of DuckDB can be used.
"""

from __future__ import annotations

from penstock.sql.dialect.functions.dates import DATES
from penstock.sql.dialect.functions.numbers import NUMBERS
from penstock.sql.dialect.functions.texts import TEXTS
from penstock.sql.dialect.functions.variants import VARIANTS

TEMPLATES = {**TEXTS, **NUMBERS, **DATES, **VARIANTS}
"""By signature."""

SAME = frozenset(
    {
        *("ABS", "ACOS", "ACOSH", "ASIN", "ASINH", "ATAN", "ATAN2", "ATANH", "CBRT", "COS", "COSH", "COT", "DEGREES"),
        *("EXP", "FACTORIAL", "LN", "LOG", "PI", "POW", "POWER", "RADIANS", "ROUND", "SIGN", "SIN", "SINH", "SQRT"),
        *("TAN", "TANH", "COALESCE", "NULLIF", "IFNULL", "ASCII", "CHR", "UNICODE"),
        *("COUNT", "SUM", "AVG", "MIN", "MAX", "MEDIAN", "MODE", "STDDEV", "STDDEV_SAMP", "STDDEV_POP", "VARIANCE"),
        *("VAR_SAMP", "VAR_POP", "CORR", "COVAR_POP", "COVAR_SAMP", "ANY_VALUE", "APPROX_COUNT_DISTINCT", "KURTOSIS"),
        *("MIN_BY", "MAX_BY", "PERCENTILE_CONT", "PERCENTILE_DISC", "COUNT_IF", "GROUPING", "REGR_SLOPE"),
        *("REGR_INTERCEPT", "REGR_R2", "REGR_COUNT", "REGR_AVGX", "REGR_AVGY", "REGR_SXX", "REGR_SXY", "REGR_SYY"),
        *("ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "PERCENT_RANK", "CUME_DIST", "LAG", "LEAD", "FIRST_VALUE"),
        *("LAST_VALUE", "NTH_VALUE"),
    }
)
RENAMED = {
    "APPROX_PERCENTILE": "APPROX_QUANTILE",
    "BITANDAGG": "BIT_AND",
    "BITAND_AGG": "BIT_AND",
    "BITORAGG": "BIT_OR",
    "BITOR_AGG": "BIT_OR",
    "BITXORAGG": "BIT_XOR",
    "BITXOR_AGG": "BIT_XOR",
    "BOOLAND_AGG": "BOOL_AND",
    "BOOLOR_AGG": "BOOL_OR",
    "GREATEST_IGNORE_NULLS": "GREATEST",
    "GROUPING_ID": "GROUPING",
    "HLL": "APPROX_COUNT_DISTINCT",
    "LEAST_IGNORE_NULLS": "LEAST",
    "NVL": "COALESCE",
    "SKEW": "SKEWNESS",
    "VARIANCE_POP": "VAR_POP",
    "VARIANCE_SAMP": "VAR_SAMP",
}
WHOLE_PARTITION = frozenset({"FIRST_VALUE", "LAST_VALUE", "NTH_VALUE"})
"""Their window is the whole partition, unless it says otherwise; in DuckDB it ends at the current row."""
TAKES_VARIANT = frozenset(
    {
        *(
            "ARRAY_APPEND",
            "ARRAY_CAT",
            "ARRAY_CONSTRUCT",
            "ARRAY_CONTAINS",
            "ARRAY_POSITION",
            "ARRAY_SIZE",
            "ARRAY_AGG",
        ),
        *("ARRAY_TO_STRING", "FLATTEN", "GET", "GET_PATH", "IS_ARRAY", "IS_BOOLEAN", "IS_DECIMAL", "IS_INTEGER"),
        *("IS_NULL_VALUE", "IS_OBJECT", "IS_VARCHAR", "OBJECT_AGG", "OBJECT_CONSTRUCT", "OBJECT_CONSTRUCT_KEEP_NULL"),
        *("OBJECT_KEYS", "STRIP_NULL_VALUE", "TO_ARRAY", "TO_JSON", "TO_OBJECT", "TO_VARIANT", "TYPEOF", "COUNT"),
        *("ARRAY_SLICE", "ARRAY_DISTINCT", "ANY_VALUE"),
    }
)
"""Anything else gets the text of a VARIANT, without quotes."""
COMPARES = frozenset({"MIN", "MAX", "GREATEST", "LEAST", "MEDIAN", "MODE", "MIN_BY", "MAX_BY"})
"""They compare values, and a VARIANT would be compared as a text."""
DIFFERENT = frozenset({"HASH"})
"""Functions that both have, with other results."""
PASSED = frozenset(
    {
        *(
            "APPROX_QUANTILE",
            "ARG_MAX",
            "ARG_MIN",
            "BOOL_AND",
            "BOOL_OR",
            "DATE_ADD",
            "DATE_DIFF",
            "DATE_SUB",
            "ENCODE",
        ),
        *(
            "ENDS_WITH",
            "FIRST",
            "FORMAT",
            "FROM_BASE64",
            "FROM_JSON",
            "GENERATE_SERIES",
            "HEX",
            "INSTR",
            "ISINF",
            "ISNAN",
        ),
        *("ISODOW", "JSON_EXTRACT", "JSON_KEYS", "JSON_OBJECT", "JSON_TYPE", "LAST", "LCASE", "LEVENSHTEIN", "LIST"),
        *("LOG10", "LOG2", "QUANTILE", "READ_CSV", "READ_PARQUET", "REGEXP_EXTRACT", "REGEXP_FULL_MATCH", "SKEWNESS"),
        *("STARTS_WITH", "STRPOS", "STRUCT_EXTRACT", "TO_BASE64", "TO_DAYS", "UCASE", "UNHEX", "UUID", "COLUMNS"),
    }
)
"""Functions of DuckDB that the parser knows, and Snowflake does not have."""
