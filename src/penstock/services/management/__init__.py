"""Management: the projects of a stack.

Owns:       management_projects
Uses:       nothing
"""
