"""Storage: tokens, configurations, buckets, tables and events of a project.

Owns:       storage_branches, storage_tokens, storage_configurations, storage_buckets, storage_tables, storage_events,
            and the lake
Uses:       management (projects), the catalogue of components
"""
