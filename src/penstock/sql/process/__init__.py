"""The engine process of a workspace: DuckDB, locked, on a Unix socket.

    __main__.py     the process
    database.py     the database, and what is locked in it
    server.py       connections and requests, and when the process ends
    requests.py     what each request does
    sessions.py     connections to the database that keep temporary tables, variables and transactions
    running.py      running statements: timeout and cancel
    parsing.py      the dialect, and which statements are allowed
    names.py        the tables that a statement names
    catalog.py      views of project tables, and the rule that only the own schema changes
    execution.py    a statement from its text to its result
    results.py      results as Parquet files, and their pages

It imports little, because the first statement of a workspace waits for its start.
"""
