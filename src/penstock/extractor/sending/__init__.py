"""How requests go out: built, addressed, paced, retried, redirected, cached.

exchange.py   one message there and one response back; trip.py is what that took
message.py    from what a job asks for to the message that is sent
url.py        its address, and the parameters in it
headers.py    its headers
query.py      its query, for those who rewrite it
hosts.py      which hosts may be called at all
redirects.py  where a redirect leads, and what may go there
retry.py      when a failed request is sent again
rate.py       how many requests go out in how many seconds
cache.py      answers kept on disk
failures.py   what is said when all of it did not help
gate.py       the way out, with certificates and tunnel
tls.py        certificates of one's own
tunnel.py     the way through an SSH server, which ssh_server.py describes and ssh.py connects to
"""
