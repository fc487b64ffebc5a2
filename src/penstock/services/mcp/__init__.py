"""MCP: the tools of agents over streamable HTTP.

Owns:       nothing
Uses:       storage (tokens); every other service over HTTP, with the token of the caller
Publishes:  nothing
"""
