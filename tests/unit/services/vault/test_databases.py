"""The vault on both databases: queries on JSON columns differ between them."""

from __future__ import annotations

from tests.support.stacks import ServicesOnly


def test_attributes_are_compared_on_each_database(services_on_each: ServicesOnly) -> None:
    vault = services_on_each.service("vault")
    for value, attributes in (("all", {}), ("seven", {"branchId": "7"}), ("quoted", {"branchId": "7", "zone": 'a"b'})):
        assert vault.post("/variables", {"key": "host", "value": value, "attributes": attributes}).status == 201

    def values(path: str) -> list[str]:
        response = vault.get(path)
        assert response.status == 200, response.text
        return [variable["value"] for variable in response.json]

    assert values("/variables?attributes[branchId]=7&attributes[zone]=") == ["seven"]
    assert values("/variables?attributes[zone]=a%22b") == ["quoted"]
    assert values("/variables?attributes[branchId]=") == ["all"]
    assert values("/variables/scoped/branch/7") == ["seven", "quoted"]
    assert values("/variables/scoped/branch/8") == ["all"]
