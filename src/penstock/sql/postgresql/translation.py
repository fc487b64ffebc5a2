"""A query with the tables and functions of PostgreSQL's catalog, as a query of the database."""

from __future__ import annotations

import re

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from penstock.sql.postgresql.empty_tables import EMPTY_TABLES
from penstock.sql.postgresql.functions import regclass_as_text, replace_cast, replace_function
from penstock.sql.postgresql.information_schema import INFORMATION_SCHEMA
from penstock.sql.postgresql.names import CURRENT, find_names, fold_aliases, join_vectors, set_names
from penstock.sql.postgresql.spelling import respell, restore_all
from penstock.sql.postgresql.tables import TABLES

MAX_CHARACTERS = 50_000
_DESCRIBE = re.compile(r"\s*describe\s+", re.IGNORECASE)
_PREFIX = "_"
_WITH = re.compile(r"WITH (RECURSIVE )?")
_CATALOGS = ("pg_catalog", "information_schema")
_OIDS = re.compile(r"::\s*(pg_catalog\.)?oid\s*\[\]", re.IGNORECASE)
"""A type that the parser does not know."""
_ALIAS = re.compile(r"(\bas\s+)select(?=\s*,)", re.IGNORECASE)
"""A name that the parser takes for the beginning of a query."""
_TYPE_SCHEMA = re.compile(r"(?<=\bAS )pg_catalog\.")
"""Before the type of a cast."""
_TEXTS = ("text", "name")
_FUNCTIONS: dict[type, str] = {
    exp.CurrentSchema: "current_schema",
    exp.CurrentCatalog: "current_catalog",
    exp.CurrentDatabase: "current_database",
    exp.CurrentUser: "current_user",
    exp.CurrentVersion: "version",
}
_TYPE_NAMES = {exp.DType.NAME: "name", exp.DType.TEXT: "text"}


def translate_catalog(sql: str) -> str:
    """Texts that are not a query, or that name nothing of the catalog, stay as they are."""
    found = _DESCRIBE.match(sql)
    text = sql[found.end() :] if found else sql
    translated = _translate(text)
    return sql if translated is None else f"DESCRIBE {translated}" if found else translated


def _translate(sql: str) -> str | None:
    if len(sql) > MAX_CHARACTERS:
        return None
    text = _OIDS.sub("::bigint[]", sql)
    try:
        trees = parse(_ALIAS.sub(r'\1"select"', text) if _ALIAS.search(text) else text, read="postgres")
    except (SqlglotError, RecursionError):
        return None
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        return None
    return _Translation().run(trees[0])


class _Translation:
    def __init__(self) -> None:
        self._tables: dict[str, str] = {}
        self._has_changed = False

    def run(self, tree: exp.Expr) -> str | None:
        """Translate the tree; return None if there was nothing to change."""
        # What is inside of an expression comes before the expression itself.
        names = find_names(tree)
        for node in list(tree.dfs())[::-1]:
            new = self._find(node)
            if new is not None:
                self._has_changed = True
                node.replace(new)
        if not self._has_changed and "current_schema" not in names:
            return None
        set_names(tree, names)
        fold_aliases(tree)
        join_vectors(tree)
        restore_all(tree)
        text = _TYPE_SCHEMA.sub("", tree.sql("duckdb"))
        if not self._tables:
            return text
        added = ", ".join(f"{name} AS ({query})" for name, query in self._tables.items())
        given = _WITH.match(text)
        return f"WITH {given[1] or ''}{added}, {text[given.end() :]}" if given else f"WITH {added} {text}"

    def _find(self, node: exp.Expr) -> exp.Expr | None:
        match node:
            case exp.Table():
                return self._table(node)
            case exp.Column() if node.db.lower() == "pg_catalog":
                return exp.column(node.this.copy(), node.args["table"].copy())
            case exp.Cast():
                return _cast(node)
            case exp.Dot():
                return _qualified_function(node)
            case exp.Anonymous():
                return replace_function(node.name.lower(), node.expressions)
            case exp.Collate():
                return node.this
            case exp.Operator():
                return _operator(node)
            case _:
                return _current(node) or respell(node)

    def _table(self, node: exp.Table) -> exp.Expr | None:
        name = node.name.lower() if isinstance(node.this, exp.Identifier) else _function_name(node.this)
        if node.db.lower() == "pg_catalog" and isinstance(node.this, exp.Func) and name not in TABLES:
            return exp.Table(this=node.this.copy(), alias=_with_column(node.args.get("alias")))
        query, new = _find_query(node.db.lower(), name)
        if not query:
            return None
        self._tables[new] = query
        alias = node.args.get("alias") or exp.TableAlias(this=exp.to_identifier(name))
        return exp.Table(this=exp.to_identifier(new), alias=alias, joins=node.args.get("joins"))


def _find_query(schema: str, name: str) -> tuple[str | None, str]:
    """Return the query of a table of the catalog, and the name that it gets in the translated query."""
    if schema == "information_schema":
        return INFORMATION_SCHEMA.get(name), f"{_PREFIX}information_{name}"
    query = TABLES.get(name) or EMPTY_TABLES.get(name)
    return query if schema in ("", "pg_catalog") else None, f"{_PREFIX}{name}"


def _with_column(alias: exp.TableAlias | None) -> exp.TableAlias | None:
    """The alias of a function is also the name of its column: `generate_series(1, 3) AS s`."""
    if alias is None or alias.columns:
        return alias
    return exp.TableAlias(this=alias.this.copy(), columns=[alias.this.copy()])


def _function_name(node: exp.Expr | None) -> str:
    """Return the name of a function in the place of a table."""
    return _FUNCTIONS.get(type(node)) or (node.name.lower() if isinstance(node, exp.Anonymous) else "")


def _current(node: exp.Expr) -> exp.Expr | None:
    name = CURRENT.get(type(node))
    return replace_function(name, []) if name else None


def _qualified_function(node: exp.Dot) -> exp.Expr | None:
    """`pg_catalog.format_type(…)`, without the schema."""
    if not isinstance(node.this, exp.Identifier) or node.this.name.lower() not in _CATALOGS:
        return None
    return None if isinstance(node.expression, exp.Identifier) else node.expression


def _operator(node: exp.Operator) -> exp.Expr | None:
    """`OPERATOR(pg_catalog.~)`, as psql writes it."""
    sign = str(node.args["operator"]).rpartition(".")[2]
    if sign.lstrip("!") not in ("~", "~*"):
        return None
    matches = exp.RegexpLike(this=node.this, expression=node.expression)
    return exp.not_(matches) if sign.startswith("!") else matches


def _cast(node: exp.Cast) -> exp.Expr | None:
    value, kind, outer = node.this, _type_name(node), node.parent
    if node.to.this == exp.DType.ARRAY and isinstance(value, exp.Literal) and value.name.startswith("{"):
        return exp.array(*(exp.Literal.string(each) for each in value.name.strip("{}").split(",") if each))
    if kind == "regclass" and isinstance(outer, exp.Cast) and _type_name(outer) in _TEXTS:
        return None
    if kind in _TEXTS and isinstance(value, exp.Cast) and _type_name(value) == "regclass":
        return regclass_as_text(value.this)
    return replace_cast(kind, value)


def _type_name(node: exp.Cast) -> str:
    """Return the name of types that the parser does not know, and of those of the catalog; empty for others."""
    to, kind = node.to, node.to.args.get("kind")
    if isinstance(to, exp.ObjectIdentifier):
        return to.name.lower()
    if to.this == exp.DType.USERDEFINED:
        return (kind.name if isinstance(kind, exp.Expr) else str(kind)).lower()
    return _TYPE_NAMES.get(to.this, "")
