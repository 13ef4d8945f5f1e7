"""The addresses of this machine, as its network adapters tell them. Nothing outside is asked."""

from __future__ import annotations

import ipaddress
import logging

import ifaddr

log = logging.getLogger(__name__)

_VIRTUAL = (
    "docker", "br-", "veth", "virbr", "vboxnet", "vmnet", "tun", "tap", "utun", "vethernet", "virtualbox", "vmware",
)  # fmt: skip
"""How names of adapters begin that lead to no other machine of the network."""
_MOST = 4

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


def own_addresses() -> tuple[str, ...]:
    """The addresses for friends, those of the local network first, then global ones; empty without a network."""
    try:
        found = [
            (adapter.nice_name.lower().startswith(_VIRTUAL), ipaddress.ip_address(ip.ip if ip.is_IPv4 else ip.ip[0]))
            for adapter in ifaddr.get_adapters()
            for ip in adapter.ips
        ]
    except (OSError, ValueError) as error:
        log.warning("The addresses of this machine can't be read: %s", error)
        return ()
    usable = [(is_virtual, one) for is_virtual, one in found if is_usable(one)]
    ordered = sorted(usable, key=lambda known: (known[0], known[1].version, known[1].is_global))
    return tuple(dict.fromkeys(str(one) for _is_virtual, one in ordered))[:_MOST]


def is_usable(address: IPAddress) -> bool:
    """Whether others may reach *address*: IPv4 except for this machine's own, or global IPv6.

    >>> [is_usable(ipaddress.ip_address(one)) for one in ("192.168.1.5", "127.0.0.1", "169.254.1.1", "fe80::1")]
    [True, False, False, False]
    """
    if address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified:
        return False
    return address.version == 4 or address.is_global
