"""Tables of pg_catalog that clients join or list, and that have no rows here."""

from __future__ import annotations

_COLUMNS = {
    "pg_aggregate": "aggfnoid aggkind",
    "pg_auth_members": "roleid member grantor admin_option?",
    "pg_cast": "oid castsource casttarget castfunc castcontext: castmethod:",
    "pg_collation": "oid collname: collnamespace collowner collprovider: collisdeterministic? collencoding "
    "collcollate: collctype: colliculocale: collversion:",
    "pg_conversion": "oid conname: connamespace conowner conforencoding contoencoding conproc condefault?",
    "pg_db_role_setting": "setdatabase setrole setconfig*",
    "pg_default_acl": "oid defaclrole defaclnamespace defaclobjtype: defaclacl*",
    "pg_enum": "oid enumtypid enumsortorder enumlabel:",
    "pg_event_trigger": "oid evtname: evtevent: evtowner evtfoid evtenabled: evttags*",
    "pg_extension": "oid extname: extowner extnamespace extrelocatable? extversion: extconfig: extcondition:",
    "pg_foreign_data_wrapper": "oid fdwname: fdwowner fdwhandler fdwvalidator fdwacl: fdwoptions:",
    "pg_foreign_server": "oid srvname: srvowner srvfdw srvtype: srvversion: srvacl: srvoptions:",
    "pg_foreign_table": "ftrelid ftserver ftoptions:",
    "pg_inherits": "inhrelid inhparent inhseqno inhdetachpending?",
    "pg_language": "oid lanname: lanowner lanispl? lanpltrusted? lanplcallfoid laninline lanvalidator lanacl:",
    "pg_largeobject_metadata": "oid lomowner lomacl*",
    "pg_locks": "locktype: database relation pid mode: granted? transactionid virtualxid: virtualtransaction:",
    "pg_matviews": "schemaname: matviewname: matviewowner: tablespace: hasindexes? ispopulated? definition:",
    "pg_opclass": "oid opcmethod opcname: opcnamespace opcowner opcfamily opcintype opcdefault? opckeytype",
    "pg_operator": "oid oprname: oprnamespace oprowner oprkind: oprleft oprright oprresult oprcode oprcom oprnegate",
    "pg_opfamily": "oid opfmethod opfname: opfnamespace opfowner",
    "pg_amop": "oid amopfamily amoplefttype amoprighttype amopstrategy amoppurpose: amopopr amopmethod amopsortfamily",
    "pg_amproc": "oid amprocfamily amproclefttype amprocrighttype amprocnum amproc",
    "pg_partitioned_table": "partrelid partstrat: partnatts partdefid partattrs* partclass* partcollation* partexprs:",
    "pg_policy": "oid polname: polrelid polcmd: polpermissive? polroles* polqual: polwithcheck:",
    "pg_policies": "schemaname: tablename: policyname: permissive: roles: cmd: qual: with_check:",
    "pg_proc": "oid proname: pronamespace proowner prolang procost prorows provariadic prosupport prokind: prosecdef? "
    "proleakproof? proisstrict? proretset? provolatile: proparallel: pronargs pronargdefaults prorettype proargtypes* "
    "proallargtypes* proargmodes: proargnames: proargdefaults: protrftypes* prosrc: probin: prosqlbody: proconfig: "
    "proacl: proisagg? proiswindow?",
    "pg_publication": "oid pubname: pubowner puballtables? pubinsert? pubupdate? pubdelete? pubtruncate? pubviaroot?",
    "pg_publication_namespace": "oid pnpubid pnnspid",
    "pg_publication_rel": "oid prpubid prrelid prqual: prattrs*",
    "pg_range": "rngtypid rngsubtype rngmultitypid rngcollation rngsubopc rngcanonical rngsubdiff",
    "pg_rewrite": "oid rulename: ev_class ev_type: ev_enabled: is_instead? ev_qual: ev_action:",
    "pg_seclabel": "objoid classoid objsubid provider: label:",
    "pg_shadow": "usename: usesysid",
    "pg_shdepend": "dbid classid objid objsubid refclassid refobjid deptype:",
    "pg_shdescription": "objoid classoid description:",
    "pg_stat_activity": "datid datname: pid usesysid usename: application_name: state: query: backend_start: "
    "query_start: xact_start: client_addr: wait_event_type: wait_event: backend_type:",
    "pg_stat_user_tables": "relid schemaname: relname: n_live_tup n_dead_tup seq_scan idx_scan",
    "pg_statistic_ext": "oid stxrelid stxname: stxnamespace stxowner stxstattarget stxkeys* stxkind* stxexprs:",
    "pg_subscription": "oid subdbid subname: subowner subenabled? subpublications* subbinary? substream? "
    "subsynccommit: subconninfo: subtwophasestate: subdisableonerr?",
    "pg_trigger": "oid tgrelid tgparentid tgname: tgfoid tgtype tgenabled: tgisinternal? tgconstrrelid tgconstrindid "
    "tgconstraint tgdeferrable? tginitdeferred? tgnargs tgattr* tgargs: tgqual: tgoldtable: tgnewtable:",
    "pg_ts_config": "oid cfgname: cfgnamespace cfgowner cfgparser",
    "pg_user_mappings": "umid srvid srvname: umuser usename: umoptions*",
    "pg_user_mapping": "oid umuser umserver umoptions:",
}
_TYPES = {":": "VARCHAR", "?": "BOOLEAN", "*": "BIGINT[]"}


def _to_query(columns: str) -> str:
    """`name` is a number, `name:` a text, `name?` a boolean and `name*` a list of numbers."""
    parts = [(each.rstrip(":?*"), _TYPES.get(each[-1], "BIGINT")) for each in columns.split()]
    parts.append(("tableoid", "BIGINT"))
    return f"SELECT {', '.join(f'NULL::{kind} AS {name}' for name, kind in parts)} WHERE false"


EMPTY_TABLES = {name: _to_query(columns) for name, columns in _COLUMNS.items()}
