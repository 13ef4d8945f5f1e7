"""Invitations: codes and links come back as they were, slips are found, and strangers' texts are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.online.invitation import (
    DEFAULT_PORT,
    Address,
    Invitation,
    InvitationError,
    name_of,
    proof,
    read_address,
    read_invitation,
)

KEYS = st.binary(min_size=16, max_size=16)
HOSTS = st.one_of(st.ip_addresses(v=4).map(str), st.ip_addresses(v=6).map(str), st.sampled_from(["example.org", "a"]))
ADDRESSES = st.builds(Address, HOSTS, st.integers(1, 65535))
SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class TestRoundTrip:
    @given(KEYS, st.lists(ADDRESSES, max_size=8))
    def test_codes_and_links(self, key: bytes, addresses: list[Address]) -> None:
        invitation = Invitation(key, tuple(addresses))
        assert read_invitation(invitation.code) == Invitation(key)
        assert (
            read_invitation(
                f"  {invitation.link.upper().replace('PAPAN:JOIN', 'papan:join').replace('AT=', 'at=')}\n"
            ).key
            == key
        )
        assert read_invitation(invitation.link) == invitation

    @given(KEYS, st.randoms())
    def test_as_people_write_it(self, key: bytes, random: object) -> None:
        code = Invitation(key).code
        for written in (
            code.lower(),
            code.replace("-", " "),
            code.replace("-", ""),
            code.replace("-", "\u2013"),
            code.replace("-", "\u2011") + ".",
            " ".join(code.replace("-", "")),
            code.replace("0", "O").replace("1", "I"),
            code.replace("0", "o").replace("1", "l"),
            "".join(chr(ord(sign) + 0xFEE0) for sign in code),  # full width
        ):
            assert read_invitation(written).key == key

    @given(ADDRESSES)
    def test_addresses(self, address: Address) -> None:
        assert read_address(str(address)) == address

    @pytest.mark.parametrize(
        ("text", "address"),
        [
            ("192.168.1.5", Address("192.168.1.5")),
            ("[::1]", Address("::1")),
            ("example.org:80", Address("example.org", 80)),
            (" example.org:80 ", Address("example.org", 80)),
        ],
    )
    def test_addresses_that_people_write(self, text: str, address: Address) -> None:
        assert read_address(text) == address


class TestSlips:
    @given(KEYS, st.integers(0, 26), st.sampled_from(SIGNS))
    def test_each_wrong_sign_is_found(self, key: bytes, place: int, sign: str) -> None:
        code = Invitation(key).code.replace("-", "")
        wrong = code[:place] + sign + code[place + 1 :]
        if wrong != code:
            with pytest.raises(InvitationError, match="is wrong"):
                read_invitation(wrong)

    @given(KEYS, st.integers(0, 26), st.integers(0, 26))
    def test_each_pair_exchanged_is_found(self, key: bytes, one: int, other: int) -> None:
        signs = list(Invitation(key).code.replace("-", ""))
        before = list(signs)
        signs[one], signs[other] = signs[other], signs[one]
        if signs != before:
            with pytest.raises(InvitationError, match="is wrong"):
                read_invitation("".join(signs))

    @given(KEYS, st.integers(1, 26))
    def test_a_code_cut_off(self, key: bytes, length: int) -> None:
        with pytest.raises(InvitationError, match="27 digits and letters; this one has"):
            read_invitation(Invitation(key).code.replace("-", "")[:length])


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "27 digits and letters"),
            ("U" * 27, "without U"),
            ("papan:watch/000000000-000000000-000000000", "is no invitation"),
            ("papan:join", "27 digits and letters"),
            ("papan:", "is no invitation"),
            ("papan:join/0?at=[", "27 digits and letters"),
            ("papan:join/000000000-000000000-000000000?at=[", "is no address"),
            ("papan:join/000000000-000000000-000000000?at=a%20b", "is no address"),
            ("papan:join/000000000-000000000-000000000?at=user@host", "is no address"),
            ("papan:join/000000000-000000000-000000000?at=host:99999", "is no address"),
            ("papan:join/000000000-000000000-000000000?at=host/path", "is no address"),
            ("papan:join/000000000-000000000-000000000?a=1&b=1&c=1&d=1&e=1", "is no invitation"),
        ],
    )
    def test_with_a_sentence(self, text: str, says: str) -> None:
        with pytest.raises(InvitationError, match=says):
            read_invitation(text)

    @given(st.text())
    def test_any_text(self, text: str) -> None:
        for tried in (text, f"papan:{text}", f"papan:join/{Invitation(bytes(16)).code}?at={text}"):
            try:
                read_invitation(tried)
            except InvitationError as error:
                assert len(str(error)) < 300 and str(error).isprintable()

    @given(st.text())
    def test_any_address(self, text: str) -> None:
        try:
            found = read_address(text)
        except InvitationError:
            return
        assert 0 < found.port < 65536 and str(found).isprintable() and not set(found.host) & set("/?#@ ")

    def test_more_than_eight_addresses(self) -> None:
        link = Invitation(bytes(16), tuple(Address(f"h{n}") for n in range(50))).link
        assert len(read_invitation(link).addresses) == 8


class TestProofs:
    @given(KEYS, KEYS)
    def test_depend_on_everything(self, key: bytes, nonce: bytes) -> None:
        other = bytes(16) if key != bytes(16) else b"1" * 16
        base = proof(key, "host", b"certificate", nonce, key)
        assert base not in {
            proof(other, "host", b"certificate", nonce, key),
            proof(key, "guest", b"certificate", nonce, key),
            proof(key, "host", b"another", nonce, key),
            proof(key, "host", b"certificate", key + b"1", key),
            proof(key, "host", b"certificate", nonce, nonce + b"1"),
        }
        assert len(base) == 32 and key not in base and len(name_of(key)) == 8 and name_of(key) != name_of(other)


def test_new_ones_differ() -> None:
    assert len({Invitation.new().key for _ in range(100)}) == 100 and Address("a").port == DEFAULT_PORT
