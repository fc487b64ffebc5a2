"""`keboola.orchestrator`: phases that depend on other phases.

document.py   its configuration, and what may begin when some phases have ended
flow.py       the job of the flow: a child for each phase
phases.py     the job of a phase: a child for each task
"""
