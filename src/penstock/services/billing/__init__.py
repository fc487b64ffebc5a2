"""Billing: a ledger of what jobs, queries and workspaces used, what that costs, and the balance of a project.

Owns:       billing_entries, billing_days, billing_accounts
Uses:       management (projects, their features and credits), developer (components), storage (tokens)

models.py      entries, balances and durations
prices.py      the price of what was used
charging.py    writes an entry, and adds it to the totals
operations.py  balances, reported durations, and who may start jobs
usage.py       what was used, grouped by day, component and configuration
"""
