"""Editor: sessions, each of which is a workspace of Storage for interactive SQL, tied to a configuration.

Owns:       editor_sessions
Uses:       storage (workspaces, their loads, configurations), query (runs statements)
Reacts to:  storage.branchDeleted
"""
