"""The configuration: from the file on disk to what a run does, checked before anything is sent.

document.py        the file as it stands on disk
effective.py       the whole of it, typed, once per iteration
api.py             the `api` section
jobs.py            the jobs
endpoints.py       placeholders that nothing fills
empty_response.py  what becomes of a response without a body
hosts.py           which hosts may be called, and which get the credentials
"""
