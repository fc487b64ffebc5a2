"""Parameters that mean the same wherever they stand, in paths and in queries, by name.

A field of a query struct says more in its own docstring, and a row in `describes`: both win over what is written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PARAMETERS: Mapping[str, str] = MappingProxyType(
    {
        "action": "What is done with it.",
        "app": "Id of the app: that of its vendor, a dot, and its name, such as `acme.ex-shop`.",
        "app_id": "Id of the app.",
        "backend_id": "Id of the storage backend, a number. The stack has one.",
        "branch": "Id of the branch, or `default` for Main.",
        "branchId": "Id of the branch, or `default` for Main.",
        "branch_id": "Id of the branch, or `default` for Main.",
        "bucket_id": "Id of the bucket: its stage, a dot, and its name with the prefix `c-`, such as `in.c-shop`.",
        "checksum": "SHA-256 checksum of the content, in hexadecimal digits.",
        "code": "The code of the e-mail.",
        "column": "Name of the column. Upper and lower case are told apart.",
        "column_id": "Id of the column: that of its table, a dot, and its name, such as `in.c-shop.orders.price`.",
        "componentId": "Id of the component, such as `ex-generic-v2`.",
        "component_id": "Id of the component, such as `ex-generic-v2`.",
        "configId": "Id of the configuration.",
        "config_id": "Id of the configuration. It is unique among the configurations of its component in a branch.",
        "configurationId": "Id of the configuration.",
        "configuration_id": "Id of the configuration.",
        "credential_id": "Id of the credential, chosen when it was stored; it is unique within its component.",
        "credentials_id": "Id of the credentials, a number, as their creation returned it.",
        "deleted_project_id": "Id of the deleted project, a number: the id that it had before.",
        "document_id": "Id of the document.",
        "document_type": "Type of the documents. `GET /api/v1/schema/{document_type}` returns its JSON Schema.",
        "email": "E-mail address of the person.",
        "event": "Name of the event.",
        "event_id": "Id of the event, a number, or its UUID.",
        "feature": "Name of the feature.",
        "feature_id": "Id of the feature, a number, or its name.",
        "file_id": "Id of the file, a number.",
        "file_storage_id": "Id of the file storage, a number. The stack has one.",
        "hash": "Hash of the variable, as listing and creating it return it.",
        "invitation_id": "Id of the invitation, a number.",
        "job_id": "Id of the job.",
        "key_name": "Which key: `RSA_PUBLIC_KEY` or `RSA_PUBLIC_KEY_2`.",
        "limit": "The highest number of items to return.",
        "maintainer_id": "Id of the maintainer, a number.",
        "merge_request_id": "Id of the merge request.",
        "metadata_id": "Id of the entry, a number, as the listing of metadata returns it.",
        "offset": "How many items are skipped before the first one that is returned.",
        "organization_id": "Id of the organization, a number.",
        "project_id": "Id of the project, a number.",
        "request_id": "Id of the request to join, a number.",
        "revision": "Number of the revision.",
        "row_id": "Id of the row, unique within its configuration.",
        "schedule_id": "Id of the schedule.",
        "session_id": "Id of the session.",
        "snapshot_id": "Id of the snapshot, a number.",
        "statement_id": "Id of the statement, as the job returns it.",
        "subscription_id": "Id of the subscription.",
        "table_id": "Id of the table: that of its bucket, a dot, and its name, such as `in.c-shop.orders`.",
        "tag": "The tag. Upper and lower case are told apart.",
        "task_id": "Id of the task.",
        "template_id": "Name of the template: `production`, `poc` or `demo`.",
        "token_id": "Id of the token, a number; not its secret.",
        "trigger_id": "Id of the trigger, a number.",
        "user": "Id of the user, a number, or the e-mail address.",
        "username": "E-mail address of the user.",
        "vendor": "Id of the vendor.",
        "version": "Number of the version.",
        "workspace_id": "Id of the workspace, a number.",
    }
)
