"""Vault: named values that any configuration of a project may use as `{{ vault.name }}`.

Owns:       vault_variables
Uses:       nothing but the stack's key
Reacts to:  storage.branchDeleted
"""
