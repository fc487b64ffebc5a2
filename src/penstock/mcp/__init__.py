"""The MCP server: tools for agents over the HTTP APIs of a stack, by the Python client and with the caller's own token.

tool.py       what a tool is
tools/        one file per group of tools, and the list of them
access.py     which tools a token may use
paging.py     parts of lists and of long texts
results.py    a result as the protocol has it: bounded, delimited, without secrets
server.py     responds to the requests of an agent
stdio.py      over standard input and output, for `penstock mcp`
http.py       over streamable HTTP, for the service `mcp`

The SDK of the protocol takes over a second to import: only server.py, stdio.py, http.py and results.py need it,
which are imported when a server is started.
"""
