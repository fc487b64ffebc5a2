"""An open stack: one data folder, with everything that is kept in it, where its metadata is and which key it needs."""

from penstock.foundation.stack.stack import Stack, open_stack, read_format

__all__ = ["Stack", "open_stack", "read_format"]
