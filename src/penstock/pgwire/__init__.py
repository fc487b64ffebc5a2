"""The PostgreSQL protocol (version 3) for workspaces: psql, BI tools and drivers run SQL with a workspace's password.

listener.py     accepts connections, within limits, and cancel requests
handshake.py    TLS, the startup message and the password
connection.py   one client: its messages, in order
session.py      how each of them is answered
open_statements.py  what the client has prepared and opened
running.py      its statements, and its transaction
execution.py    one statement, given to the engine of the workspace
descriptions.py the columns of a statement before it is executed
results.py      its rows
cursors.py      rows that are read in parts: DECLARE, FETCH, MOVE, CLOSE
copy/           rows and data of COPY
commands.py     statements that concern the connection and not the engine: SET, SHOW, DEALLOCATE
settings.py     what these know
statements.py   the text of a query: its statements, its parameters
requests.py     messages of clients
responses.py    messages to clients
parameters.py   values of parameters as SQL
types.py        types of the engine as types of PostgreSQL
arrays.py       lists
binary.py       values in binary
binary_parameters.py    and back
errors.py       errors with their SQLSTATE
"""
