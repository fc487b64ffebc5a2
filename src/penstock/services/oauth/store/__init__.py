"""The tables of the broker."""
