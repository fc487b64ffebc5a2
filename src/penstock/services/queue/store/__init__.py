"""Queue's SQL.

jobs.py        the table, which is the queue
children.py    the jobs that another is made of
searching.py   what is looked for in it
totals.py      how many jobs ended, by hour
"""
