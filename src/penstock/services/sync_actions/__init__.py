"""Sync actions: runs a short action of a component, and responds with its result. Its host is `sync-actions`.

Owns:       the folder actions/ of the stack
Uses:       storage (tokens, branches, components), queue (how a component is prepared and started), developer
            (components), billing

models.py    what is asked for
operations.py   which actions there are, and variables without an action
running.py   one action: its process, from the configuration to the result
results.py   the output and the exit of a process, as a response or an error
slots.py     how many run at a time
"""
