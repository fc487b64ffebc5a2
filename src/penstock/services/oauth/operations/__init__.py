"""What the broker does.

consumers.py       the applications of the stack
applications.py    the application that a user authorizes: the stack's, or a custom one
authorizing.py     from the form to the provider, and back with a credential
providers.py       requests to providers
responses.py       what providers return: texts, and when their tokens expire
credentials.py     stored credentials: add, find, list, remove
refreshing.py      access tokens that expire
journal.py         refreshed tokens that are not committed yet
injection.py       credentials for configurations that are run
sealing.py         secrets of consumers and credentials
auditing.py        what the audit log says of both
"""
