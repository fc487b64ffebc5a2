"""What a run that is killed leaves behind, and what the next one makes of it: the same, byte for byte.

site.py       the records of an API, and its pages by every method
server.py     that API on loopback: counts what it is asked, and pulls a trigger at a moment of one's choice
scenario.py   a configuration, and how its run is disturbed, from a seed
attempt.py    what is killed: the command with a clock of its own
nursery.py    where attempts are born: real processes, quickly
steps.py      every step by which a run writes to disk, counted, and one of them its last
runs.py       runs attempts, and compares what they leave
journals.py   what a power cut does to files
"""
