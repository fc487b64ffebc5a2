"""Who may decrypt a cipher.

A `Scope` is where something runs or is stored: a project, a component, a configuration, a kind of branch, the hosts and
processors of the configuration. A `Label` is inside a cipher: its kind, and what it is limited to. A cipher can be
decrypted where everything on its label is as it is in the scope.

A cipher from the Encryption service knows no hosts: it is not bound. When it is stored in a configuration, it is bound
to the hosts and processors there: another label is recorded beside it. A cipher may have several recorded labels, one
for each list of hosts; it can be decrypted where one of them fits. They never widen its limits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec

from penstock.foundation.errors import Invalid

DEFAULT, DEVELOPMENT = "default", "dev"
"""The kinds of branches: Main, and all others."""

COMPONENT, PROJECT, CONFIGURATION, BRANCH = "component_id", "project_id", "config_id", "branch_type"
KINDS: dict[str, frozenset[str]] = {
    "Secure": frozenset(),
    "ComponentSecure": frozenset({COMPONENT}),
    "ProjectSecure": frozenset({COMPONENT, PROJECT}),
    "ConfigSecure": frozenset({COMPONENT, PROJECT, CONFIGURATION}),
    "ProjectWideSecure": frozenset({PROJECT}),
    "BranchTypeSecure": frozenset({COMPONENT, PROJECT, BRANCH}),
    "BranchTypeConfigSecure": frozenset({COMPONENT, PROJECT, CONFIGURATION, BRANCH}),
    "ProjectWideBranchTypeSecure": frozenset({PROJECT, BRANCH}),
}
"""What each kind of cipher is limited to."""

OF_COMPONENT, OF_PROJECT = "ProjectSecure", "ProjectWideSecure"
Hosts = Callable[[], frozenset[str]]
"""Finds the hosts that a project trusts."""
MAX_LENGTH = 1_000
"""Longer lists of hosts are on a label as their hash: it is repeated in each cipher."""


def prefix_of(kind: str) -> str:
    return f"KBC::{kind}::"


PREFIX, WIDE_PREFIX = prefix_of(OF_COMPONENT), prefix_of(OF_PROJECT)

_PROBLEMS = {
    PROJECT: "another project",
    COMPONENT: "another component",
    CONFIGURATION: "another configuration",
    BRANCH: "another kind of branch",
    "purpose": "another purpose",
    "processors": "another list of processors",
    "hosts": "other hosts than the configuration has now",
}
_ANYTHING = "another stack, project, component, host or list of processors, or it was altered"
UNBOUND = "a component and no host, so it must stand in a configuration itself, and not in a variable"


class UnreadableSecret(Invalid):
    def __init__(self, path: str, problem: str = _ANYTHING) -> None:
        super().__init__(
            f"The encrypted value at `{path}` cannot be decrypted here: it was encrypted for {problem}. "
            "Enter the secret again."
        )


class UnknownKind(Invalid):
    def __init__(self, limits: list[str]) -> None:
        super().__init__(
            f"No cipher is limited to {' and '.join(limits)} alone. `configId` needs `componentId` and `projectId`, "
            "and `branchType` needs `projectId`."
        )


class Scope(msgspec.Struct, frozen=True):
    """One component in one project, for certain hosts and with certain processors.

    Without a component it is the whole project: such a cipher can be decrypted for each of its components, whatever the
    hosts.
    """

    project_id: int
    component_id: str = ""
    hosts: str = ""
    processors: str = ""
    """The programs that process the component's data before and after it."""
    purpose: str = ""
    """For values outside a configuration: their kind."""
    config_id: str = ""
    branch_type: str = ""
    """These two count only for ciphers that are limited to a configuration or to a kind of branch."""

    def label(self, kind: str | None = None) -> Label:
        """Return the label of a cipher that is encrypted here: bound, unless it is for the whole project."""
        kind = kind or (OF_COMPONENT if self.component_id else OF_PROJECT)
        if not self.component_id:
            return Label(kind=kind, project_id=str(self.project_id))
        return Label(
            kind=kind,
            project_id=str(self.project_id),
            component_id=self.component_id,
            config_id=self.config_id if CONFIGURATION in KINDS[kind] else "",
            branch_type=self.branch_type if BRANCH in KINDS[kind] else "",
            is_bound=True,
            hosts=_shortened(self.hosts),
            processors=_shortened(self.processors),
            purpose=self.purpose,
        )

    @property
    def associated(self) -> bytes:
        """Return the associated data of ciphers without a label. Fields that were added later count only if they are
        set."""
        always = {"project_id": self.project_id, "component_id": self.component_id, "hosts": self.hosts}
        later = {"processors": self.processors, "purpose": self.purpose}
        return msgspec.json.encode({**always, **{name: value for name, value in later.items() if value}})


class Label(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a cipher is limited to. What is empty does not limit it, unless it is bound."""

    kind: str
    project_id: str = ""
    component_id: str = ""
    config_id: str = ""
    branch_type: str = ""
    is_bound: bool = False
    hosts: str = ""
    processors: str = ""
    purpose: str = ""

    @classmethod
    def of(cls, **limits: str) -> Label:
        """Return the label of a cipher that is bound to no hosts; raise if there is no kind with just these limits."""
        given = {name: value for name, value in limits.items() if value}
        for kind, named in KINDS.items():
            if named == given.keys():
                return msgspec.structs.replace(cls(kind=kind), **given)
        raise UnknownKind(sorted(map(_camel, given)))

    @property
    def is_of_component(self) -> bool:
        return COMPONENT in KINDS[self.kind]

    def find_problem(self, scope: Scope) -> str | None:
        """What is not as it was encrypted for, in words; None if it may be decrypted in this scope."""
        here = scope.label(self.kind)
        limits = [name for name in (PROJECT, COMPONENT, CONFIGURATION, BRANCH) if getattr(self, name)]
        bound = ["purpose", "processors", "hosts"] if self.is_bound else []
        for name in [*limits, *bound]:
            given = str(getattr(scope, name)) if name in limits else getattr(here, name)
            if getattr(self, name) != given:
                return _PROBLEMS[name]
        return None

    def may_move(self, scope: Scope, trusted: frozenset[str]) -> bool:
        """Whether only hosts have changed, and every new one is trusted by the project."""
        new = set(scope.hosts.split(" ")) - set(self.hosts.split(" "))
        same = msgspec.structs.replace(scope, hosts=self.hosts)
        return self.is_bound and bool(trusted) and new <= trusted and self.find_problem(same) is None


def find_problem(label: Label, recorded: list[Label], scope: Scope) -> str | None:
    """Why a cipher with this label and these recorded ones is not decrypted in this scope, in words; None if it is."""
    if problem := msgspec.structs.replace(label, is_bound=False).find_problem(scope):
        return problem
    problems = [each.find_problem(scope) for each in _bound(label, recorded)]
    if problems:
        return None if None in problems else problems[0]
    return UNBOUND if label.is_of_component else None


def find_binding(label: Label, recorded: list[Label], scope: Scope, trusted: Hosts) -> Label | None:
    """The label that is recorded when a cipher is stored in this scope; None if nothing changes."""
    bound = _bound(label, recorded)
    if not bound:
        return None if recorded or not scope.component_id else _narrow(label, scope)
    if any(each.find_problem(scope) is None for each in bound):
        return None
    hosts = trusted()
    return scope.label(label.kind) if any(each.may_move(scope, hosts) for each in bound) else None


def find_inner_binding(label: Label, recorded: list[Label], scope: Scope, trusted: Hosts) -> Label | None:
    """The label of a cipher that is encrypted again in this scope, with its binding inside; None if it keeps its own.

    A cipher that was stored elsewhere gets what it is bound to there, so it needs no recorded labels from then on.
    """
    bound = _bound(label, recorded)
    fitting = next((each for each in bound if each.find_problem(scope) is None), None)
    if fitting or not bound:
        narrow = fitting or (_narrow(label, scope) if scope.component_id else label)
        return None if narrow == label else narrow
    new = find_binding(label, bound, scope, trusted)
    return new or (None if label.is_bound else bound[0])


def _bound(label: Label, recorded: list[Label]) -> list[Label]:
    return [each for each in (label, *recorded) if each.is_bound]


def _narrow(label: Label, scope: Scope) -> Label:
    """The label of a cipher that is not bound, bound to the scope."""
    here = scope.label(label.kind)
    if label.find_problem(scope) is None:
        return here
    bound = {"is_bound": True, "hosts": here.hosts, "processors": here.processors, "purpose": here.purpose}
    return msgspec.structs.replace(label, **bound)  # what it is limited to lies elsewhere: it stays so


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))
