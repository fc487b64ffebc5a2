"""The host names of a stack, and what they resolve to on this machine."""

from __future__ import annotations

from penstock.foundation.machine import is_this_machine
from penstock.server.names import host_names, look_up, look_up_all


def test_every_host_that_official_programs_ask_has_its_name() -> None:
    asked = ("connection", "queue", "query", "encryption", "scheduler", "data-science", "ai", "sync-actions")
    names = host_names("data.example")

    assert names[0] == "data.example"
    assert {f"{label}.data.example" for label in (*asked, "metastore", "notification", "editor")} <= set(names)
    assert len(set(names)) == len(names)


def test_a_name_leads_somewhere_or_nowhere() -> None:
    found = look_up_all(["localhost", "no-such-name.invalid"])

    assert found["localhost"] <= {"127.0.0.1", "::1"}
    assert found["no-such-name.invalid"] == set()
    assert look_up("x" * 300) == look_up("..") == set()


def test_this_machine_is_what_one_can_listen_on() -> None:
    assert is_this_machine("127.0.0.1")
    assert not is_this_machine("192.0.2.1")
    assert not is_this_machine("2001:db8::1")
    assert not is_this_machine("nonsense")


def test_services_below_the_host_of_another_one_have_no_name_of_their_own() -> None:
    names = host_names("data.example")

    assert {"connection.data.example", "api.data.example", "stream.data.example"} <= set(names)
    assert not {f"{label}.data.example" for label in ("storage", "portal", "management", "login", "console")} & set(
        names
    )
