"""COPY over the connection: rows of a query to the client, and rows of the client into a table.

statement.py    the text of a COPY
sending.py      TO STDOUT
receiving.py    FROM STDIN
lines.py        rows as lines of text
"""
