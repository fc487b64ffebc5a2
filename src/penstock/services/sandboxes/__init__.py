"""Sandboxes: data apps, and Python and R workspaces. Its host is `data-science`.

It is in the index since official programs stop without it. There are no apps yet: lists are empty, and what would make
one is refused.

Uses:       storage (tokens)
"""
