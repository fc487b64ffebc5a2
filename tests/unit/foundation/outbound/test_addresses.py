from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.outbound import Policy, Refused
from penstock.foundation.outbound.addresses import is_public, read_address
from penstock.foundation.outbound.urls import read_target
from tests.support.examples import examples
from tests.unit.foundation.outbound.servers import STRICT, fetch, knowing

CORPUS = [
    line.strip()
    for line in (Path(__file__).parents[3] / "data" / "addresses.txt").read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]


def test_the_corpus_is_as_large_as_promised():
    assert len(set(CORPUS)) >= 120


@pytest.mark.parametrize("host", [line for line in CORPUS if " => " not in line])
def test_every_spelling_of_the_corpus_is_refused(host: str):
    # With a proxy nothing could leave this machine even if a spelling passed.
    behind_a_closed_proxy = Policy(proxy="http://127.0.0.1:9")

    with pytest.raises(Refused):
        fetch(f"http://{host}/", behind_a_closed_proxy, knowing())


@pytest.mark.parametrize("line", [line for line in CORPUS if " => " in line])
def test_every_name_of_the_corpus_is_refused_for_its_addresses(line: str):
    host, _, addresses = line.partition(" => ")
    url = f"http://{host}/"
    name = read_target(url).url.raw_host or ""

    with pytest.raises(Refused, match=r"(is|,) a private address"):
        fetch(url, STRICT, knowing(**{name: addresses.replace(" ", "").split(",")}))


METADATA = [
    *("169.254.169.254", "2852039166", "0xa9fea9fe", "0251.254.169.254", "169.254.170.2", "100.100.100.200"),
    *("192.0.0.192", "168.63.129.16", "[fd00:ec2::254]", "[fd00:ec2:0:0::254]", "[::ffff:169.254.169.254]"),
    *("[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::]", "[fd20:ce::254]"),
]
EVERYTHING = ("0.0.0.0/0", "::/0", "metadata.google.internal")


@pytest.mark.parametrize("host", METADATA)
def test_a_metadata_service_of_a_cloud_is_refused_even_if_everything_is_allowed(host: str):
    with pytest.raises(Refused, match="metadata service"):
        fetch(f"http://{host}/", Policy(allow=EVERYTHING, proxy="http://127.0.0.1:9"), knowing())


@pytest.mark.parametrize("proxy", [None, "http://127.0.0.1:9"])
def test_an_allowed_name_does_not_lead_to_a_metadata_service(proxy: str | None):
    lookup = knowing(metadata_google_internal=["10.0.0.1", "169.254.169.254"])

    with pytest.raises(Refused, match="metadata service"):
        fetch("http://metadata.google.internal/", Policy(allow=EVERYTHING, proxy=proxy), lookup)


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        "93.184.215.14",
        "100.63.255.255",
        "100.128.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450:4001::200e",
        "::ffff:1.1.1.1",
        "64:ff9b::1.1.1.1",  # how IPv6-only networks reach IPv4
        "2002:101:101::1",  # 6to4 of 1.1.1.1
    ],
)
def test_addresses_of_the_public_internet_pass(address: str):
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "2002:a00:1::1",  # 6to4 of 10.0.0.1
        "2002:c0a8:101::1",  # 6to4 of 192.168.1.1
        "2001::1.1.1.1",  # Teredo, whatever it holds
        "2001:0:101:101::1",
        "64:ff9b::10.0.0.1",
        "64:ff9b:1::101:101",  # NAT64 of a network's own
        "::ffff:192.168.1.1",
        "2606:4700::5efe:a00:1",  # ISATAP of 10.0.0.1
        "fe80::1",
        "fc00::1",
        "fec0::1",
        "ff02::1",
        "100::1",
        "5f00::1",
        "2001:db8::1",
        "3fff::1",
        "::1",
        "::",
    ],
)
def test_addresses_of_transition_and_special_blocks_do_not_pass(address: str):
    assert not is_public(ip_address(address))


@given(number=st.integers(0, 2**32 - 1))
@examples(300)
def test_what_holds_an_ipv4_address_is_as_public_as_that_one(number: int):
    inner = IPv4Address(number)
    mapped, nat64 = IPv6Address(0xFFFF << 32 | number), IPv6Address(0x64FF9B << 96 | number)
    six_to_four = IPv6Address(0x2002 << 112 | number << 80 | 1)

    assert {is_public(each) for each in (mapped, nat64, six_to_four)} == {is_public(inner)}


@given(number=st.integers(0, 2**32 - 1))
@examples(300)
def test_nothing_is_public_that_the_library_calls_private(number: int):
    address = IPv4Address(number)

    assert not (is_public(address) and address.is_private)


def test_names_are_not_taken_for_addresses():
    assert read_address("3com.example") is None
    assert read_address("1and1.com") is None
    assert read_address("dead.beef") is None
    assert read_address("0x7f000001.example.com") is None
