"""The rows that need no token: what each costs, and what limits it.

`python -m tests.public_surface` measures them, and writes `tests/data/public_costs.json` and the table of
`docs/security.md`.
"""
