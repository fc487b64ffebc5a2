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
TYPE_OID = (
    "(CASE WHEN data_type LIKE 'DECIMAL(%)' THEN 1700 WHEN data_type LIKE 'DECIMAL(%)[]' THEN 1231 "
    + " ".join(f"WHEN data_type = '{name}' THEN {oid}" for name, oid in (_OIDS | _ARRAY_OIDS).items())
    + " ELSE 25 END)::UINTEGER"
)
"""Unsigned, because lists of that are `oid[]` for clients: asyncpg knows no other list before it has asked for it."""
ARRAY_LIST = f"({', '.join(str(array) for *_, array in TYPES if array)})"
_SIZES = " ".join(f"WHEN {oid} THEN {size}" for _, oid, _, _, size, *_ in TYPES if size > 0)
_MODIFIER = "CASE WHEN data_type LIKE 'DECIMAL(%)' THEN numeric_precision * 65536 + numeric_scale + 4 ELSE -1 END"
OWN = "database_name = current_database()"
USER = "('KEBOOLA_' || current_schema())"
DISPLAYED = " ".join(f"WHEN {oid} THEN '{display}'" for _, oid, _, display, *_ in TYPES)
"""Types by their oid, as PostgreSQL writes them."""
DEFAULT = r"""regexp_replace(column_default, 'nextval\(''(.*)''\)', 'nextval(''\1''::regclass)')"""
"""Of a column, with sequences as PostgreSQL writes them."""
IS_IDENTITY = """(column_default LIKE 'nextval(%' AND column_default IN (
    SELECT 'nextval(''"' || schema_name || '"."' || sequence_name || '"'')' FROM duckdb_sequences()
    WHERE comment = 'Owned by a column: identity'))"""
GRANTED = r"""from_json(nullif(regexp_extract(comment, '\[granted\] (\[.*\])$', 1), ''), '[["VARCHAR"]]')"""
"""What GRANT has recorded in the comment of a table: pairs of a role and its privileges."""
COMMENT = r"""nullif(regexp_replace(comment, '\n?\[granted\] \[.*\]$', ''), '')"""
"""The comment of a table without that."""
_ACL = f"""CASE WHEN {GRANTED} IS NULL THEN NULL::VARCHAR[] ELSE list_prepend(
    {USER} || '=arwdDxt/' || {USER},
    list_transform({GRANTED}, each -> each[1] || '=' || each[2] || '/' || {USER})) END"""
_INDEXED = f"""
    SELECT index_oid, index_name, schema_oid, table_oid, is_unique, sql, max(column_count) AS column_count,
        list(coalesce(column_index, 0) ORDER BY number) AS keys
    FROM (SELECT *, unnest(columns) AS key, unnest(range(len(columns))) AS number FROM (
        SELECT *, string_split(trim(expressions, '[]'), ', ') AS columns, len(columns) AS column_count
        FROM duckdb_indexes() WHERE {OWN})) AS parts
    LEFT JOIN (SELECT table_oid AS owner, column_name, column_index FROM duckdb_columns()) AS named
        ON owner = table_oid AND lower(column_name) = lower(trim(key, chr(34) || chr(39)))
    GROUP BY ALL"""
"""Indexes of CREATE INDEX, with the numbers of their columns; 0 is an expression."""
KEY_NAME = """CASE constraint_name
    WHEN table_name || '_' || array_to_string(constraint_column_names, '_') || '_pkey' THEN table_name || '_pkey'
    WHEN table_name || '_' || array_to_string(constraint_column_names, '_') || '_'
        || array_to_string(referenced_column_names, '_') || '_fkey'
    THEN table_name || '_' || array_to_string(constraint_column_names, '_') || '_fkey'
    ELSE constraint_name END"""
"""Of a constraint: names that the database has chosen, as PostgreSQL chooses them."""
_ON = """' ON ' || schema_name || '.' || table_name || ' USING btree """
KEY_INDEX = f"""('CREATE UNIQUE INDEX ' || {KEY_NAME} || {_ON}(' || array_to_string(constraint_column_names, ', ')
    || ')')"""
CREATED_INDEX = f"""('CREATE ' || CASE WHEN is_unique THEN 'UNIQUE ' ELSE '' END || 'INDEX ' || index_name
    || {_ON}' || rtrim(substr(sql, position('(' IN sql)), ';'))"""
"""Statements of indexes, as PostgreSQL shows them."""
_KEY_OID = "(table_oid * 10000 + constraint_index)"
"""Of a constraint, and of its index."""
_REFERENCED_KEY = """(SELECT oid FROM (
    SELECT table_oid * 10000 + constraint_index AS oid, schema_name AS target, table_name AS named,
        constraint_column_names AS keys FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE'))
    WHERE target = schema_name AND named = referenced_table AND keys = referenced_column_names LIMIT 1)"""
"""The index of the key that a foreign key names."""
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
    1259 AS tableoid, 0 AS relrewrite, 0 AS relfrozenxid, 0 AS relminmxid, NULL::VARCHAR[] AS reloptions,
    NULL AS relpartbound"""

TABLES = {
    "pg_namespace": f"""
        SELECT oid, schema_name AS nspname, 10 AS nspowner, NULL AS nspacl, 2615 AS tableoid FROM duckdb_schemas()
        WHERE {OWN} AND NOT internal
        UNION ALL VALUES (11, 'pg_catalog', 10, NULL, 2615), (13, 'information_schema', 10, NULL, 2615)""",
    "pg_class": f"""
        SELECT table_oid AS oid, table_name AS relname, schema_oid AS relnamespace, 'r' AS relkind, 2 AS relam,
            estimated_size::FLOAT AS reltuples, index_count > 0 AS relhasindex, column_count AS relnatts,
            check_constraint_count AS relchecks, {_ACL} AS relacl, {_CLASS}
        FROM duckdb_tables() WHERE {OWN}
        UNION ALL
        SELECT view_oid, view_name, schema_oid, 'v', 0, -1, false, column_count, 0, {_ACL}, {_CLASS}
        FROM duckdb_views() WHERE {OWN} AND NOT internal
        UNION ALL
        SELECT {_KEY_OID}, {KEY_NAME}, schema_oid, 'i', 403, 0, false, len(constraint_column_indexes), 0, NULL,
            {_CLASS}
        FROM duckdb_constraints() WHERE {OWN} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')
        UNION ALL
        SELECT index_oid, index_name, schema_oid, 'i', 403, 0, false, column_count, 0, NULL, {_CLASS} FROM ({_INDEXED})
        UNION ALL
        SELECT sequence_oid, sequence_name, schema_oid, 'S', 0, 1, false, 3, 0, NULL, {_CLASS}
        FROM duckdb_sequences() WHERE {OWN}""",
    "pg_attribute": f"""
        SELECT table_oid AS attrelid, column_name AS attname, {TYPE_OID} AS atttypid, column_index AS attnum,
            {_MODIFIER} AS atttypmod, NOT is_nullable AS attnotnull,
            column_default IS NOT NULL AND NOT {IS_IDENTITY} AS atthasdef,
            CASE {TYPE_OID} {_SIZES} ELSE -1 END AS attlen, ({TYPE_OID} IN {ARRAY_LIST})::INTEGER AS attndims,
            0 AS attstattarget, -1 AS attcacheoff, false AS attbyval, 'i' AS attalign,
            'p' AS attstorage, '' AS attcompression, false AS atthasmissing,
            CASE WHEN {IS_IDENTITY} THEN 'd' ELSE '' END AS attidentity, '' AS attgenerated,
            false AS attisdropped, true AS attislocal, 0 AS attinhcount, 0 AS attcollation, NULL AS attacl,
            NULL::VARCHAR[] AS attoptions, NULL::VARCHAR[] AS attfdwoptions, NULL AS attmissingval
        FROM duckdb_columns() WHERE {OWN} AND NOT internal""",
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
            {DEFAULT} AS adbin, {DEFAULT} AS adsrc
        FROM duckdb_columns()
        WHERE {OWN} AND NOT internal AND column_default IS NOT NULL AND NOT {IS_IDENTITY}""",
    "pg_constraint": f"""
        SELECT {_KEY_OID} AS oid, 2606 AS tableoid, {KEY_NAME} AS conname, schema_oid AS connamespace,
            CASE constraint_type WHEN 'PRIMARY KEY' THEN 'p' WHEN 'UNIQUE' THEN 'u' WHEN 'FOREIGN KEY' THEN 'f'
            ELSE 'c' END AS contype,
            false AS condeferrable, false AS condeferred, true AS convalidated, table_oid AS conrelid,
            0 AS contypid, CASE constraint_type WHEN 'FOREIGN KEY' THEN coalesce({_REFERENCED_KEY}, 0)
                ELSE {_KEY_OID} END AS conindid, 0 AS conparentid,
            coalesce((SELECT oid FROM (SELECT table_oid AS oid, schema_name AS target, table_name AS named
                FROM duckdb_tables()) WHERE target = schema_name AND named = referenced_table LIMIT 1), 0) AS confrelid,
            CASE constraint_type WHEN 'FOREIGN KEY' THEN 'a' ELSE ' ' END AS confupdtype, confupdtype AS confdeltype,
            CASE constraint_type WHEN 'FOREIGN KEY' THEN 's' ELSE ' ' END AS confmatchtype,
            true AS conislocal, 0 AS coninhcount, true AS connoinherit,
            {_KEY_COLUMNS} AS conkey, CASE constraint_type WHEN 'FOREIGN KEY' THEN (
                SELECT list(column_index ORDER BY list_position(referenced_column_names, column_name))
                FROM (SELECT schema_name AS target, table_name AS named, column_name, column_index
                    FROM duckdb_columns()) WHERE target = schema_name AND named = referenced_table
                    AND list_contains(referenced_column_names, column_name)) END AS confkey,
            constraint_text AS conbin, constraint_text AS consrc
        FROM duckdb_constraints()
        WHERE {OWN} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'CHECK', 'FOREIGN KEY')""",
    "pg_index": f"""
        SELECT {_KEY_OID} AS indexrelid, table_oid AS indrelid, len(constraint_column_indexes) AS indnatts,
            len(constraint_column_indexes) AS indnkeyatts, true AS indisunique, false AS indnullsnotdistinct,
            constraint_type = 'PRIMARY KEY' AS indisprimary, false AS indisexclusion, true AS indimmediate,
            false AS indisclustered, true AS indisvalid, false AS indcheckxmin, true AS indisready,
            true AS indislive, false AS indisreplident, {_KEY_COLUMNS} AS indkey,
            {_KEY_ZEROS} AS indcollation, {_KEY_ZEROS} AS indclass, {_KEY_ZEROS} AS indoption,
            NULL::VARCHAR AS indexprs, NULL::VARCHAR AS indpred
        FROM duckdb_constraints() WHERE {OWN} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')
        UNION ALL
        SELECT index_oid, table_oid, column_count, column_count, is_unique, false, false, false, true, false, true,
            false, true, true, false, keys, list_transform(keys, each -> 0), list_transform(keys, each -> 0),
            list_transform(keys, each -> 0), NULL, NULL FROM ({_INDEXED})""",
    "pg_sequence": f"""
        SELECT sequence_oid AS seqrelid, 20 AS seqtypid, start_value AS seqstart, increment_by AS seqincrement,
            max_value AS seqmax, min_value AS seqmin, 1 AS seqcache, cycle AS seqcycle
        FROM duckdb_sequences() WHERE {OWN}""",
    "pg_sequences": f"""
        SELECT schema_name AS schemaname, sequence_name AS sequencename, {USER} AS sequenceowner, 'bigint' AS data_type,
            start_value, min_value, max_value, increment_by, cycle, 1 AS cache_size, last_value
        FROM duckdb_sequences() WHERE {OWN}""",
    "pg_depend": f"""
        SELECT 1259 AS classid, sequence_oid AS objid, 0 AS objsubid, 1259 AS refclassid, table_oid AS refobjid,
            column_index AS refobjsubid, CASE WHEN {IS_IDENTITY} THEN 'i' ELSE 'a' END AS deptype
        FROM duckdb_columns() JOIN (SELECT sequence_oid, comment AS mark, 'nextval(''"' || schema_name || '"."'
            || sequence_name || '"'')' AS used FROM duckdb_sequences() WHERE {OWN}) ON used = column_default
        WHERE {OWN} AND mark LIKE 'Owned by a column%'""",
    "pg_description": f"""
        SELECT table_oid AS objoid, 1259 AS classoid, 0 AS objsubid, {COMMENT} AS description FROM duckdb_tables()
        WHERE {OWN} AND {COMMENT} IS NOT NULL
        UNION ALL SELECT view_oid, 1259, 0, {COMMENT} FROM duckdb_views() WHERE {OWN} AND {COMMENT} IS NOT NULL
        UNION ALL SELECT table_oid, 1259, column_index, comment FROM duckdb_columns()
        WHERE {OWN} AND comment IS NOT NULL""",
    "pg_indexes": f"""
        SELECT schema_name AS schemaname, table_name AS tablename, indexname, NULL::VARCHAR AS tablespace, indexdef
        FROM (SELECT schema_name, table_name, {KEY_NAME} AS indexname, {KEY_INDEX} AS indexdef
            FROM duckdb_constraints() WHERE {OWN} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')
            UNION ALL SELECT schema_name, table_name, index_name, {CREATED_INDEX} FROM duckdb_indexes() WHERE {OWN})""",
    "pg_tables": f"""
        SELECT schema_name AS schemaname, table_name AS tablename, {USER} AS tableowner, NULL::VARCHAR AS tablespace,
            index_count > 0 OR has_primary_key AS hasindexes, false AS hasrules, false AS hastriggers,
            false AS rowsecurity FROM duckdb_tables() WHERE {OWN}""",
    "pg_views": f"""
        SELECT schema_name AS schemaname, view_name AS viewname, {USER} AS viewowner,
            CASE WHEN schema_name = current_schema() THEN sql END AS definition
        FROM duckdb_views() WHERE {OWN} AND NOT internal""",
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
TABLES["current_database"] = "SELECT current_database() AS current_database"
TABLES["current_user"] = f"SELECT {USER} AS current_user"
TABLES["pg_authid"] = TABLES["pg_roles"]
