"""Importer: one request that uploads rows into a table, or a file into Storage. Its host is `import`.

Owns:       nothing
Uses:       storage (tokens, branches, files, imports of tables)
"""
