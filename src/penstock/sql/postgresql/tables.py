"""Tables of pg_catalog with rows, as queries over the catalog of the database.

What clients read to list schemas, tables, columns, types and keys is right; other columns are plausible constants.
"""

from __future__ import annotations

TYPES = (
    # engine, oid, name, display, size, category, array
    ("BOOLEAN", 16, "bool", "boolean", 1, "B", 1000),
    ("BLOB", 17, "bytea", "bytea", -1, "U", 1001),
    ("BIGINT", 20, "int8", "bigint", 8, "N", 1016),
    ("SMALLINT", 21, "int2", "smallint", 2, "N", 1005),
    ("INTEGER", 23, "int4", "integer", 4, "N", 1007),
    ("VARCHAR", 25, "text", "text", -1, "S", 1009),
    ("", 26, "oid", "oid", 4, "N", 1028),
    ("JSON", 114, "json", "json", -1, "U", 199),
    ("FLOAT", 700, "float4", "real", 4, "N", 1021),
    ("DOUBLE", 701, "float8", "double precision", 8, "N", 1022),
    ("", 705, "unknown", "unknown", -2, "X", 0),
    ("", 1042, "bpchar", "character", -1, "S", 1014),
    ("", 1043, "varchar", "character varying", -1, "S", 1015),
    ("", 19, "name", "name", 64, "S", 1003),
    ("DATE", 1082, "date", "date", 4, "D", 1182),
    ("TIME", 1083, "time", "time without time zone", 8, "D", 1183),
    ("TIMESTAMP", 1114, "timestamp", "timestamp without time zone", 8, "D", 1115),
    ("TIMESTAMP WITH TIME ZONE", 1184, "timestamptz", "timestamp with time zone", 8, "D", 1185),
    ("INTERVAL", 1186, "interval", "interval", 16, "T", 1187),
    ("TIME WITH TIME ZONE", 1266, "timetz", "time with time zone", 12, "D", 1270),
    ("", 1700, "numeric", "numeric", -1, "N", 1231),
    ("UUID", 2950, "uuid", "uuid", 16, "U", 2951),
    ("", 3802, "jsonb", "jsonb", -1, "U", 3807),
)
_OTHER_NAMES = {
    "TINYINT": 21,
    "UTINYINT": 21,
    "USMALLINT": 23,
    "UINTEGER": 20,
    "UBIGINT": 1700,
    "HUGEINT": 1700,
    "UHUGEINT": 1700,
    "TIMESTAMP_S": 1114,
    "TIMESTAMP_MS": 1114,
    "TIMESTAMP_NS": 1114,
}
_NO_ARRAYS = ("JSON", "INTERVAL", "TIME WITH TIME ZONE")
"""Types whose lists are text for clients."""
_OIDS = {**{engine: oid for engine, oid, *_ in TYPES if engine}, **_OTHER_NAMES}
_ARRAY_OIDS = {f"{engine}[]": array for engine, *_, array in TYPES if engine and array and engine not in _NO_ARRAYS}
_TYPE_OID = (
    "(CASE WHEN data_type LIKE 'DECIMAL(%)' THEN 1700 WHEN data_type LIKE 'DECIMAL(%)[]' THEN 1231 "
    + " ".join(f"WHEN data_type = '{name}' THEN {oid}" for name, oid in (_OIDS | _ARRAY_OIDS).items())
    + " ELSE 25 END)::UINTEGER"
)
"""Unsigned, because lists of that are `oid[]` for clients: asyncpg knows no other list before it has asked for it."""
_ARRAY_LIST = f"({', '.join(str(array) for *_, array in TYPES if array)})"
_MODIFIER = "CASE WHEN data_type LIKE 'DECIMAL(%)' THEN numeric_precision * 65536 + numeric_scale + 4 ELSE -1 END"
_OWN = "database_name = current_database()"
_KEY_OID = "(table_oid * 10000 + constraint_index)"
"""Of a constraint, and of its index."""
_KEY_COLUMNS = "list_transform(constraint_column_indexes, each -> each + 1)"
_KEY_ZEROS = "list_transform(constraint_column_indexes, each -> 0)"
_TYPE_ROWS = ", ".join(
    f"({oid}, '{name}', {size}, '{category}', {array}, 0)" for _, oid, name, _, size, category, array in TYPES
)
_ARRAY_ROWS = ", ".join(f"({array}, '_{name}', -1, 'A', 0, {oid})" for _, oid, name, *_, array in TYPES if array)
_CLASS = """
    0 AS reltype, 0 AS reloftype, 10 AS relowner, 0 AS relfilenode, 0 AS reltablespace, 0 AS relpages,
    0 AS relallvisible, 0 AS reltoastrelid, false AS relisshared, 'p' AS relpersistence, false AS relhasoids,
    false AS relhasrules, false AS relhastriggers, false AS relhassubclass, false AS relrowsecurity,
    false AS relforcerowsecurity, true AS relispopulated, 'd' AS relreplident, false AS relispartition,
    0 AS relrewrite, 0 AS relfrozenxid, 0 AS relminmxid, NULL AS relacl, NULL::VARCHAR[] AS reloptions,
    NULL AS relpartbound"""

TABLES = {
    "pg_namespace": f"""
        SELECT oid, schema_name AS nspname, 10 AS nspowner, NULL AS nspacl FROM duckdb_schemas()
        WHERE {_OWN} AND NOT internal
        UNION ALL VALUES (11, 'pg_catalog', 10, NULL), (13, 'information_schema', 10, NULL)""",
    "pg_class": f"""
        SELECT table_oid AS oid, table_name AS relname, schema_oid AS relnamespace, 'r' AS relkind, 2 AS relam,
            estimated_size::FLOAT AS reltuples, index_count > 0 AS relhasindex, column_count AS relnatts,
            check_constraint_count AS relchecks, {_CLASS}
        FROM duckdb_tables() WHERE {_OWN}
        UNION ALL
        SELECT view_oid, view_name, schema_oid, 'v', 0, -1, false, column_count, 0, {_CLASS}
        FROM duckdb_views() WHERE {_OWN} AND NOT internal
        UNION ALL
        SELECT {_KEY_OID}, constraint_name, schema_oid, 'i', 403, 0, false, len(constraint_column_indexes), 0, {_CLASS}
        FROM duckdb_constraints() WHERE {_OWN} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')""",
    "pg_attribute": f"""
        SELECT table_oid AS attrelid, column_name AS attname, {_TYPE_OID} AS atttypid, column_index AS attnum,
            {_MODIFIER} AS atttypmod, NOT is_nullable AS attnotnull, column_default IS NOT NULL AS atthasdef,
            -1 AS attlen, ({_TYPE_OID} IN {_ARRAY_LIST})::INTEGER AS attndims,
            0 AS attstattarget, -1 AS attcacheoff, false AS attbyval, 'i' AS attalign,
            'p' AS attstorage, '' AS attcompression, false AS atthasmissing, '' AS attidentity, '' AS attgenerated,
            false AS attisdropped, true AS attislocal, 0 AS attinhcount, 0 AS attcollation, NULL AS attacl,
            NULL::VARCHAR[] AS attoptions, NULL::VARCHAR[] AS attfdwoptions, NULL AS attmissingval
        FROM duckdb_columns() WHERE {_OWN} AND NOT internal""",
    "pg_type": f"""
        SELECT oid, typname, 11 AS typnamespace, 10 AS typowner, typlen, false AS typbyval, 'b' AS typtype,
            typcategory, false AS typispreferred, true AS typisdefined, ',' AS typdelim, 0 AS typrelid,
            '-' AS typsubscript, typelem, typarray, typname || 'in' AS typinput, typname || 'out' AS typoutput,
            '-' AS typreceive, '-' AS typsend, '-' AS typmodin, '-' AS typmodout, '-' AS typanalyze, 'i' AS typalign,
            'p' AS typstorage, false AS typnotnull, 0 AS typbasetype, -1 AS typtypmod, 0 AS typndims,
            0 AS typcollation, NULL AS typdefaultbin, NULL AS typdefault, NULL AS typacl
        FROM (VALUES {_TYPE_ROWS}, {_ARRAY_ROWS})
            AS known(oid, typname, typlen, typcategory, typarray, typelem)""",
    "pg_attrdef": f"""
        SELECT table_oid * 10000 + column_index AS oid, table_oid AS adrelid, column_index AS adnum,
            column_default AS adbin, column_default AS adsrc
        FROM duckdb_columns() WHERE {_OWN} AND NOT internal AND column_default IS NOT NULL""",
    "pg_constraint": f"""
        SELECT {_KEY_OID} AS oid, constraint_name AS conname, schema_oid AS connamespace,
            CASE constraint_type WHEN 'PRIMARY KEY' THEN 'p' WHEN 'UNIQUE' THEN 'u' ELSE 'c' END AS contype,
            false AS condeferrable, false AS condeferred, true AS convalidated, table_oid AS conrelid,
            0 AS contypid, {_KEY_OID} AS conindid, 0 AS conparentid, 0 AS confrelid, ' ' AS confupdtype,
            ' ' AS confdeltype, ' ' AS confmatchtype, true AS conislocal, 0 AS coninhcount, true AS connoinherit,
            {_KEY_COLUMNS} AS conkey, NULL::BIGINT[] AS confkey,
            constraint_text AS conbin, constraint_text AS consrc
        FROM duckdb_constraints() WHERE {_OWN} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'CHECK')""",
    "pg_index": f"""
        SELECT {_KEY_OID} AS indexrelid, table_oid AS indrelid, len(constraint_column_indexes) AS indnatts,
            len(constraint_column_indexes) AS indnkeyatts, true AS indisunique, false AS indnullsnotdistinct,
            constraint_type = 'PRIMARY KEY' AS indisprimary, false AS indisexclusion, true AS indimmediate,
            false AS indisclustered, true AS indisvalid, false AS indcheckxmin, true AS indisready,
            true AS indislive, false AS indisreplident, {_KEY_COLUMNS} AS indkey,
            {_KEY_ZEROS} AS indcollation, {_KEY_ZEROS} AS indclass, {_KEY_ZEROS} AS indoption,
            NULL::VARCHAR AS indexprs, NULL::VARCHAR AS indpred
        FROM duckdb_constraints() WHERE {_OWN} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')""",
    "pg_database": """
        SELECT 1 AS oid, current_database() AS datname, 10 AS datdba, 6 AS encoding, 'c' AS datlocprovider,
            false AS datistemplate, true AS datallowconn, -1 AS datconnlimit, 0 AS datlastsysoid, 0 AS datfrozenxid,
            0 AS datminmxid, 1663 AS dattablespace, 'C' AS datcollate, 'C' AS datctype, NULL AS daticulocale,
            NULL AS datcollversion, NULL AS datacl""",
    "pg_roles": """
        SELECT 10 AS oid, 'KEBOOLA_' || current_schema() AS rolname, false AS rolsuper, true AS rolinherit,
            false AS rolcreaterole, false AS rolcreatedb, true AS rolcanlogin, false AS rolreplication,
            -1 AS rolconnlimit, NULL AS rolpassword, NULL AS rolvaliduntil, false AS rolbypassrls,
            NULL::VARCHAR[] AS rolconfig""",
    "pg_user": """
        SELECT 'KEBOOLA_' || current_schema() AS usename, 10 AS usesysid, false AS usecreatedb, false AS usesuper,
            false AS userepl, false AS usebypassrls, NULL AS passwd, NULL AS valuntil, NULL AS useconfig""",
    "pg_am": """
        SELECT * FROM (VALUES (2, 'heap', '-', 't'), (403, 'btree', '-', 'i'))
            AS known(oid, amname, amhandler, amtype)""",
    "pg_tablespace": """
        SELECT 1663 AS oid, 'pg_default' AS spcname, 10 AS spcowner, NULL AS spcacl, NULL AS spcoptions""",
    "pg_settings": """
        SELECT *, NULL::VARCHAR AS unit, 'Preset Options' AS category, '' AS short_desc, '' AS extra_desc,
            'internal' AS context, 'integer' AS vartype, 'default' AS source, setting AS min_val, setting AS max_val,
            NULL::VARCHAR[] AS enumvals, setting AS boot_val, setting AS reset_val, NULL::VARCHAR AS sourcefile,
            NULL::INTEGER AS sourceline, false AS pending_restart
        FROM (VALUES ('max_identifier_length', '63'), ('max_index_keys', '32'), ('server_version_num', '150000'))
            AS known(name, setting)""",
    "pg_get_keywords": """
        SELECT keyword_name AS word, CASE keyword_category WHEN 'reserved' THEN 'R' ELSE 'U' END AS catcode,
            keyword_category AS catdesc FROM duckdb_keywords()""",
}
TABLES["current_schema"] = "SELECT current_schema() AS current_schema"
TABLES["pg_authid"] = TABLES["pg_roles"]
