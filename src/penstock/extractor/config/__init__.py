"""The configuration: read from the file, and validated before anything is sent.

document.py        the file on disk
effective.py       the whole configuration, typed, once per iteration
api.py             the `api` section
jobs.py            the jobs
upserts.py         their primary keys, and whether rows are added
endpoints.py       warns about placeholders without a value
empty_response.py  what to do about a response without a body
hosts.py           which hosts may be called, and which get the credentials
"""
