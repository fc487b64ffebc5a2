"""What a component finds in its environment."""

from __future__ import annotations

import hashlib

from penstock.runtime.environment import ForwardedToken, RunContext, TokenDetails, to_environment

LEAST = RunContext(run_id="7", project_id="1", component="acme.tool", stack="connection.example.com")


def test_what_is_always_there() -> None:
    assert to_environment(LEAST) == {
        "KBC_RUNID": "7",
        "KBC_PROJECTID": "1",
        "KBC_COMPONENTID": "acme.tool",
        "KBC_STACKID": "connection.example.com",
        "KBC_CONFIGID": hashlib.sha1(b"{}").hexdigest(),
        "KBC_STAGING_FILE_PROVIDER": "azure",
        "KBC_PROJECT_FEATURE_GATES": "",
        "KBC_COMPONENT_RUN_MODE": "run",
        "KBC_DATA_TYPE_SUPPORT": "none",
    }


def test_a_configuration_that_is_not_stored_is_known_by_its_parameters() -> None:
    names = [
        to_environment(RunContext(run_id="7", project_id="1", component="a", stack="s", parameters=parameters))
        for parameters in ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 2})
    ]

    assert names[0]["KBC_CONFIGID"] == names[1]["KBC_CONFIGID"] != names[2]["KBC_CONFIGID"]


def test_what_is_known_or_allowed_is_added() -> None:
    told = RunContext(
        run_id="7",
        project_id="1",
        component="acme.tool",
        stack="s",
        config_id="c",
        config_version="3",
        row_id="r",
        branch_id="12",
        features=("one", "two"),
        forwarded=ForwardedToken(token="1-2-t", url="http://s"),
        details=TokenDetails(project_name="P", token_id="2", description="my\0 token"),
        logger=("127.0.0.1", 12201),
    )
    added = {name: value for name, value in to_environment(told).items() if name not in to_environment(LEAST)}

    assert to_environment(told)["KBC_CONFIGID"] == "c"
    assert to_environment(told)["KBC_PROJECT_FEATURE_GATES"] == "one,two"
    assert added == {
        "KBC_CONFIGVERSION": "3",
        "KBC_CONFIGROWID": "r",
        "KBC_BRANCHID": "12",
        "KBC_TOKEN": "1-2-t",
        "KBC_URL": "http://s",
        "KBC_PROJECTNAME": "P",
        "KBC_TOKENID": "2",
        "KBC_TOKENDESC": "my token",
        "KBC_LOGGER_ADDR": "127.0.0.1",
        "KBC_LOGGER_PORT": "12201",
    }
