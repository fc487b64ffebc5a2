"""What outsiders can send to parsers of ours, as bytes of any kind. `tests/support/fuzzing.py` says how."""
