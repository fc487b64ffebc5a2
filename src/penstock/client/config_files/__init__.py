"""The configurations of a project as files, for git.

versions.json                        what was last pulled or pushed
COMPONENT/CONFIGURATION/meta.json    name, description, order of its rows
COMPONENT/CONFIGURATION/config.json  the document; secrets stay encrypted
COMPONENT/CONFIGURATION/scripts/     the code of a transformation
COMPONENT/CONFIGURATION/rows/ROW/    the same files for each row
"""

from __future__ import annotations

from penstock.client.config_files.content import Content, Key
from penstock.client.config_files.diff import diff_lines
from penstock.client.config_files.folder import Folder
from penstock.client.config_files.plan import Change, Remote, plan_pull, plan_push
from penstock.client.config_files.sync import apply_pull, apply_push, read_remote

__all__ = [
    "Change",
    "Content",
    "Folder",
    "Key",
    "Remote",
    "apply_pull",
    "apply_push",
    "diff_lines",
    "plan_pull",
    "plan_push",
    "read_remote",
]
