"""A valid body for every row that takes one, with ids and names of the world that it is sent in."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from penstock.web.routing import Route
from tests.unit.services.world_things import COMPONENT, Things

Body = dict[str, Any]
_numbers = itertools.count(1)
PUBLIC_KEY = (
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAre9ahBmnnB3wG86E2owrSZQvHBtaZsBlZ+51A3o5SonMNrxydn71MDqL"
    "gu9RmPijecvSS6Rp4T3IZM0V9mcoZPRiOswqZysXXHaCuh3URSf34eHEpTNxzBBV9QVxuGpsofqAK/r/qohd5Zf3W5VG2AjKVQLg"
    "G1tWFtXZJ/0U5jNKvhNWLfprOcdxS22EI17eXiH1hzFdvtjhKdBiIGRn8BGHTT8aMAddUqtn3aFZndWbBcShqTVRZ+6g7fDmVPgr"
    "1/wc41ewoUjGUHf9eWA81lyrfMDA0fEVcsE4wZQuEmm7UHXFwwvCjtdkjn9IBnqwcXN+PLUssoM6SwpO+ZfuJwIDAQAB"
)
"""Of a key pair that nobody has."""


def make_body(row: Route, things: Things, name: str) -> Body:
    """`name` is in everything that the body gives a name to; what must be new gets a number too."""
    model = row.body or row.form
    kind = model.__name__ if model else ""
    make = OTHER_BODIES.get(f"{row.method} {row.path.rpartition('/')[2]}") or BODIES.get(kind)
    assert make, f'{row.method} {row.path} takes a "{kind}": add a valid one to BODIES in world_bodies.py.'
    return make(things, f"{name}-{next(_numbers)}")


def _metadata(_things: Things, new: str) -> Body:
    return {"provider": "user", "metadata": [{"key": f"key.{new}", "value": new}]}


def _trigger(things: Things, _new: str) -> Body:
    return {
        "runWithTokenId": things["token_id"],
        "component": COMPONENT,
        "configurationId": things["config_id"],
        "coolDownPeriodMinutes": 5,
        "tableIds": [things["table_id"]],
    }


def _recipient(new: str) -> Body:
    return {"channel": "email", "address": f"{new}@example.com"}


def _subscription(_things: Things, new: str) -> Body:
    filters = [{"field": "job.configuration.id", "value": new, "operator": "=="}]
    return {"event": "job-failed", "filters": filters, "recipient": _recipient(new), "expiresAt": "+1 hour"}


def _event(things: Things, new: str) -> Body:
    job = {"id": "1", "component": {"id": COMPONENT, "name": new}}
    return {"job": job, "project": {"id": things["project_id"], "name": new}, "branch": {"id": "1"}}


def _notification(things: Things, new: str) -> Body:
    data = {"project": {"id": things["project_id"], "name": new}, "title": new, "message": new}
    return {"type": "direct-project-email", "recipient": _recipient(new), "data": data}


def _rows(value: str) -> Body:
    """Which rows, in every way that there is to say it."""
    filters = [{"column": "name", "operator": "eq", "values": [value], "dataType": "INTEGER"}]
    order = [{"column": "id", "order": "ASC", "dataType": "INTEGER"}]
    old = {"whereColumn": "id", "whereValues": ["1"], "whereOperator": "ne"}
    return {"whereFilters": filters, "orderBy": order, **old}


def _table(_things: Things, new: str) -> Body:
    typed = {"type": "VARCHAR", "length": "1000", "nullable": False, "default": "x"}
    columns = [{"name": "id", "definition": typed}, {"name": "n", "basetype": "NUMERIC"}]
    return {"name": new, "columns": columns, "primaryKeysNames": ["id"]}


def _alias(things: Things, new: str) -> Body:
    shown = {"aliasColumns": ["id"], "aliasFilter": {"column": "id", "operator": "eq", "values": ["1"]}}
    return {"sourceTable": things["table_id"], "name": new, **shown}


def _table_metadata(things: Things, new: str) -> Body:
    of_columns = {"name": [{"key": f"key.{new}", "value": new}]}
    return {**_metadata(things, new), "columnsMetadata": of_columns}


def _consumer(_things: Things, new: str) -> Body:
    urls = {"authUrl": "https://provider.example.com/authorize", "tokenUrl": "https://provider.example.com/token"}
    return {"componentId": f"own.{new}", "friendlyName": new, "appKey": new, "appSecret": new, **urls}


def _configuration(things: Things) -> Body:
    return {"branchId": things["branch"], "componentId": COMPONENT, "configId": things["config_id"]}


def _merge(things: Things, _new: str) -> Body:
    branches = {"baseBranchId": things["branch"], "currentBranchId": things["branch"]}
    return {"componentId": COMPONENT, "configId": things["config_id"], **branches}


def _organization(things: Things, new: str) -> Body:
    owners = {"maintainerId": things["management.maintainer_id"], "allowAutoJoin": True, "mfaRequired": False}
    return {"name": new, "crmId": new, "activityCenterProjectId": things["management.project_id"], **owners}


def _feature(_things: Things, new: str) -> Body:
    return {"name": new, "type": "project", "title": new, "description": new}


PEOPLE: dict[str, Callable[[Things, str], Body]] = {
    "AccessRequest": lambda _, new: {"reason": new},
    "AddedUser": lambda things, _: {"id": things["management.member_id"]},
    "AnySettings": lambda *_: {},
    "BackendChoice": lambda *_: {"storageBackendId": 1},
    "Command": lambda things, _: {
        "command": "purge-deleted-project",
        "parameters": [things["management.deleted_project_id"]],
    },
    "Disabling": lambda _, new: {"isDisabled": False, "disableReason": new},
    "FeatureChange": lambda _, new: {"title": new, "description": new},
    "FeatureRef": lambda *_: {"feature": "native-types"},
    "FileStorageChoice": lambda *_: {"fileStorageId": 1},
    "ForcedMfa": lambda *_: {"mfaRequired": False},
    "InvitationCode": lambda _, new: {"code": new},
    "MaintainerChange": lambda _, new: {"name": new},
    "MemberChange": lambda *_: {"role": "guest"},
    "Move": lambda things, _: {"organizationId": things["management.organization_id"]},
    "NewCredits": lambda _, new: {"amount": 1, "description": new},
    "NewEntries": _metadata,
    "NewFeature": _feature,
    "NewInvitation": lambda _, new: {"email": f"{new}@example.com"},
    "NewLimits": lambda *_: {"limits": [{"name": "storage.rows", "value": 1}]},
    "NewMaintainer": lambda _, new: {"name": new, "zendeskUrl": new},
    "NewMember": lambda _, new: {"email": f"{new}@example.com", "role": "guest", "reason": new},
    "NewOrganization": lambda _, new: {"name": new, "crmId": new},
    "NewProject": lambda _, new: {"name": new},
    "NewStorageToken": lambda _, new: {"description": new, "canManageBuckets": True},
    "NewUiApp": lambda _, new: {"manifestUrl": new},
    "OrganizationChange": _organization,
    "ProjectChange": lambda _, new: {"name": new},
    "UserChange": lambda _, new: {"name": new},
}
"""Of Management."""
BODIES: dict[str, Callable[[Things, str], Body]] = {
    **PEOPLE,
    "AppChange": lambda _, new: {"name": new, "shortDescription": new, "loggerConfiguration": {}},
    "BucketChange": lambda _, new: {"displayName": new, "description": new, "color": "red"},
    "Cancellation": lambda _, new: {"reason": new},
    "ChangeText": lambda _, new: {"changeDescription": new},
    "ChangedBranch": lambda _, new: {"name": new, "description": new},
    "ChangedConfiguration": lambda _, new: {"name": new, "configuration": {"a": new}},
    "ChangedDocument": lambda _, new: {"name": new, "data": {"description": new}},
    "ChangedRow": lambda _, new: {"name": new, "configuration": {"a": new}},
    "ComponentQuery": lambda *_: {"prompt": "read an API"},
    "ConfigurationQuestion": lambda things, _: _configuration(things),
    "DocumentationQuestion": lambda *_: {"query": "How is a secret stored?"},
    "ColumnChange": lambda *_: {"nullable": True},
    "ColumnNames": lambda _, new: {"columnNames": [new.replace("-", "_")]},
    "Credentials": lambda _, new: {"email": new, "password": new},
    "DeletionRequest": lambda _, new: _rows(new),
    "DefinitionChange": lambda _, new: {"displayName": new, "description": new},
    "Deprecation": lambda _, new: {"replacementApp": new},
    "DisplayName": lambda _, new: {"displayName": new},
    "ExportRequest": lambda _, new: {**_rows(new), "columns": "id,name", "limit": 1},
    "ImportRequest": lambda things, _: {"dataFileId": things["file_id"], "incremental": 1},
    "JobDuration": lambda things, new: {"projectId": things["project_id"], "jobId": new, "durationSeconds": 1.5},
    "NewAccount": lambda _, new: {"name": new, "description": new},
    "NewAlias": _alias,
    "NewApp": lambda _, new: {"id": new, "name": new, "type": "other", "loggerConfiguration": {}},
    "NewBranch": lambda _, new: {"name": new, "description": new},
    "NewBucket": lambda _, new: {"name": new, "stage": "in"},
    "NewColumn": lambda _, new: {"name": new},
    "NewConfiguration": lambda _, new: {"name": new, "configurationId": new, "configuration": {"a": 1}},
    "NewCopy": lambda _, new: {"name": new},
    "JobQuestion": lambda things, _: {"jobId": things["queue.job_id"]},
    "MergeQuestion": _merge,
    "NewDocument": lambda _, new: {"name": new, "data": {"name": new}},
    "NewFeedback": lambda _, new: {"value": "good", "comment": new, "subject": {"type": "failed-job", "jobId": "1"}},
    "NewFile": lambda _, new: {"name": new, "federationToken": True, "tags": [new]},
    "NewJob": lambda things, _: {"component": COMPONENT, "config": things["config_id"], "mode": "run"},
    "NewKey": lambda *_: {"columns": ["id"]},
    "NewMetadata": _metadata,
    "NewNotification": _notification,
    "NewQuery": lambda _, new: {"statements": [f"SELECT '{new}' AS name"]},
    "NewRow": lambda _, new: {"rowId": new, "name": new, "configuration": {"a": 1}},
    "NewRowCopy": lambda things, _: {"targetConfigId": things["config_id"]},
    "NewSchedule": lambda things, _: {"configurationId": things["scheduler.config_id"]},
    "NewSession": lambda things, _: {"branchId": things["branch"]},
    "NewSnapshot": lambda _, new: {"description": new},
    "NewSubscription": _subscription,
    "NewVendor": lambda _, new: {"id": new, "name": new},
    "NewState": lambda _, new: {"state": {"a": new}},
    "NewTable": _table,
    "NewTableMetadata": _table_metadata,
    "NewTag": lambda _, new: {"tag": new},
    "NewToken": lambda things, new: {"description": new, "bucketPermissions": {things["bucket_id"]: "read"}},
    "NewTrigger": _trigger,
    "NewCredentials": lambda *_: {},
    "NewCredential": lambda _, new: {"id": new, "authorizedFor": new, "#data": "{}"},
    "NewConsumer": _consumer,
    "ConsumerChange": lambda _, new: {"friendlyName": new},
    "NewPublicKey": lambda *_: {"publicKey": PUBLIC_KEY},
    "LoadRequest": lambda things, _: {"input": [{"source": things["table_id"], "destination": "people"}]},
    "MappingRequest": lambda things, _: {"input": [{"source": things["table_id"], "destination": "people"}]},
    "ObjectNames": lambda *_: {"objects": ["nothing"]},
    "QueryRequest": lambda *_: {"query": "select 1 as a"},
    "TableExportRequest": lambda *_: {"tableName": "people", "fileType": "csv", "gzip": True},
    "UnloadRequest": lambda *_: {"only": False},
    "PromptQuestion": lambda *_: {"query": "How is a secret stored?"},
    "ReplacedDocument": lambda _, new: {"name": new, "data": {"name": new}},
    "VersionQuestion": lambda things, _: {
        **_configuration(things),
        "currentVersionId": "1",
        "previousVersionId": "1",
    },
    "PushedEvent": _event,
    "NewWorkspace": lambda *_: {"backend": "snowflake", "backendSize": "small"},
    "NewMigration": lambda *_: {
        "sourceStorageApiToken": "1-2-secret",
        "destinationStack": "connection.penstock.localhost",
        "destinationStorageApiToken": "1-2-secret",
        "componentId": COMPONENT,
        "configId": "moved",
        "branchId": "default",
    },
    "NewVariable": lambda _, new: {"key": new, "value": new, "group": new, "attributes": {"word": new}},
    "FileForm": lambda _, new: {"tags[]": new},
    "TableForm": lambda things, _: {"tableId": things["keyless_id"], "incremental": "1"},
    "NewAction": lambda *_: {
        "componentId": COMPONENT,
        "action": "load_from_curl",
        "configData": {"parameters": {"__CURL_COMMAND": "curl https://api.example.com/users"}},
    },
    "NewResolution": lambda _, new: {"configData": {"parameters": {"name": new}}},
    "PreviewRequest": lambda *_: {"tableName": "nothing"},
    "QueriesRequest": lambda _, new: {"queries": [f"SELECT '{new}' AS name"]},
    "SignUp": lambda _, new: {"email": f"{new}@example.com", "password": f"{new} is long enough", "name": new},
    "AgainRequest": lambda _, new: {"email": f"{new}@example.com"},
    "NewPassword": lambda _, new: {"code": new, "password": f"{new} is long enough"},
    "FactorCode": lambda *_: {"code": "123456"},
    "Acceptance": lambda _, new: {"name": new, "password": f"{new} is long enough"},
    "Rejection": lambda _, new: {"reason": new},
    "Search": lambda _, new: {"text": new, "limit": 1},
    "SentEvent": lambda _, new: {"message": new, "component": COMPONENT},
    "SessionLoad": lambda *_: {"mode": "clean"},
    "SessionUnload": lambda *_: {},
    "Sharing": lambda things, _: {"sharing": "specific-projects", "targetProjectIds": [things["project_id"]]},
    "TableChange": lambda _, new: {"displayName": new},
    "TableSwap": lambda things, _: {"targetTableId": things["spare_id"]},
    "TableFromData": lambda things, new: {"name": new, "dataFileId": things["file_id"]},
    "TokenChange": lambda things, new: {"description": new, "bucketPermissions": {things["bucket_id"]: "read"}},
    "TokenShare": lambda _, new: {"recipientEmail": f"{new}@example.com", "message": new},
    "TriggerChange": _trigger,
    "VendorChange": lambda _, new: {"name": new},
    "WhereFilter": lambda *_: {"column": "id", "operator": "eq", "values": ["1"]},
    "SandboxDuration": lambda things, new: {
        "projectId": things["project_id"],
        "sandboxId": new,
        "sandboxType": "python",
        "durationSeconds": 1.5,
    },
    "WorkspaceDuration": lambda things, _: {
        "projectId": things["project_id"],
        "workspaceType": "writer",
        "durationSeconds": 1.5,
    },
}
OTHER_BODIES: dict[str, Callable[[Things, str], Body]] = {
    "POST import": lambda _, new: {"dataString": f"id,name,city\n3,{new},Prague\n", "incremental": 1},
    "POST tables": lambda _, new: {"name": new, "dataString": "id,name\n1,Ada\n"},
}
"""Where it is the row, and not what it takes, that says what to send."""
