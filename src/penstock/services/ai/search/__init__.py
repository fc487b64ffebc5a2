"""Retrieval: texts of components and of the documentation, ranked by how well they match a question."""
