"v"
"""green"""
