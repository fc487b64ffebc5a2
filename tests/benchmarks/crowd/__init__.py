"""Many projects beside a hostile one: what the others wait for, with it and without it.

crowd.py    a stack, its projects and their clients, and one noisy pattern after another
phases.py   what was measured during each pattern, and the table of it

The clients and the patterns are those of `tests/e2e/soak`.
"""
