"""The queue: how soon a job begins and ends, and how many there may be.

work.py       over HTTP: creation, the first line, rows, termination, takeover
workers.py    a thousand jobs and four worker processes, with nothing to do and with `/bin/true`
ledger.py     what the ledger adds to the end of a job
"""
