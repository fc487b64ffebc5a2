"""Query: runs SQL statements in a workspace, and returns their results in pages and files.

Owns:       query_jobs, query_statements
Uses:       storage (workspaces, the tables that a caller may read), billing, and the SQL engine of a workspace

routes.py      the API
operations/    submit, read and cancel jobs
store.py       its tables
execution/     the threads that run jobs, fair between projects
"""
