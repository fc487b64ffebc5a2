"""How requests go out: built, addressed, paced, retried, redirected, cached.

exchange.py   sends one message and receives its response; attempt.py counts what that took
message.py    from the request of a job to the message that is sent, and its headers
url.py        its URL, and the parameters in it
query.py      its query, for authentication methods that rewrite it
hosts.py      which hosts may be called at all
redirects.py  where a redirect leads, and what may go there
retry.py      when a failed request is sent again
rate.py       how many requests are sent in how many seconds
cache.py      responses cached on disk
failures.py   the error messages of failed requests
tls.py        custom certificates
tunnel.py     opens the outbound gate, through an SSH server, which ssh_server.py describes and ssh.py connects to
"""
