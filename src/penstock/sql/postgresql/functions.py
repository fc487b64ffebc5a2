"""Functions and casts of PostgreSQL that clients use in queries of its catalog, as expressions of the database."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp, parse_one

from penstock.sql.postgresql.tables import COMMENT, CREATED_INDEX, DISPLAYED, KEY_INDEX, TYPES, USER

VERSION = "PostgreSQL 15.0 (Penstock: DuckDB in a workspace)"
_SETTINGS = {
    "server_version": "15.0",
    "server_version_num": "150000",
    "search_path": "public",
    "standard_conforming_strings": "on",
    "default_tablespace": "",
    "max_index_keys": "32",
    "TimeZone": "UTC",
}
_ARRAYS = " ".join(f"WHEN {array} THEN '{display}[]'" for _, _, _, display, _, _, array in TYPES if array)
_FORMAT_TYPE = (
    "CASE WHEN {0} = 1700 AND coalesce({1}, -1) > 3 "
    "THEN 'numeric(' || (({1} - 4) // 65536) || ',' || (({1} - 4) % 65536) || ')' "
    f"ELSE CASE {{0}} {DISPLAYED} {_ARRAYS} END END"
)
_NAMED = {
    **{name: oid for _, oid, *names in TYPES for name in names[:2]},
    **{f"_{name}": array for _, _, name, *_, array in TYPES if array},
}
_TYPE_BY_NAME = "CASE {0} " + " ".join(f"WHEN '{name}' THEN {oid}" for name, oid in _NAMED.items()) + " END"
_NO_TEXT = """shobj_description pg_get_partkeydef pg_get_ruledef pg_get_triggerdef
    pg_get_statisticsobjdef_columns pg_get_statisticsobjdef pg_tablespace_location"""
_EMPTY_TEXT = """pg_get_function_result pg_get_function_arguments pg_get_functiondef pg_get_function_identity_arguments
    pg_advisory_unlock_all pg_get_function_sqlbody"""
_TRUE = """has_table_privilege has_schema_privilege has_database_privilege has_column_privilege has_any_column_privilege
    has_function_privilege has_sequence_privilege has_tablespace_privilege pg_has_role
    pg_type_is_visible pg_function_is_visible pg_statistics_obj_is_visible pg_collation_is_visible
    pg_conversion_is_visible pg_operator_is_visible pg_opclass_is_visible pg_opfamily_is_visible"""
_ZERO = """pg_relation_size pg_total_relation_size pg_database_size pg_table_size pg_tablespace_size pg_indexes_size
    pg_backend_pid pg_my_temp_schema"""
_CONSTANTS = {
    **dict.fromkeys(_NO_TEXT.split(), "NULL::VARCHAR"),
    **dict.fromkeys(_EMPTY_TEXT.split(), "''"),
    **dict.fromkeys(_TRUE.split(), "true"),
    **dict.fromkeys(("pg_is_in_recovery", "pg_relation_is_publishable", "pg_is_other_temp_schema"), "false"),
    **dict.fromkeys(_ZERO.split(), "0"),
    **dict.fromkeys(("pg_get_userbyid", "session_user", "current_user"), USER),
    "current_schemas": "[current_schema(), 'pg_catalog']",
    "pg_encoding_to_char": "'UTF8'",
    "pg_char_to_encoding": "6",
    "getdatabaseencoding": "'UTF8'",
    "version": f"'{VERSION}'",
}
_NAMED_RELATIONS = """(SELECT table_oid AS oid, schema_name, table_name AS name FROM duckdb_tables()
    UNION ALL SELECT view_oid, schema_name, view_name FROM duckdb_views() WHERE NOT internal)"""
_VISIBLE = f"""(NOT EXISTS (SELECT 1 FROM {_NAMED_RELATIONS} WHERE oid = {{0}} AND schema_name <> current_schema()
    AND name IN (SELECT name FROM {_NAMED_RELATIONS} WHERE schema_name = current_schema())))"""
"""Tables of other schemas are, unless the workspace has one with the same name."""
_COMMENT = COMMENT.replace("{", "{{").replace("}", "}}")
_DEFINITIONS = f"""(
    SELECT table_oid * 10000 + constraint_index AS oid, {KEY_INDEX} AS definition, constraint_column_names AS columns
    FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE')
    UNION ALL SELECT index_oid, {CREATED_INDEX}, string_split(trim(expressions, '[]'), ', ')
    FROM duckdb_indexes())"""
_INDEX_DEFINITION = (
    "(SELECT CASE WHEN coalesce({1}, 0) = 0 THEN definition ELSE columns[{1}] END "
    f"FROM {_DEFINITIONS} WHERE oid = {{0}} LIMIT 1)"
)
_TEMPLATES = {
    "_pg_expandarray": "unnest(list_transform(range(1, len({0}) + 1), "
    "number -> {{'x': {0}[number], 'n': number::INTEGER}}))",
    "format_type": _FORMAT_TYPE,
    "to_regtype": _TYPE_BY_NAME,
    "pg_table_is_visible": _VISIBLE,
    "pg_get_expr": "{0}",
    "pg_get_constraintdef": "(SELECT regexp_replace(constraint_text, '^([A-Z ]*[A-Z]) ?[(]', '\\1 (') "
    "FROM duckdb_constraints() WHERE table_oid * 10000 + constraint_index = {0} LIMIT 1)",
    "pg_get_indexdef": _INDEX_DEFINITION,
    "pg_get_serial_sequence": r"(SELECT nullif(regexp_extract(column_default, 'nextval\(''(.*)''\)', 1), '') "
    "FROM duckdb_columns() WHERE database_name = current_database() AND lower(column_name) = lower({1}) "
    "AND lower(replace({0}, chr(34), '')) IN (lower(table_name), lower(schema_name || '.' || table_name)) LIMIT 1)",
    "obj_description": f"(SELECT text FROM (SELECT table_oid AS owner, {_COMMENT} AS text FROM duckdb_tables() "
    f"UNION ALL SELECT view_oid, {_COMMENT} FROM duckdb_views()) WHERE owner = {{0}} LIMIT 1)",
    "col_description": "(SELECT comment FROM duckdb_columns() WHERE table_oid = {0} AND column_index = {1} LIMIT 1)",
    "pg_get_viewdef": "(SELECT sql FROM duckdb_views() "
    "WHERE view_oid = {0} AND schema_name = current_schema() LIMIT 1)",
    "pg_size_pretty": "CAST({0} AS VARCHAR)",
    "quote_ident": "CASE WHEN regexp_full_match({0}, '[a-z_][a-z0-9_$]*') AND {0} NOT IN (SELECT keyword_name "
    "FROM duckdb_keywords() WHERE keyword_category <> 'unreserved') "
    "THEN {0} ELSE '\"' || replace({0}, '\"', '\"\"') || '\"' END",
    "set_config": "{1}",
    "array_upper": "len({0})",
    "array_lower": "1",
    "array_remove": "list_filter({0}, each -> each IS DISTINCT FROM {1})",
}
_OID = """(SELECT oid FROM (
    SELECT table_oid AS oid, schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database()
    UNION ALL SELECT view_oid, schema_name, view_name FROM duckdb_views() WHERE database_name = current_database())
    WHERE replace({0}, '"', '') IN (table_name, schema_name || '.' || table_name,
        current_database() || '.' || schema_name || '.' || table_name)
    ORDER BY schema_name = current_schema() DESC LIMIT 1)"""
_NAME = """coalesce((SELECT table_name FROM duckdb_tables() WHERE table_oid = {0} LIMIT 1),
    (SELECT view_name FROM duckdb_views() WHERE view_oid = {0} LIMIT 1), CAST({0} AS VARCHAR))"""


_CATALOG_OIDS = {
    "pg_class": 1259,
    "pg_type": 1247,
    "pg_proc": 1255,
    "pg_attribute": 1249,
    "pg_namespace": 2615,
    "pg_constraint": 2606,
    "pg_attrdef": 2604,
    "pg_database": 1262,
    "pg_index": 2610,
    "pg_trigger": 2620,
    "pg_language": 2612,
    "pg_extension": 3079,
    "pg_rewrite": 2618,
    "pg_foreign_server": 1417,
    "pg_foreign_data_wrapper": 2328,
    "pg_collation": 3456,
    "pg_tablespace": 1213,
    "pg_authid": 1260,
}
"""Of tables of the catalog, which comments and dependencies name."""
VECTORS = ("indkey", "indoption", "indclass", "indcollation")
"""Columns with numbers of columns, which are counted from zero in PostgreSQL."""
_RENAMED = {"json_build_object": "json_object", "jsonb_build_object": "json_object", "json_agg": "json_group_array"}


def replace_function(name: str, arguments: list[exp.Expr]) -> exp.Expr | None:
    """Return None if it is not one of these."""
    if name in _CONSTANTS:
        return _parse(_CONSTANTS[name])
    if name == "current_setting":
        return exp.Literal.string(_SETTINGS.get(arguments[0].name if arguments else "", ""))
    if name in _RENAMED:
        return exp.Anonymous(this=_RENAMED[name], expressions=[each.copy() for each in arguments])
    if name == "generate_subscripts" and arguments[0].name in VECTORS:
        return _parse(f"generate_subscripts({arguments[0].sql('duckdb')}, 1) - 1")
    if name == "to_regclass":
        return _fill(_OID, arguments)
    return _fill(_TEMPLATES[name], arguments) if name in _TEMPLATES else None


def _to_oid(value: exp.Expr) -> exp.Expr:
    """Return the oid of a literal, a number or the name of a table; of a text that is put together, the name of a
    table."""
    if isinstance(value.unnest(), exp.DPipe | exp.Concat) or value.name == "concat":
        return _fill(_OID, [value])
    if isinstance(value, exp.Literal) and value.name.removeprefix("pg_catalog.") in _CATALOG_OIDS:
        return exp.Literal.number(_CATALOG_OIDS[value.name.removeprefix("pg_catalog.")])
    if isinstance(value, exp.Literal) and value.is_string and not value.name.isdecimal():
        return _fill(_OID, [value])
    return value


def _to_type(value: exp.Expr) -> exp.Expr:
    """The name of a type: of its number, or of another name, with its schema or without."""
    if isinstance(value.unnest(), exp.DPipe | exp.Concat):
        value = _fill(
            _TYPE_BY_NAME, [_fill("regexp_replace(replace({0}, chr(34), ''), '^pg_catalog[.]', '')", [value])]
        )
    return _fill(_FORMAT_TYPE, [value])


def _to_name(value: exp.Expr) -> exp.Expr:
    return value if isinstance(value, exp.Literal) and value.is_string else _fill(_NAME, [value])


_CASTS: dict[str, Callable[[exp.Expr], exp.Expr]] = {
    "regclass": _to_oid,
    "regtype": _to_type,
    **dict.fromkeys(
        ("name", "char", "text", "regproc", "regnamespace", "regrole"), lambda value: _as(value, "VARCHAR")
    ),
    **dict.fromkeys(("oid", "xid", "int4", "int8"), lambda value: _as(value, "BIGINT")),
    **dict.fromkeys(("int2vector", "oidvector"), lambda value: value),
}


def replace_cast(kind: str, value: exp.Expr) -> exp.Expr | None:
    """Return None if the database has the type itself."""
    convert = _CASTS.get(kind)
    return convert(value) if convert else None


def regclass_as_text(value: exp.Expr) -> exp.Expr:
    return _to_name(value)


def _as(value: exp.Expr, kind: str) -> exp.Expr:
    return exp.cast(value, kind, dialect="duckdb")


def _fill(template: str, arguments: list[exp.Expr]) -> exp.Expr:
    texts = [each.sql("duckdb") for each in arguments]
    return _parse(template.format(*texts, *["NULL"] * 3))


def _parse(sql: str) -> exp.Expr:
    return exp.paren(parse_one(sql, read="duckdb"))
