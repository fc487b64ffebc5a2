"""The steps of Metastore's tables."""
