"""What is in the world that world.py describes, and how it comes to be there: through HTTP, as clients do it."""

from __future__ import annotations

from typing import Any

from tests.support.files import to_write
from tests.support.http import Http
from tests.support.stacks import wait_for

ROOT, COMPONENT = "/v2/storage", "ex-generic-v2"
CSV = b"id,name,city\n1,Ada,London\n2,Grace,New York\n"
Things = dict[str, str]
"""Ids by the name of the parameter that they are for."""


class Maker:
    """Makes things in one project. Everything that has a name has the project's name in it, so that a thing that shows
    up elsewhere is recognized."""

    def __init__(self, storage: Http, name: str) -> None:
        self._storage, self._name, self._prefix = storage, name, ROOT
        self._project_id = (storage.token or "").partition("-")[0]

    def make_for_main(self) -> Things:
        self._make_configs()
        # Branches begin with what Main has, so they are made when the configurations are there.
        branch, spare = self._make_branch(""), self._make_branch("-spare")
        made = {**self._use_configs(), **self._make_common("main"), "branch": branch, "spare_branch": spare}
        made["spare_bucket_id"] = self._post("/buckets", name=f"{self._name}-spare")["id"]
        # Of what is not implemented.
        made |= {"merge_request_id": "1", "task_id": "1", "action": "merge"}
        made["trigger_id"] = self._post("/triggers", **self._trigger(made))["id"]
        made["job_id"] = str(self._finish(f"/tables/{made['table_id']}/snapshots", description=self._name)["id"])
        made["snapshot_id"] = str(self._storage.get(f"{ROOT}/jobs/{made['job_id']}").json["results"]["id"])
        return made

    def make_for_branch(self, branch: str, word: str) -> Things:
        self._prefix = f"{ROOT}/branch/{branch}"
        [metadata] = self._post("/metadata", **_metadata(self._name))
        made = {"branch": branch, "branch_metadata_id": metadata["id"]}
        return {**self._use_configs(), **self._make_common(word), **made}

    def _make_common(self, word: str) -> Things:
        file = self._upload()
        event = self._post("/events", message=f"{self._name} {word}", component=COMPONENT)
        token = self._post("/tokens", description=f"{self._name} {word}", componentAccess=[COMPONENT])
        return {
            **self._make_bucket(f"{self._name}-{word}", file["id"]),
            **self._make_workspace(),
            "file_id": str(file["id"]),
            "container": file["absUploadParams"]["container"],
            "blob": file["absUploadParams"]["blobName"],
            "tag": self._name,
            "event_id": event["id"],
            "token_id": token["id"],
            "token": token["token"],
            "project_id": self._project_id,
        }

    def _upload(self) -> dict[str, Any]:
        file = self._post("/files/prepare", name=f"{self._name}.csv", federationToken=True, tags=[self._name])
        assert to_write(file).put(file["absUploadParams"]["blobName"], CSV).status == 201
        return file

    def _make_bucket(self, name: str, file_id: int) -> Things:
        bucket = self._post("/buckets", name=name, description=self._name)["id"]
        typed = [{"name": "id", "basetype": "INTEGER"}, {"name": "city", "basetype": "STRING"}]
        defined = self._finish(f"/buckets/{bucket}/tables-definition", name="typed", columns=typed)["results"]["id"]
        self._finish(f"/tables/{defined}/profile")
        load = {"dataFileId": file_id, "primaryKey": "id"}
        table = self._finish(f"/buckets/{bucket}/tables-async", name="people", **load)["results"]["id"]
        columns: list[dict[str, Any]] = [{"name": "id"}, {"name": "name"}]
        keyless = self._finish(f"/buckets/{bucket}/tables-definition", name="keyless", columns=columns)["results"]["id"]
        spare = self._finish(f"/buckets/{bucket}/tables-definition", name="spare", columns=columns)["results"]["id"]
        alias = self._post(f"/buckets/{bucket}/table-aliases", sourceTable=table, name="alias")["id"]
        made = {"bucket_id": bucket, "table_id": table, "keyless_id": keyless, "alias_id": alias, "typed_id": defined}
        made |= {"column_id": f"{table}.name", "column": "city", "spare_id": spare}
        for kind in ("bucket", "table", "column"):
            response = self._post(f"/{kind}s/{made[f'{kind}_id']}/metadata", **_metadata(self._name))
            items = response["metadata"] if kind == "table" else response
            made[f"{kind}_metadata_id"] = items[0]["id"]
        return made

    def _make_workspace(self) -> Things:
        number = self._post("/workspaces")["id"]
        made = self._post(f"/workspaces/{number}/credentials")
        credentials = str(made["connection"]["credentials"]["id"])
        return {"workspace_id": str(number), "credentials_id": credentials, "key_name": "RSA_PUBLIC_KEY_2"}

    def _make_configs(self) -> None:
        configs = f"/components/{COMPONENT}/configs"
        for name in (self._config, self._trashed):
            self._post(configs, name=name, configurationId=name, configuration={"a": 1}, state={"b": 2})
            self._post(f"{configs}/{name}/rows", rowId=self._row, name=self._name, configuration={"c": 3})

    def _use_configs(self) -> Things:
        """A second version of one and of its row, with metadata; the other goes into the trash."""
        configs = f"/components/{COMPONENT}/configs"
        for path in (self._config, f"{self._config}/rows/{self._row}"):
            assert self._storage.put(f"{self._prefix}{configs}/{path}", {"description": self._name}).status == 200
        [metadata] = self._post(f"{configs}/{self._config}/metadata", **_metadata(self._name))
        assert self._storage.delete(f"{self._prefix}{configs}/{self._trashed}").status == 204
        return {
            "component_id": COMPONENT,
            "config_id": self._config,
            "trashed_id": self._trashed,
            "row_id": self._row,
            # Not the first: the row came later.
            "version": "2",
            "config_metadata_id": metadata["id"],
        }

    def _make_branch(self, ending: str) -> str:
        return str(self._finish("/dev-branches", name=f"{self._name}{ending}", description=self._name)["results"]["id"])

    def _trigger(self, made: Things) -> dict[str, Any]:
        return {
            "runWithTokenId": made["token_id"],
            "component": COMPONENT,
            "configurationId": made["config_id"],
            "coolDownPeriodMinutes": 5,
            "tableIds": [made["table_id"]],
        }

    @property
    def _config(self) -> str:
        return f"{self._name}-config"

    @property
    def _trashed(self) -> str:
        return f"{self._name}-trashed"

    @property
    def _row(self) -> str:
        return f"{self._name}-row"

    def _post(self, path: str, **fields: Any) -> Any:
        response = self._storage.post(f"{self._prefix}{path}", fields)
        assert response.status in (200, 201, 202), f"{path}: {response.text}"
        return response.json

    def _finish(self, path: str, **fields: Any) -> dict[str, Any]:
        """The job that was started, when it has ended well."""
        number = self._post(path, **fields)["id"]
        job = wait_for(lambda: (job := self._storage.get(f"{ROOT}/jobs/{number}").json)["endTime"] and job)
        assert job["status"] == "success", job
        return job


def _metadata(value: str) -> dict[str, Any]:
    return {"provider": "user", "metadata": [{"key": "KBC.description", "value": value}]}
