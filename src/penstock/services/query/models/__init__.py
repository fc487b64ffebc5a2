"""What Query receives, stores and returns.

statuses.py   of jobs and statements
requests.py   bodies and queries of requests
rows.py       jobs and statements as stored
views.py      jobs, statements and results as returned
"""
