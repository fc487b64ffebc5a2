"""Operations are grouped by the resource that their path names last."""

from __future__ import annotations

import pytest

from penstock.web.resources import find_resource

GROUPS = {
    "/": "Service",
    "/health-check": "Service",
    "/jobs/{job_id}/kill": "Jobs",
    "/v2/storage": "Service",
    "/v2/storage/buckets/{bucket_id}": "Buckets",
    "/v2/storage/buckets/{bucket_id}/tables-async": "Tables",
    "/v2/storage/branch/{branch}/buckets/{bucket_id}/tables-async": "Tables",
    "/v2/storage/tables/{table_id}/rows": "Rows of tables",
    "/v2/storage/components/{component_id}/configs/{config_id}/rows/{row_id}": "Rows of configurations",
    "/v2/storage/audit-log": "Audit log",
    "/manage/projects/{project_id}/users/{user}": "Members",
    "/manage/{component_id}": "Applications",
    "/v1/auth/token/refresh": "Sign-in",
}


@pytest.mark.parametrize("template", GROUPS)
def test_a_path_belongs_to_the_resource_that_it_names_last(template: str) -> None:
    assert find_resource(template) == GROUPS[template]
