"""Login: how people prove who they are, and the tokens that they get for it.

passwords.py         rules, and what is stored of a password
attempts.py          failed attempts, counted per user and per network
known_browsers.py    browsers in which a user has signed in before
second_factor.py     codes of an authenticator app, and recovery codes
signing_in.py        a password, and then perhaps a code
tokens.py            access and refresh tokens, sessions of browsers, and whom they identify
personal_tokens.py   tokens that people make for their programs
authorizing.py       PKCE: a program gets tokens through the browser
devices.py           the same for a program on a machine without one
links.py             links that work once: the first administrator, forgotten passwords
resets.py            e-mails with such a link
people.py            who is signed in, and the projects of a user
other_services.py    sign-ins at services with tokens of another kind
oauth/               programs that register themselves, such as clients of MCP
single_sign_on/      the same with an OpenID Connect provider
pages.py             what a browser shows
routes/  store/      HTTP and SQL

Secrets are stored as hashes, those of authenticator apps encrypted. Whatever changes access is in the audit log.

Owns:       management_access_tokens, management_login_attempts, management_login_clients, management_login_codes; they
            are made by steps of Management, whose name they keep
Uses:       management (users, members, invitations), for which service.py has what Management needs of this one
"""
