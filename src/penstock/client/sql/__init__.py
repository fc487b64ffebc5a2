"""SQL over the tables of a project: `client.sql("SELECT …").to_arrow()`.

workspace.py   the workspace of the project in which these statements run
queries.py     submits statements to the service `query`, and waits for them
result.py      the rows of a statement
models.py      responses of the services, as far as they are read here
"""

from penstock.client.sql.queries import Queries, QueryFailed
from penstock.client.sql.result import SqlResult

__all__ = ["Queries", "QueryFailed", "SqlResult"]
