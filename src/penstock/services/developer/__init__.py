"""Developer: the components of a stack, those that ship with it, those that were added from a folder, and the registry
of those that developers publish.

Owns:       developer_components, developer_vendors, developer_apps, developer_versions, developer_archives,
            developer_accounts, developer_members, developer_logins, and the folder `archives`
Uses:       management (users, and how they sign in)
"""
