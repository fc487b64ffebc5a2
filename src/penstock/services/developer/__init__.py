"""Developer: the components of a stack, those that ship with it, those that were added from a folder, and the registry
of those that developers publish.

Owns:       developer_components, developer_vendors, developer_apps, developer_versions, developer_archives,
            developer_accounts, developer_members, developer_logins, developer_sign_ups, developer_invitations,
            developer_join_requests, developer_icons, developer_image_blobs, developer_image_manifests,
            developer_image_tags, developer_image_uploads, and the folders `archives` and `images`
Uses:       management (users, and how they sign in)
Publishes:  developer.signUpRequested, developer.vendorInvitationCreated
"""
