"""Tables of information_schema, with types, defaults and privileges in the words of PostgreSQL."""

from __future__ import annotations

from penstock.sql.postgresql.tables import (
    ARRAY_LIST,
    DEFAULT,
    DISPLAYED,
    GRANTED,
    IS_IDENTITY,
    KEY_NAME,
    OWN,
    TYPE_OID,
    TYPES,
    USER,
)

_NAMES = " ".join(
    [f"WHEN {oid} THEN '{name}'" for _, oid, name, *_ in TYPES]
    + [f"WHEN {array} THEN '_{name}'" for _, _, name, *_, array in TYPES if array]
)
_UDT_NAME = f"(CASE {TYPE_OID} {_NAMES} END)"
_DATA_TYPE = f"(CASE WHEN {TYPE_OID} IN {ARRAY_LIST} THEN 'ARRAY' ELSE CASE {TYPE_OID} {DISPLAYED} END END)"
_SIZES = ((21, 16), (23, 32), (20, 64), (700, 24), (701, 53))
_PRECISION = (
    f"(CASE {TYPE_OID} {' '.join(f'WHEN {oid} THEN {bits}' for oid, bits in _SIZES)} "
    "WHEN 1700 THEN numeric_precision END)::INTEGER"
)
_SCALE = f"(CASE WHEN {TYPE_OID} IN (20, 21, 23) THEN 0 WHEN {TYPE_OID} = 1700 THEN numeric_scale END)::INTEGER"
_RADIX = f"(CASE WHEN {TYPE_OID} IN (20, 21, 23, 700, 701) THEN 2 WHEN {TYPE_OID} = 1700 THEN 10 END)::INTEGER"
_TIME = f"(CASE WHEN {TYPE_OID} = 1082 THEN 0 WHEN {TYPE_OID} IN (1083, 1114, 1184, 1186, 1266) THEN 6 END)::INTEGER"
_CATALOG = "current_database()"
_NO_TEXT = "NULL::VARCHAR"
_KEYS = f"""
    SELECT schema_name, table_name, {KEY_NAME} AS constraint_name, constraint_type, constraint_column_names,
        referenced_table, referenced_column_names, table_oid, constraint_text FROM duckdb_constraints()
    WHERE {OWN} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')"""
_PRIVILEGES = ("INSERT", "SELECT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
_ALL = ", ".join(f"'{each}'" for each in _PRIVILEGES)
_LETTERS = ", ".join(f"('{name}', '{letter}')" for name, letter in zip(_PRIVILEGES, "arwdDxt", strict=True))
_RELATIONS = f"""
    SELECT schema_name, table_name, comment FROM duckdb_tables() WHERE {OWN}
    UNION ALL SELECT schema_name, view_name, comment FROM duckdb_views() WHERE {OWN} AND NOT internal"""
_GRANTS = f"""
    SELECT {USER} AS grantor, {USER} AS grantee, {_CATALOG} AS table_catalog, schema_name AS table_schema, table_name,
        unnest([{_ALL}]) AS privilege_type, 'YES' AS is_grantable, 'NO' AS with_hierarchy FROM ({_RELATIONS})
    UNION ALL
    SELECT {USER}, CASE role WHEN '' THEN 'PUBLIC' ELSE role END, {_CATALOG}, schema_name, table_name, privilege,
        CASE WHEN contains(letters, letter || '*') THEN 'YES' ELSE 'NO' END,
        CASE privilege WHEN 'SELECT' THEN 'YES' ELSE 'NO' END
    FROM (SELECT schema_name, table_name, pair[1] AS role, pair[2] AS letters
        FROM (SELECT schema_name, table_name, unnest({GRANTED}) AS pair FROM ({_RELATIONS})))
    JOIN (VALUES {_LETTERS}) AS known(privilege, letter) ON contains(letters, letter)"""

_WITH_ROWS = {
    "information_schema_catalog_name": f"SELECT {_CATALOG} AS catalog_name",
    "schemata": f"""
        SELECT {_CATALOG} AS catalog_name, schema_name, {USER} AS schema_owner,
            {_NO_TEXT} AS default_character_set_catalog, {_NO_TEXT} AS default_character_set_schema,
            {_NO_TEXT} AS default_character_set_name, {_NO_TEXT} AS sql_path
        FROM (SELECT schema_name FROM duckdb_schemas() WHERE {OWN} AND NOT internal
            UNION ALL VALUES ('pg_catalog'), ('information_schema'))""",
    "tables": f"""
        SELECT {_CATALOG} AS table_catalog, table_schema, table_name, table_type,
            {_NO_TEXT} AS self_referencing_column_name, {_NO_TEXT} AS reference_generation,
            {_NO_TEXT} AS user_defined_type_catalog, {_NO_TEXT} AS user_defined_type_schema,
            {_NO_TEXT} AS user_defined_type_name, CASE table_type WHEN 'VIEW' THEN 'NO' ELSE 'YES' END
            AS is_insertable_into, 'NO' AS is_typed, {_NO_TEXT} AS commit_action
        FROM (SELECT schema_name AS table_schema, table_name, 'BASE TABLE' AS table_type FROM duckdb_tables()
                WHERE {OWN}
            UNION ALL SELECT schema_name, table_name, 'LOCAL TEMPORARY' FROM duckdb_tables()
                WHERE temporary AND NOT internal
            UNION ALL SELECT schema_name, view_name, 'VIEW' FROM duckdb_views() WHERE {OWN} AND NOT internal)""",
    "columns": f"""
        SELECT {_CATALOG} AS table_catalog, schema_name AS table_schema, table_name, column_name,
            column_index AS ordinal_position, CASE WHEN {IS_IDENTITY} THEN NULL ELSE {DEFAULT} END AS column_default,
            CASE WHEN is_nullable THEN 'YES' ELSE 'NO' END AS is_nullable, {_DATA_TYPE} AS data_type,
            NULL::INTEGER AS character_maximum_length,
            (CASE WHEN {TYPE_OID} = 25 THEN 1073741824 END)::INTEGER AS character_octet_length,
            {_PRECISION} AS numeric_precision, {_RADIX} AS numeric_precision_radix, {_SCALE} AS numeric_scale,
            {_TIME} AS datetime_precision, {_NO_TEXT} AS interval_type, NULL::INTEGER AS interval_precision,
            {_NO_TEXT} AS character_set_catalog, {_NO_TEXT} AS character_set_schema, {_NO_TEXT} AS character_set_name,
            {_NO_TEXT} AS collation_catalog, {_NO_TEXT} AS collation_schema, {_NO_TEXT} AS collation_name,
            {_NO_TEXT} AS domain_catalog, {_NO_TEXT} AS domain_schema, {_NO_TEXT} AS domain_name,
            {_CATALOG} AS udt_catalog, 'pg_catalog' AS udt_schema, {_UDT_NAME} AS udt_name,
            {_NO_TEXT} AS scope_catalog, {_NO_TEXT} AS scope_schema, {_NO_TEXT} AS scope_name,
            NULL::INTEGER AS maximum_cardinality, column_index::VARCHAR AS dtd_identifier,
            'NO' AS is_self_referencing, CASE WHEN {IS_IDENTITY} THEN 'YES' ELSE 'NO' END AS is_identity,
            CASE WHEN {IS_IDENTITY} THEN 'BY DEFAULT' END AS identity_generation, {_NO_TEXT} AS identity_start,
            {_NO_TEXT} AS identity_increment, {_NO_TEXT} AS identity_maximum, {_NO_TEXT} AS identity_minimum,
            'NO' AS identity_cycle, 'NEVER' AS is_generated, {_NO_TEXT} AS generation_expression,
            CASE WHEN table_name IN (SELECT table_name FROM duckdb_tables()) THEN 'YES' ELSE 'NO' END AS is_updatable
        FROM duckdb_columns() WHERE ({OWN} OR database_name = 'temp') AND NOT internal""",
    "views": f"""
        SELECT {_CATALOG} AS table_catalog, schema_name AS table_schema, view_name AS table_name,
            CASE WHEN schema_name = current_schema() THEN sql END AS view_definition, 'NONE' AS check_option,
            'NO' AS is_updatable, 'NO' AS is_insertable_into, 'NO' AS is_trigger_updatable,
            'NO' AS is_trigger_deletable, 'NO' AS is_trigger_insertable_into
        FROM duckdb_views() WHERE {OWN} AND NOT internal""",
    "table_constraints": f"""
        SELECT {_CATALOG} AS constraint_catalog, schema_name AS constraint_schema, {KEY_NAME} AS constraint_name,
            {_CATALOG} AS table_catalog, schema_name AS table_schema, table_name, constraint_type,
            'NO' AS is_deferrable, 'NO' AS initially_deferred, 'YES' AS enforced,
            CASE constraint_type WHEN 'UNIQUE' THEN 'YES' END AS nulls_distinct
        FROM duckdb_constraints()
        WHERE {OWN} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY', 'CHECK')""",
    "key_column_usage": f"""
        SELECT {_CATALOG} AS constraint_catalog, schema_name AS constraint_schema, constraint_name,
            {_CATALOG} AS table_catalog, schema_name AS table_schema, table_name, unnest(constraint_column_names)
            AS column_name, unnest(range(1, len(constraint_column_names) + 1))::INTEGER AS ordinal_position,
            CASE constraint_type WHEN 'FOREIGN KEY'
                THEN unnest(range(1, len(constraint_column_names) + 1))::INTEGER END AS position_in_unique_constraint
        FROM ({_KEYS})""",
    "constraint_column_usage": f"""
        SELECT {_CATALOG} AS table_catalog, schema_name AS table_schema,
            CASE constraint_type WHEN 'FOREIGN KEY' THEN referenced_table ELSE table_name END AS table_name,
            unnest(CASE constraint_type WHEN 'FOREIGN KEY' THEN referenced_column_names
                ELSE constraint_column_names END) AS column_name,
            {_CATALOG} AS constraint_catalog, schema_name AS constraint_schema, constraint_name
        FROM ({_KEYS})""",
    "referential_constraints": f"""
        SELECT {_CATALOG} AS constraint_catalog, own.schema_name AS constraint_schema, own.constraint_name,
            {_CATALOG} AS unique_constraint_catalog, own.schema_name AS unique_constraint_schema,
            other.constraint_name AS unique_constraint_name, 'NONE' AS match_option, 'NO ACTION' AS update_rule,
            'NO ACTION' AS delete_rule
        FROM ({_KEYS}) AS own JOIN ({_KEYS}) AS other ON other.schema_name = own.schema_name
            AND other.table_name = own.referenced_table AND other.constraint_type IN ('PRIMARY KEY', 'UNIQUE')
            AND other.constraint_column_names = own.referenced_column_names
        WHERE own.constraint_type = 'FOREIGN KEY'""",
    "check_constraints": f"""
        SELECT {_CATALOG} AS constraint_catalog, schema_name AS constraint_schema, constraint_name,
            regexp_replace(constraint_text, '^CHECK', '') AS check_clause
        FROM duckdb_constraints() WHERE {OWN} AND constraint_type = 'CHECK'""",
    "sequences": f"""
        SELECT {_CATALOG} AS sequence_catalog, schema_name AS sequence_schema, sequence_name, 'bigint' AS data_type,
            64 AS numeric_precision, 2 AS numeric_precision_radix, 0 AS numeric_scale,
            start_value::VARCHAR AS start_value, min_value::VARCHAR AS minimum_value,
            max_value::VARCHAR AS maximum_value, increment_by::VARCHAR AS increment,
            CASE WHEN cycle THEN 'YES' ELSE 'NO' END AS cycle_option
        FROM duckdb_sequences() WHERE {OWN}""",
    "role_table_grants": _GRANTS,
    "table_privileges": _GRANTS,
    "enabled_roles": f"SELECT {USER} AS role_name",
    "applicable_roles": "SELECT NULL::VARCHAR AS grantee, NULL::VARCHAR AS role_name, 'NO' AS is_grantable WHERE false",
    "character_sets": f"""
        SELECT {_NO_TEXT} AS character_set_catalog, {_NO_TEXT} AS character_set_schema, 'UTF8' AS character_set_name,
            'UCS' AS character_repertoire, 'UTF8' AS form_of_use, {_CATALOG} AS default_collate_catalog,
            'pg_catalog' AS default_collate_schema, 'C' AS default_collate_name""",
}
_EMPTY = {
    "domains": "domain_catalog domain_schema domain_name data_type domain_default",
    "element_types": "object_catalog object_schema object_name object_type collection_type_identifier data_type "
    "udt_name",
    "parameters": "specific_catalog specific_schema specific_name ordinal_position parameter_mode "
    "parameter_name data_type",
    "routines": "specific_catalog specific_schema specific_name routine_catalog routine_schema routine_name "
    "routine_type data_type type_udt_name routine_body routine_definition external_language "
    "is_deterministic security_type",
    "triggers": "trigger_catalog trigger_schema trigger_name event_manipulation event_object_catalog "
    "event_object_schema event_object_table action_statement action_orientation action_timing",
    "view_table_usage": "view_catalog view_schema view_name table_catalog table_schema table_name",
    "user_defined_types": "user_defined_type_catalog user_defined_type_schema user_defined_type_name",
    "foreign_tables": "foreign_table_catalog foreign_table_schema foreign_table_name foreign_server_name",
    "collations": "collation_catalog collation_schema collation_name pad_attribute",
}
INFORMATION_SCHEMA = _WITH_ROWS | {
    name: f"SELECT {', '.join(f'NULL::VARCHAR AS {each}' for each in columns.split())} WHERE false"
    for name, columns in _EMPTY.items()
}
