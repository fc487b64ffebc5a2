"""Errors of buckets."""

from __future__ import annotations

from penstock.foundation.errors import Forbidden, Invalid, NotFound


class BucketNotFound(NotFound):
    code = "storage.buckets.notFound"

    def __init__(self, bucket_id: str, project_id: int) -> None:
        super().__init__(f'The bucket "{bucket_id}" was not found in the project "{project_id}"')


class InvalidBucket(Invalid):
    code = "storage.buckets.validation"


class BucketExists(Invalid):
    code = "storage.buckets.alreadyExists"

    def __init__(self, display_name: str) -> None:
        super().__init__(f'The display name "{display_name}" already exists in project.')


class BucketNotEmpty(Invalid):
    code = "buckets.deleteNotEmpty"

    def __init__(self, tables: int) -> None:
        super().__init__(f"Only empty buckets can be deleted. There are {tables} tables in the bucket.")


class BucketIsLinked(Invalid):
    code = "storage.buckets.validation"

    def __init__(self, bucket_id: str) -> None:
        super().__init__(f'The bucket "{bucket_id}" is linked in other projects. Unlink it there, or use force.')


class LinkedBucket(Forbidden):
    """A linked bucket belongs to another project and is read-only."""

    def __init__(self) -> None:
        super().__init__("You don't have access to the resource.")


class BucketNotShared(Invalid):
    code = "storage.bucket.notShared"

    def __init__(self, bucket_id: str, project_id: int) -> None:
        super().__init__(f'The bucket "{bucket_id}" of the project "{project_id}" is not shared with this project.')


class SharedInBranch(Invalid):
    code = "storage.buckets.validation"

    def __init__(self) -> None:
        super().__init__(
            "Buckets are shared and linked in the default branch only. Send the request without branch/{id}."
        )


class AlreadyLinked(Invalid):
    code = "storage.buckets.alreadyLinked"

    def __init__(self, bucket_id: str, project_id: int) -> None:
        super().__init__(f'The bucket "{bucket_id}" of the project "{project_id}" is already linked in this project.')


class ForeignProjects(Invalid):
    code = "storage.buckets.targetProjectIdsAreNotPartOfOrganization"

    def __init__(self, projects: list[int]) -> None:
        listed = ", ".join(map(str, projects))
        super().__init__(f"Unable to share a bucket with projects that are not part of this organization: {listed}.")


class InvalidDisplayName(Invalid):
    status = 422
    code = "storage.webalize.displayName.invalid"
