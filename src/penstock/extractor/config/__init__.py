"""The configuration: read from the file, and validated before anything is sent.

document.py        the file on disk
effective.py       the whole configuration, typed, once per iteration
api.py             the `api` section
jobs.py            the jobs, their primary keys, and whether rows are added
full_loads.py      warns of jobs that ask for what is new and replace their table
endpoints.py       which hosts may be called, which get the credentials, and placeholders without a value
policies.py        what to do about a response without a body, and about a run that looks incomplete
"""
