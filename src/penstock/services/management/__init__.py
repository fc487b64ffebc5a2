"""Management: the projects of a stack, and the features that are on in them.

Owns:       management_projects
Uses:       nothing
"""
