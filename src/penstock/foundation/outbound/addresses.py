"""Which addresses are public, however they are written or embedded.

`is_global` of `ipaddress` is not used: it calls `64:ff9b::a9fe:a9fe` (the metadata service behind NAT64), `192.0.0.192`
and `224.0.0.1` global, and its results differ between Python versions. All blocks that are not public are listed here.
IPv6 must lie in the one block that is allocated, and where an IPv6 address holds the IPv4 address that is actually
reached (mapped, translated, NAT64, 6to4, ISATAP), that one has to be public too.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
LOOPBACK = ("127.0.0.1", "::1")
"""What `localhost` and names below it stand for."""

# The registries of special-purpose addresses (RFC 6890 and its successors), and what clouds use besides.
_NOT_PUBLIC_4 = [
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this host
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by carriers; Alibaba keeps its metadata at 100.100.100.200
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # Azure's host agent
        "169.254.0.0/16",  # link-local
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments; Oracle keeps its metadata at 192.0.0.192
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
]
_PUBLIC_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = [
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "3fff::/20",  # documentation
    )
]
# Blocks whose last 32 bits are the IPv4 address that is actually reached: compatible, mapped, translated, NAT64.
_EMBEDDING_96 = [IPv6Network(f"{prefix}/96") for prefix in ("::", "::ffff:0:0", "::ffff:0:0:0", "64:ff9b::")]
_ISATAP = (0x00005EFE, 0x02005EFE)

# Where clouds give out credentials of the machine to anybody who asks from it.
_METADATA = frozenset(
    map(
        ip_address,
        (
            "169.254.169.254",  # AWS, Azure, Google, Oracle, DigitalOcean, Hetzner, OpenStack
            "169.254.170.2",  # AWS, of containers
            "169.254.170.23",  # AWS, of Kubernetes
            "169.254.0.23",  # Tencent
            "169.254.42.42",  # Scaleway
            "168.63.129.16",  # Azure's host agent
            "100.100.100.200",  # Alibaba
            "192.0.0.192",  # Oracle
            "fd00:ec2::254",  # AWS
            "fd00:ec2::23",  # AWS, of Kubernetes
            "fd20:ce::254",  # Google
            "fd00:42::42",  # Scaleway
        ),
    )
)


def is_metadata(address: Address) -> bool:
    """Whether a metadata service of a cloud answers there."""
    if isinstance(address, IPv4Address):
        return address in _METADATA
    embedded = _embedded(address)
    # A zone names an interface, and does not make it another address.
    return IPv6Address(int(address)) in _METADATA or (embedded is not None and embedded in _METADATA)


def is_public(address: Address) -> bool:
    """Whether the address is on the public internet, and not of this machine, its network or a reserved block."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_4)
    embedded = _embedded(address)
    if embedded is not None and not is_public(embedded):
        return False
    if any(address in network for network in _EMBEDDING_96):
        return True
    return address in _PUBLIC_6 and not any(address in network for network in _NOT_PUBLIC_6)


def read_address(host: str) -> Address | None:
    """The address that the host of a URL denotes, or None if it is a name.

    Accepts what the resolver accepts: `127.1`, `2130706433`, `0x7f000001` and `0177.0.0.1` are all 127.0.0.1.
    """
    if ":" in host:
        return _read_ipv6(host)
    try:
        return IPv4Address(socket.inet_aton(host)) if host[:1].isdigit() else None
    except OSError:
        return None


def _read_ipv6(host: str) -> IPv6Address | None:
    try:
        address = ip_address(host.replace("%25", "%", 1))
    except ValueError:
        return None
    return address if isinstance(address, IPv6Address) else None


def _embedded(address: IPv6Address) -> IPv4Address | None:
    bits = int(address)
    if address.sixtofour is not None:
        return address.sixtofour
    if any(address in network for network in _EMBEDDING_96) or (bits >> 32) & 0xFFFFFFFF in _ISATAP:
        return IPv4Address(bits & 0xFFFFFFFF)
    return None
