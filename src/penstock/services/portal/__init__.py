"""Portal: the index of a stack's services and their specifications, for programs and for people.

Owns:       nothing
Uses:       the route tables of all services
"""
