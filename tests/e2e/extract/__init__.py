"""`penstock extract` as a process, against a real API.

command.py   runs it
conftest.py  an API with one user
"""
