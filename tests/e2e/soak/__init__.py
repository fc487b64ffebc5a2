"""Fifty clients on four projects, one of them hostile: what the other three notice of it.

honest.py and hostile.py are programs of their own, so that clients of one project do not slow those of another down;
test_soak.py starts them beside a whole stack, and compares what was acknowledged with what is there in the end.
`PENSTOCK_SOAK_SECONDS` says how long; `make soak` takes five minutes.

noise.py has the noisy patterns one at a time, for test_crowd.py and for `make bench WHAT=crowd`.
"""
