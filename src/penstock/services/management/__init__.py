"""Management: users, maintainers, organizations and projects, their members, and the features of projects.

Owns:       management_users, management_maintainers, management_organizations, management_projects,
            management_members, management_invitations, management_join_requests, management_metadata,
            management_features, management_credits, management_tokens
Publishes:  management.memberRemoved, management.projectDisabled, management.projectDeleted,
            management.projectRestored, management.projectMoved, management.projectPurged,
            management.invitationCreated, management.passwordResetRequested
Uses:       nothing; what it needs of services above it is in ports.py
"""
