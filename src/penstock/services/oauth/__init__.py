"""OAuth: authorizes applications at other people's services, and stores the credentials for components.

Owns:       oauth_consumers, oauth_authorizations, oauth_credentials
Uses:       storage (tokens, components, branches), encryption (bindings of ciphers)
Reacts to:  storage.branchDeleted
"""
