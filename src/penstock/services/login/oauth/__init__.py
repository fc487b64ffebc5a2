"""OAuth 2.1 for programs that nobody has set up here, such as clients of MCP: they register themselves, and a person
lets each into one project, to read or also to write.

models.py      what programs send and get
redirects.py   where the browser may be sent back to
clients.py     registration
requests.py    what a program asks for, checked before anybody is asked
consent.py     the page on which a person decides, and what proves that its form was on that page
grants.py      codes, tokens and their end

Tokens are those of ../tokens.py, limited to the project: no others are issued here.
"""
