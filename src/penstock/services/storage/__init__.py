"""Storage: tokens, configurations, buckets, tables, files and events of a project.

Owns:       storage_branches, storage_tokens, storage_configurations, storage_configuration_versions,
            storage_configuration_rows, storage_configuration_row_versions, storage_buckets, storage_tables,
            storage_snapshots, storage_metadata, storage_jobs, storage_triggers, storage_events, storage_files,
            storage_file_tags, storage_blobs, storage_workspaces, storage_workspace_credentials,
            storage_purges, the lake, the folders of workspaces, and the bytes of files
Uses:       management (projects), developer (components)
Publishes:  storage.branchDeleted, storage.tokenShared
"""
