"""What the secrets of a configuration are bound to: the component's own, and those of its processors."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.components.flow import hosts_of
from penstock.components.sealing import get_scope, open_secrets, seal_secrets
from penstock.foundation.secrets import PREFIX, Cipher, UnreadableSecret

CIPHER = Cipher(bytes(range(32)))
MAIN, HOSTS = "ex-generic-v2", "api.example.com"
Document = dict[str, Any]


def processor(component_id: Any, **parameters: Any) -> Document:
    return {"definition": {"component": component_id}, "parameters": parameters}


def document(*after: Any, **parameters: Any) -> Document:
    return {"parameters": parameters, "processors": {"after": list(after)}}


def seal(plain: Document) -> Document:
    return seal_secrets(CIPHER, plain, get_scope(1, MAIN, HOSTS, plain))


def unseal(sealed: Document, component_id: str = MAIN) -> Document:
    return open_secrets(CIPHER, sealed, get_scope(1, component_id, HOSTS, sealed))


items = st.sampled_from(
    [processor("p.one", **{"#a": "x"}), processor("p.two", b=1), processor(""), processor(5, **{"#c": "y"}), {}, 7, "x"]
)
sections = st.fixed_dictionaries(
    {}, optional={"before": st.lists(items, max_size=3) | st.none(), "after": st.lists(items, max_size=3), "#x": items}
)


@given(sections | st.none() | st.just([]) | st.just("all"))
def test_what_was_sealed_opens_again_whatever_stands_in_processors(section: Any) -> None:
    plain = {"z": 1, "processors": section, "parameters": {"#key": "plain", "other": [{"#x": 5}]}}
    sealed = seal(plain)

    assert unseal(sealed) == plain
    assert list(sealed) == list(plain)
    assert seal(sealed) == sealed


def test_the_secret_of_a_processor_opens_for_its_component_only() -> None:
    sealed = seal(document(processor("p.one", **{"#a": "plain"})))
    cipher = sealed["processors"]["after"][0]["parameters"]["#a"]

    assert cipher.startswith(PREFIX)
    assert unseal(document(processor("p.one", **{"#a": cipher})), "another")["processors"]["after"][0][
        "parameters"
    ] == {"#a": "plain"}
    with pytest.raises(UnreadableSecret, match=r"`processors.after.0.parameters.#a`"):
        unseal(document(processor("p.two", **{"#a": cipher})))
    with pytest.raises(UnreadableSecret, match=r"`parameters.#a`"):
        unseal(document(processor("p.one"), **{"#a": cipher}))


def test_a_secret_of_the_component_does_not_open_in_a_processor() -> None:
    plain = document(processor("p.one"), **{"#key": "plain"})
    cipher = seal(plain)["parameters"]["#key"]

    with pytest.raises(UnreadableSecret, match=r"`processors.after.0.parameters.#key`"):
        unseal(document(processor("p.one", **{"#key": cipher})))


@pytest.mark.parametrize(
    "changed",
    [
        [],
        [processor("p.two")],
        [processor("p.one"), processor("p.two")],
        [processor("{{ which }}")],
    ],
)
def test_a_secret_of_the_component_opens_beside_the_processors_it_was_entered_with(changed: list[Any]) -> None:
    sealed = seal(document(processor("p.one"), **{"#key": "plain"}))

    with pytest.raises(UnreadableSecret, match=r"list of processors.*Enter the secret again"):
        unseal(document(*changed, **sealed["parameters"]))


def test_the_order_and_the_parameters_of_processors_may_change() -> None:
    sealed = seal(document(processor("p.one"), processor("p.two"), **{"#key": "plain"}))
    moved = {"before": [processor("p.two", size=5)], "after": [processor("p.one")]}

    assert unseal({**sealed, "processors": moved})["parameters"] == {"#key": "plain"}


def test_a_processor_in_a_task_is_a_part_of_what_the_secrets_of_a_flow_are_meant_for() -> None:
    def flow(**more: Any) -> Document:
        data = {"parameters": {"api": {"baseUrl": "https://api.example.com/"}}, **more}
        return {"tasks": [{"task": {"componentId": MAIN, "configData": data}}]}

    assert hosts_of(flow()) == f"{MAIN}={HOSTS}"
    assert hosts_of(flow(processors={"before": [processor("p.one")]})) == f"{MAIN}={HOSTS}+p.one"
