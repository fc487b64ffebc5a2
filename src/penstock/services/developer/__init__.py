"""Developer: the components of a stack, those that ship with it and those that were added to it.

Owns:       developer_components
Uses:       nothing
"""
