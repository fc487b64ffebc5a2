"""Metastore: typed JSON documents with revisions, such as the models, datasets and metrics of a semantic layer.

Owns:       metastore_documents, metastore_revisions
Uses:       management (the organization of a project), storage (tokens, branches)
"""
