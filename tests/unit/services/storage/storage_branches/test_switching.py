"""The feature of a project that gives each branch its own storage, turned on and off."""

from __future__ import annotations

import pytest

from penstock.foundation.callers import Caller
from penstock.foundation.errors import Invalid, NotFound
from penstock.services.management import interface as management
from penstock.services.storage.worker import Worker
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.storage.loading import make_table, storage
from tests.unit.services.storage.storage_branches.making import Branched, turn


def features(services: ServicesOnly) -> list[str]:
    return storage(services).get("/tokens/verify").json["owner"]["features"]


def test_the_feature_is_shown_with_the_next_request(services_on_each: ServicesOnly) -> None:
    assert features(services_on_each) == ["queuev2", "global-search"]
    turn(services_on_each, is_on=True)
    turn(services_on_each, is_on=True)
    assert features(services_on_each) == ["queuev2", "global-search", "storage-branches"]
    other = storage(services_on_each, add_project(services_on_each))
    assert other.get("/tokens/verify").json["owner"]["features"] == ["queuev2", "global-search"]
    turn(services_on_each, is_on=False)
    assert features(services_on_each) == ["queuev2", "global-search"]


def test_only_known_features_of_known_projects_are_set(services: ServicesOnly) -> None:
    with services.stack.database.writing() as tx:
        with pytest.raises(Invalid, match="Features there are: storage-branches, native-types, pay-as-you-go"):
            management.set_feature(tx, services.project.id, "queuev2", is_on=False)
        with pytest.raises(NotFound, match="Project 999 not found"):
            management.set_feature(tx, 999, "storage-branches", is_on=True)


def test_without_the_feature_all_branches_share_one_storage(branched: Branched) -> None:
    make_table(branched.main, "id,name\n1,main\n")
    turn(branched.services, is_on=False)

    assert branched.rows() == ([["1", "main"]], [["1", "main"]])
    assert branched.branch.post("/buckets", {"name": "new"}).status == 201
    assert branched.main.get("/buckets/in.c-new").status == 200


def test_what_a_branch_had_is_there_again_when_the_feature_is(branched: Branched) -> None:
    branched.make_tables()
    turn(branched.services, is_on=False)
    assert branched.rows() == ([["1", "main"]], [["1", "main"]])
    turn(branched.services, is_on=True)

    assert branched.rows() == ([["1", "main"]], [["1", "branch"]])


@pytest.mark.usefixtures("answers_at_once")
@pytest.mark.parametrize("is_on", [True, False], ids=["made with the feature", "made without"])
def test_a_job_works_where_it_was_meant_to_whatever_is_turned_meanwhile(branched: Branched, is_on: bool) -> None:
    table = branched.make_tables()
    turn(branched.services, is_on=is_on)
    branched.services.stop_worker()
    response = branched.branch.delete(f"/tables/{table}/rows?allowTruncate=1")
    assert response.status == 202, response.text
    turn(branched.services, is_on=not is_on)
    while Worker(branched.services.stack, "later").run_one():
        pass
    turn(branched.services, is_on=True)

    assert branched.main.get(f"/jobs/{response.json['id']}").json["status"] == "success"
    assert branched.rows() == (([["1", "main"]], []) if is_on else ([], [["1", "branch"]]))


@pytest.mark.usefixtures("answers_at_once")
def test_jobs_of_a_table_do_not_wait_for_its_namesake_in_another_branch(branched: Branched) -> None:
    table = branched.make_tables()
    branched.services.stop_worker()
    for http in (branched.main, branched.branch):
        assert http.delete(f"/tables/{table}/rows?allowTruncate=1").status == 202
    with branched.services.stack.database.reading() as tx:
        keys = tx.connection.exec_driver_sql("SELECT lock_key FROM storage_jobs WHERE NOT is_finished ORDER BY id")

        assert [lock_key for (lock_key,) in keys] == [table, f"{branched.id}/{table}"]


def test_a_caller_is_in_main_until_it_requests_a_branch() -> None:
    caller = Caller(project_id=1, branch_id=7, main_branch_id=2, token_id=3, description="x")
    own = Caller(project_id=1, branch_id=7, main_branch_id=2, token_id=3, description="x", has_storage_branches=True)

    assert (caller.storage_branch_id, caller.has_own_storage, caller.branch_filter) == (2, False, None)
    assert (own.storage_branch_id, own.has_own_storage, own.branch_filter) == (7, True, 7)
    assert (own.in_main().storage_branch_id, own.in_main().has_own_storage) == (2, False)
