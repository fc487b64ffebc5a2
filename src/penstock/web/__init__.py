"""HTTP, for every service.

From the socket to the service:
entrance.py       for every request: slow bodies are cut off, responses are not sniffed
slow_bodies.py    bodies that arrive too slowly
hosts.py          which service a request is for, by host name or by path
addresses.py      the addresses of services, in the form in which the request came

From the service to the handler:
service.py        what a service is: routes, authentication, workers, reactions, maintenance, migrations
application.py    a service as an ASGI application
routing.py        the rows of a route table
signatures.py     what the signature of a handler asks for
auth/             from a request to its caller, by the authentication scheme of the service
pipeline.py       one request, from the matched row to the response
bodies.py         reads and decodes bodies
multipart.py      `multipart/form-data`
arguments.py      the arguments of a handler: path, query, body
requests.py       what a handler gets first, and what it may return instead of a model
idempotency.py    requests with an `Idempotency-Key`

Responses:
errors.py         errors as responses, in the form of the service
streaming.py      bodies too large for memory
ranges.py         parts of a body
compression.py    public documents, compressed once
health.py         health checks
listing.py        a service in the index and in the portal
openapi.py        its OpenAPI document
"""
