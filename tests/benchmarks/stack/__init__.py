"""A stack over HTTP, with the official client where it has a word for it: `python -m tests.benchmarks.stack`.

work.py       imports, upserts, exports, previews, many tables, many loads
requests.py   requests a second, for one that every client sends first
"""
