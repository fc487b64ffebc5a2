"""Sample: a small API of somebody else's, that ships with the stack, so that a first job works offline.

Owns:       nothing
Uses:       nothing
"""
