"""`make bench`: what we promise, measured as ratios in one run.

extractor/   pages of an API into tables, beside limit programs and peers
lake/        loads, upserts, exports and previews of tables, beside the same by hand
stack/       the same over HTTP, with the official client
queue/       how soon a job begins and ends, and how many there may be
crowd/       many projects beside a hostile one; takes ten minutes, so only when it is named
record.py    the tables into docs/, with date and machine
"""
