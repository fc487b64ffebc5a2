"""AI's operations.

documentation.py   what a component says of itself
retrieval.py       suggestions of components, and passages that answer a question
asking.py          the same, by a model that is given what was retrieved
explaining.py      why a job failed
describing.py      what a configuration does
comparing.py       what differs between two versions, or two branches
templates.py       prompts with a name
feedback.py        what users thought of an answer
"""
