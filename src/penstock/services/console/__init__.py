"""Console: the web pages of a stack, at `/admin` of the connection host.

Owns:       nothing
Uses:       the bundle that `console/build.py` makes of `console/`; the pages call the public APIs of all services
"""
