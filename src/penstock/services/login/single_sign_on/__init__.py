"""Single sign-on with any OpenID Connect provider, which the operator sets up with `oidc_issuer`.

provider.py    what is asked of the provider, through the outbound gate
id_tokens.py   whether an id token is the provider's, for us, now, and for this sign-in
signing_on.py  the way of a browser to the provider and back
"""
