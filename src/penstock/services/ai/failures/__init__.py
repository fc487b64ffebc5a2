"""Known failures of jobs: the cause, the setting and the fix, from the message that the job ended with.

diagnosis.py   the rows of the tables, and how a message is looked up in them
places.py      the path of a setting in a configuration
api.py         requests that an API did not answer as expected
settings.py    settings of the extractor and the writer
code.py        SQL and Python of transformations
running.py     what a job needs before and after its component runs: tables, files, variables, limits
"""
