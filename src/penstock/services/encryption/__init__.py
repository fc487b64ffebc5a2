"""Encryption: turns secrets into ciphers that only the platform can decrypt. Nothing decrypts them for a client.

Owns:       encryption_trusted_hosts, encryption_bindings
Uses:       nothing but the stack's keys
"""
