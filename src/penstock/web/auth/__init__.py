"""Authentication: how requests of a service prove who sends them. A service names one scheme.

scheme.py          what a scheme is
identification.py  from a request to its caller, cached
storage_token.py   a Storage token in the header X-StorageApi-Token, or in Authorization
manage_token.py    a token of the Manage API in the header X-KBC-ManageApiToken
developer_token.py a JWT of the developer portal, `Authorization: JWT` without a word before it
bearer.py          `Authorization: Bearer …`
person.py          a signed-in person: `Authorization: Bearer …`, or a cookie of a browser
path_secret.py     a secret in the path
session.py         a cookie of a browser
none.py            no credentials: for services whose rows are all public

To add a scheme, add its file. The service that issues the credentials passes the function that finds their caller, and
counts a change of CALLERS whenever a credential may do less (ids.count_change).
"""
