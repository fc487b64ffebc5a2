"""A stack over HTTP, with the official client where it has a word for it: `python -m tests.benchmarks.stack`.

work.py       previews, many tables, many loads
imports.py    imports, upserts, exports; sink.py is a server for the same client that stores nothing
requests.py   requests a second, for one that every client sends first
"""
