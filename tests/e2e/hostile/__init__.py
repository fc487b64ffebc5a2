"""The extractor against a hostile API: twenty classes of faults, six pagination methods, five seeds.

Every run must end with the table of its data, byte for byte, or with a named error: never with another table, with a
traceback, or not at all. `make test-faults` runs the 600 scenarios; docs/reliability.md says what holds.

    pytest tests/e2e/hostile -k H5-cursor-3     one scenario, by class, method and seed
    HOSTILE_SEEDS=170 make test-faults          20,400 of them

    faults/        one file per class: what the API does wrong, in which variants, and what must come of it
    scenario.py    the words: scenario, variant, outcome
    scenarios.py   how a seed becomes a scenario
    model.py       the data, and the table that it has to become
    paging.py      the pagination methods, as the API speaks them
    exchange.py    one request, and the ways to answer it
    server.py      the API: a bare socket
    outcomes.py    outcomes that are not simply a table or an error
    runs.py        a scenario's configuration, and its judge
"""
