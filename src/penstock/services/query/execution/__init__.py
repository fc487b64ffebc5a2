"""Runs query jobs in threads of the server process, so that a query begins as soon as it is submitted.

fair_pool.py   threads for jobs, fair between projects
job_run.py     one job: its statements in order, and how each ended is recorded
executor.py    what a process has of it: starts, cancels, and keeps the leases of its jobs
lost_jobs.py   jobs whose process has ended before them
"""
