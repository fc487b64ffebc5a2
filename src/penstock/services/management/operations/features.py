"""Features: those that this program knows, and those that a super administrator has created.

A project, a user and a template of projects can have one. Whoever is not a super administrator changes only features
that are for it (`canBeManageByAdmin`, `canBeManagedViaAPI`).
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from penstock.foundation import clock, ids
from penstock.foundation.callers import CALLERS, AnyCaller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.management.errors import AccessDenied, ThingNotFound, UnknownFeature
from penstock.services.management.models.features import (
    BUILT_IN,
    Feature,
    FeatureChange,
    FeatureType,
    MetadataItem,
    NewFeature,
)
from penstock.services.management.models.people import User
from penstock.services.management.models.project_views import TEMPLATES
from penstock.services.management.models.projects import Project
from penstock.services.management.operations.auditing import record
from penstock.services.management.operations.standing import is_super
from penstock.services.management.store import features as store
from penstock.services.management.store import metadata, projects, users


def list_features(tx: Transaction, caller: AnyCaller, kind: str = "") -> list[Feature]:
    """All, or of one type; whoever is not a super administrator sees those that it may change."""
    found = [each for each in (*BUILT_IN, *store.list_features(tx)) if not kind or each.type == kind]
    return [each for each in found if is_super(caller) or _is_open(each)]


def _is_open(feature: Feature) -> bool:
    return feature.can_be_managed_by_admin and feature.can_be_managed_via_api


def get_feature(tx: Transaction, text: str) -> Feature:
    number = ids.read_id(text)
    found = next((each for each in (*BUILT_IN, *store.list_features(tx)) if each.id == number), None)
    if not found:
        raise ThingNotFound("Feature", text)
    return found


def create_feature(tx: Transaction, caller: AnyCaller, new_feature: NewFeature) -> Feature:
    if any(
        each.name == new_feature.name and each.type == new_feature.type
        for each in (*BUILT_IN, *store.list_features(tx))
    ):
        raise Invalid(f'There is already a feature "{new_feature.name}" of the type {new_feature.type}.')
    row = Feature(
        id=ids.new_id(tx),
        name=new_feature.name,
        type=new_feature.type,
        title=new_feature.title,
        description=new_feature.description,
        can_be_managed_by_admin=new_feature.can_be_manage_by_admin,
        can_be_managed_via_api=new_feature.can_be_managed_via_api,
        created=clock.now(),
    )
    store.add_feature(tx, row)
    record(tx, caller, "feature.created", f"feature {row.name}")
    return row


def change_feature(tx: Transaction, caller: AnyCaller, raw_id: str, change: FeatureChange) -> Feature:
    row = _get_own(tx, raw_id)
    names = {"can_be_manage_by_admin": "can_be_managed_by_admin"}
    changes = {names.get(name, name): value for name, value in msgspec.structs.asdict(change).items()}
    changed = msgspec.structs.replace(row, **{name: value for name, value in changes.items() if value is not UNSET})
    store.change_feature(tx, changed)
    record(tx, caller, "feature.updated", f"feature {row.name}")
    return changed


def remove_feature(tx: Transaction, caller: AnyCaller, text: str) -> None:
    """Whatever has it must be without it first."""
    row = _get_own(tx, text)
    if list_projects_with(tx, row) or list_users_with(tx, row):
        raise Invalid(f'The feature "{row.name}" is in use. Remove it from its projects and users first.')
    store.remove_feature(tx, row.id)
    record(tx, caller, "feature.deleted", f"feature {row.name}")


def _get_own(tx: Transaction, text: str) -> Feature:
    row = get_feature(tx, text)
    if row in BUILT_IN:
        raise Invalid(f'The feature "{row.name}" is built in, so it cannot be changed or deleted.')
    return row


def list_projects_with(tx: Transaction, feature: Feature) -> list[Project]:
    of_projects = feature.type == "project"
    return [each for each in projects.list_projects(tx) if of_projects and feature.name in each.features]


def list_users_with(tx: Transaction, feature: Feature) -> list[User]:
    of_users = feature.type == "admin"
    return [each for each in users.list_all_users(tx) if of_users and feature.name in each.features]


def find_for(tx: Transaction, caller: AnyCaller, kind: FeatureType, name: str) -> Feature:
    """A feature that the caller may give or take; raises if there is none."""
    known = [each for each in (*BUILT_IN, *store.list_features(tx)) if each.type == kind]
    found = next((each for each in known if each.name == name), None)
    if not found:
        raise UnknownFeature(name, [each.name for each in known if is_super(caller) or _is_open(each)])
    if not is_super(caller) and not _is_open(found):
        raise AccessDenied(f'Only a super administrator can change the feature "{name}".')
    return found


def set_of_user(tx: Transaction, caller: AnyCaller, user: User, name: str, *, is_on: bool) -> User:
    find_for(tx, caller, "admin", name)
    others = [each for each in user.features if each != name]
    changed = msgspec.structs.replace(user, features=[*others, name] if is_on else others)
    users.change_user(tx, changed)
    record(tx, caller, _event(is_on=is_on), f"feature {name}", user=user.id)
    return changed


def set_of_project(tx: Transaction, caller: AnyCaller, project: Project, name: str, *, is_on: bool) -> Project:
    find_for(tx, caller, "project", name)
    others = [each for each in project.features if each != name]
    changed = msgspec.structs.replace(project, features=[*others, name] if is_on else others)
    projects.change_project(tx, changed)
    record(tx, caller, _event(is_on=is_on), f"feature {name}", project.id)
    ids.count_change(tx, CALLERS)  # a caller's access depends on the features of its project
    return changed


def _event(*, is_on: bool) -> str:
    return "feature.enabled" if is_on else "feature.disabled"


def list_of_template(tx: Transaction, template_id: str) -> list[Feature]:
    """What new projects of the template have."""
    names = {entry.key for entry in metadata.list_entries(tx, "template", _number_of(template_id))}
    return [each for each in (*BUILT_IN, *store.list_features(tx)) if each.type == "project" and each.name in names]


def set_of_template(tx: Transaction, caller: AnyCaller, template_id: str, name: str, *, is_on: bool) -> Feature:
    number, feature = _number_of(template_id), find_for(tx, caller, "project", name)
    if is_on:
        metadata.put_entries(tx, "template", number, "feature", [MetadataItem(key=name, value="1")], clock.now())
    for entry in metadata.list_entries(tx, "template", number):
        if entry.key == name and not is_on:
            metadata.remove_entry(tx, "template", number, entry.id)
    record(tx, caller, _event(is_on=is_on), f"feature {name}", template=template_id)
    return feature


def _number_of(template_id: str) -> int:
    """Templates are part of the program, so their places are their numbers."""
    found = [number for number, each in enumerate(TEMPLATES, 1) if each.id == template_id]
    if not found:
        raise ThingNotFound("Project template", template_id)
    return found[0]
