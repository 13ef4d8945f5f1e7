"""Invitations: a seat's key of 128 bits, as a code that can be read aloud or as a link with the host's addresses.

The key alone decides who gets in. Both sides prove by it, bound to the certificate of their connection, that they have
it (HMAC, RFC 2104): so a program in the middle, whose certificate differs, learns nothing that it can use.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
import unicodedata
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from papan.game.base.sentences import SentenceError
from papan.game.base.untrusted import quoted, shortened

SCHEME = "papan"
DEFAULT_PORT = 47474
KEY_BYTES = 16
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # without I, L, O, U: Crockford's base 32
_LOOK_ALIKES = str.maketrans("ILO", "110")
_LENGTH, _GROUP = 27, 9  # 135 bits: the key, and a check
_CHECK_BITS, _POLYNOMIAL = 7, 0x89
"""A cyclic redundancy check finds every wrong sign, and every two exchanged."""
_MOST_ADDRESSES = 8
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,62}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,62}[A-Za-z0-9])?)*\.?")


class InvitationError(SentenceError, ValueError):
    """A code or link that is none."""


@dataclass(frozen=True)
class Address:
    """Where a host listens: the name or number of its machine, and a port."""

    host: str
    port: int = DEFAULT_PORT

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


@dataclass(frozen=True)
class Invitation:
    key: bytes
    addresses: tuple[Address, ...] = ()
    """Where to try, in this order; none: the table must be found on the local network."""

    @classmethod
    def new(cls, addresses: tuple[Address, ...] = ()) -> Invitation:
        return cls(secrets.token_bytes(KEY_BYTES), addresses)

    @property
    def code(self) -> str:
        """The key in three groups of nine signs.

        >>> Invitation(bytes(16)).code
        '000000000-000000000-000000000'
        """
        number = int.from_bytes(self.key) << _CHECK_BITS | _check(self.key)
        signs = "".join(_ALPHABET[number >> 5 * (_LENGTH - 1 - place) & 31] for place in range(_LENGTH))
        return "-".join(signs[start : start + _GROUP] for start in range(0, _LENGTH, _GROUP))

    @property
    def link(self) -> str:
        at = ",".join(map(str, self.addresses))
        return f"{SCHEME}:join/{self.code}" + (f"?at={at}" if at else "")


def _check(key: bytes) -> int:
    rest = int.from_bytes(key) << _CHECK_BITS
    while rest >> _CHECK_BITS:
        rest ^= _POLYNOMIAL << (rest.bit_length() - _CHECK_BITS - 1)
    return rest


def read_invitation(text: str) -> Invitation:
    """Read a code, or a link, in which spaces, hyphens, small letters and look-alikes do not matter.

    :raises InvitationError: it is neither.
    """
    text = text.strip()
    if not text.lower().startswith(f"{SCHEME}:"):
        return Invitation(_read_code(text))
    try:
        parts = urlsplit(text)
        asked = parse_qs(parts.query, max_num_fields=4)
    except ValueError:
        raise InvitationError.saying("{link} is no invitation.", link=quoted(shortened(text))) from None
    kind, _, code = parts.path.partition("/")
    if kind != "join":
        raise InvitationError.saying("{link} is no invitation.", link=quoted(shortened(text)))
    written = ",".join(asked.get("at", [])).split(",")[:_MOST_ADDRESSES]
    return Invitation(_read_code(code), tuple(read_address(one) for one in written if one))


def _read_code(text: str) -> bytes:
    signs = re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text[:200])).upper().translate(_LOOK_ALIKES)
    wrong = next((sign for sign in signs if sign not in _ALPHABET), None)
    if wrong is not None:
        raise InvitationError.saying("{sign} is in no code: it has digits and letters, without U.", sign=quoted(wrong))
    if len(signs) != _LENGTH:
        raise InvitationError.saying(
            "A code has {length} digits and letters; this one has {found}.", length=_LENGTH, found=len(signs)
        )
    number = 0
    for sign in signs:
        number = number << 5 | _ALPHABET.index(sign)
    key = (number >> _CHECK_BITS).to_bytes(KEY_BYTES)
    if _check(key) != number & (1 << _CHECK_BITS) - 1:
        raise InvitationError.saying("A digit or letter of the code is wrong. Compare it with the one you got.")
    return key


def read_address(text: str) -> Address:
    """Read ``HOST``, ``HOST:PORT`` or ``[IPv6]:PORT``.

    :raises InvitationError: it is no address.

    >>> read_address("192.168.1.5"), str(read_address("[fe80::1]:47000"))
    (Address(host='192.168.1.5', port=47474), '[fe80::1]:47000')
    """
    try:
        parts = urlsplit(f"//{text.strip()}")
        host, port = parts.hostname or "", parts.port or DEFAULT_PORT
        is_plain = not (parts.username or parts.password or parts.path or parts.query or parts.fragment)
    except ValueError:
        host, port, is_plain = "", 0, False
    if not is_plain or not (_is_number(host) or _NAME.fullmatch(host)):
        raise InvitationError.saying(
            "{text} is no address, such as 192.168.1.5:47474 or example.org.", text=quoted(shortened(text))
        )
    return Address(host, port)


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def name_of(key: bytes) -> bytes:
    """The eight bytes that name *key* to its host; they tell nobody the key."""
    return _hmac(key, b"name")[:8]


def proof(key: bytes, side: Literal["host", "guest"], certificate: bytes, guests: bytes, hosts: bytes) -> bytes:
    """The proof that *side* has *key*, for one connection.

    :param certificate: the host's, in DER, as this side of the connection sees it.
    :param guests: the guest's nonce; *hosts*: the host's.
    """
    return _hmac(key, side.encode() + hashlib.sha256(certificate).digest() + guests + hosts)


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, b"papan 1 " + message, "sha256")
