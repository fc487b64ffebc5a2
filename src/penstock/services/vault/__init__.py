"""Vault: named values that any configuration of a project may use as `{{ vault.name }}`.

Owns:       vault_variables
Uses:       encryption (bindings of ciphers)
Reacts to:  storage.branchDeleted
"""
