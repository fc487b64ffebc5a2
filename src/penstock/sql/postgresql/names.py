"""The names of columns that a query does not name: those that PostgreSQL gives them."""

from __future__ import annotations

from sqlglot import exp

CURRENT: dict[type[exp.Expr], str] = {
    exp.CurrentUser: "current_user",
    exp.SessionUser: "session_user",
    exp.CurrentVersion: "version",
    exp.CurrentSchemas: "current_schemas",
}
"""Functions of the session that become something else."""
_NAMES: dict[type[exp.Expr], str] = {
    **CURRENT,
    exp.CurrentSchema: "current_schema",
    exp.TimeToStr: "to_char",
    exp.StrToDate: "to_date",
    exp.StrToTime: "to_timestamp",
    exp.JSONArrayAgg: "json_agg",
    exp.Format: "format",
    exp.ExplodingGenerateSeries: "generate_series",
    exp.Count: "count",
    exp.Max: "max",
    exp.Min: "min",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Case: "case",
    exp.RegexpILike: "?column?",
}


def find_names(tree: exp.Expr) -> list[str]:
    """Empty for columns that have a name, or keep that of the database."""
    return [_find_name(each) for each in tree.selects] if isinstance(tree, exp.Select) else []


def set_names(tree: exp.Expr, names: list[str]) -> None:
    selects = tree.selects if isinstance(tree, exp.Select) else []
    if len(selects) == len(names):
        new = [exp.alias_(each, name) if name else each for each, name in zip(selects, names, strict=True)]
        tree.set("expressions", new)


def _find_name(node: exp.Expr) -> str:
    node = node.expression if isinstance(node, exp.Dot) else node
    if isinstance(node, exp.Cast):
        return _find_name(node.this)
    if isinstance(node, exp.Anonymous):
        return node.name.lower()
    return _NAMES.get(type(node), "")
