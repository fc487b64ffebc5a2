"""A curl command becomes a job.

shell_words.py  splits the command as a shell does
options.py      the options of the command
command.py      the request: URL, method, headers and body
job.py          the job that sends it
"""
