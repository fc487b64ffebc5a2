"""The workspace in which statements of this client run: one per project, with read-only access to its tables.

It belongs to a configuration, so that people see what it is for. It is found again by that, and made when it is
missing.
"""

from __future__ import annotations

from penstock.client.configurations import Configurations
from penstock.client.discovery import ROOT
from penstock.client.errors import AccessDenied, NotThere, RequestRefused
from penstock.client.sql.models import Branch, Workspace
from penstock.client.transport import Transport
from penstock.foundation.structs import Wire

COMPONENT, CONFIGURATION, NAME = "keboola.sandboxes", "penstock-sql", "Penstock SQL"
DESCRIPTION = (
    "The workspace of `penstock sql` and of client.sql(). It may be deleted: it is created again when it is needed."
)
_WISH = {"backend": "snowflake", "loginType": "none", "readOnlyStorageAccess": True}


class Place(Wire, frozen=True):
    """Where statements are sent to."""

    branch_id: int
    workspace_id: int

    @property
    def path(self) -> str:
        return f"/branches/{self.branch_id}/workspaces/{self.workspace_id}/queries"


class Workspaces:
    def __init__(self, storage_url: str, transport: Transport) -> None:
        self._root, self._transport = f"{storage_url}{ROOT}", transport
        self._configurations = Configurations(storage_url, transport)
        self._of_configuration = f"{self._root}/components/{COMPONENT}/configs/{CONFIGURATION}/workspaces"

    def find_or_create(self) -> Place:
        branches = self._transport.get(f"{self._root}/dev-branches", list[Branch])
        branch = next(each for each in branches if each.is_default)
        return Place(branch_id=branch.id, workspace_id=self._find_or_create().id)

    def _find_or_create(self) -> Workspace:
        try:
            return self._find_or_create_shared()
        except AccessDenied:
            # A token that may not use the component, or a member who may only read, has its own workspace.
            own = f"{self._root}/workspaces"
            return self._find(own) or self._create(own)

    def _find_or_create_shared(self) -> Workspace:
        try:
            return self._find(self._of_configuration) or self._create(self._of_configuration)
        except NotThere:
            self._create_configuration()
            return self._find(self._of_configuration) or self._create(self._of_configuration)

    def _find(self, url: str) -> Workspace | None:
        workspaces = self._transport.get(url, list[Workspace])
        return next((workspace for workspace in workspaces if workspace.read_only_storage_access), None)

    def _create(self, url: str) -> Workspace:
        return self._transport.post(url, _WISH, Workspace)

    def _create_configuration(self) -> None:
        try:
            self._configurations.create(COMPONENT, NAME, {}, config_id=CONFIGURATION, description=DESCRIPTION)
        except RequestRefused as error:
            # Another process has created it since.
            if isinstance(error, AccessDenied) or error.status >= 500:
                raise
