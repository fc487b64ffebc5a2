"""What Queue receives, keeps and returns.

jobs.py        a job as it is kept
statuses.py    which status follows which
requests.py    what clients ask for
searching.py   what clients look for
progress.py    how far a job has come
results.py     how a job ended
views.py       a job as clients see it
"""
