"""What the runtime and services hand to each other, as plain structs; imports nothing of ours.

tables.py   a file that is loaded into a table, and the table afterwards
files.py    a file that is stored
"""
