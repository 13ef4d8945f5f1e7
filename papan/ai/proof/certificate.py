"""Certificates: files of proved results, which can be checked without the prover that found them.

A certificate has a position of a game and *claims* about it. A claim says that a seat can force a goal, or that the
others can prevent it, and has the strategy that shows it: the step for each position with its side to act. Positions
are not stored. A depth-first walk visits each reachable state once, in an order that follows from the rules. The
strategy is the list of choices in that order: indices of steps among the sorted legal ones. ``verifying`` replays the
walk, ``certifying`` writes it.

The file is JSON; strategies are packed by zlib and written in base 85. A checksum detects damage. Only replaying a
claim shows that it is true.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from papan.game.base.sentences import SentenceError
from papan.game.base.typed import FaultError, converted
from papan.game.base.untrusted import parsed_json, quoted

KIND = "papan certificate"
VERSION = 1
MOST_BYTES = 16 << 20
"""Of a file to read."""
MOST_CHOICES = 10_000_000
"""Of all strategies of a file together."""
MOST_STATES = 5_000_000
"""The most positions that all strategies of a file of any size may visit: more take too much memory."""
_FREE_STATES, _STATES_PER_BYTE = 100_000, 40
LONG = 255
"""The byte before a choice of two bytes."""


class CertificateError(SentenceError, ValueError):
    """A file is no certificate, or proves nothing; the message is a sentence that says why."""


@dataclass(frozen=True)
class Claim:
    """A seat can force a goal or, if ``is_forced`` is false, all others together can prevent it."""

    seat: int
    goal: int
    """By the numbers of the kernel ``achieved``; 0 to win."""
    is_forced: bool
    chance_helps: bool
    """Whether chance is on the seat's side; else it is on that of the others."""
    choices: Sequence[int]
    """Indices of the steps among the sorted legal ones, in the order of the walk."""


@dataclass(frozen=True)
class Certificate:
    game: str
    version: int
    """The version of the game's rules."""
    options: Mapping[str, str]
    position: str
    """A position text of the game."""
    claims: Sequence[Claim]
    most_states: int = MOST_STATES
    """The most positions that all its strategies together may visit."""


def states_allowed(size: int) -> int:
    """The most positions for the strategies of a file of *size* bytes, so that no small file causes long work.

    No certificate in ``docs/certificates`` visits more than 5 for each byte.
    """
    return min(MOST_STATES, _FREE_STATES + _STATES_PER_BYTE * size)


def write_certificate(certificate: Certificate) -> str:
    """The text of a file for ``read_certificate``."""
    return sealed(
        {
            "game": certificate.game,
            "rules": certificate.version,
            "options": dict(certificate.options),
            "position": certificate.position,
            "claims": [
                {
                    "seat": claim.seat + 1,
                    "goal": claim.goal,
                    "claim": "forced" if claim.is_forced else "prevented",
                    "chance": "or" if claim.chance_helps else "and",
                    "choices": len(claim.choices),
                    "strategy": base64.b85encode(zlib.compress(_packed(claim.choices), 9)).decode(),
                }
                for claim in certificate.claims
            ],
        }
    )


def sealed(body: Mapping[str, Any]) -> str:
    return json.dumps({"kind": KIND, "version": VERSION, **body, "sha256": _digest(body)}, indent=1) + "\n"


def read_certificate(content: bytes, name: str) -> Certificate:
    """The certificate in the *content* of the file *name*; its claims are not checked.

    :raises CertificateError: it is none, or damaged.
    """
    try:
        body = parsed_json(content, _without_twins)
        if not isinstance(body, dict) or body.pop("kind", None) != KIND:
            raise CertificateError.saying("{file} is not a certificate.", file=quoted(name))
        if body.pop("version", None) != VERSION:
            raise CertificateError.saying("{file} is a certificate of a version that is not known.", file=quoted(name))
        if body.pop("sha256", None) != _digest(body):
            raise CertificateError.saying("{file} is damaged: its checksum does not fit.", file=quoted(name))
        return _certificate(converted(body, CertificateData), states_allowed(len(content)))
    except (_Fault, FaultError) as fault:
        raise CertificateError.saying(
            "{file} is not a certificate: {fault}.", file=quoted(name), fault=fault.args[0]
        ) from None
    except CertificateError:
        raise
    except (ValueError, RecursionError):
        raise CertificateError.saying("{file} is not a certificate.", file=quoted(name)) from None


class _Fault(SentenceError):
    """A fault of a file, as a clause."""


_Number = Annotated[int, Meta(ge=0, le=1 << 31)]
_Text = Annotated[str, Meta(max_length=100_000)]
"""No longer than a graph of 126 nodes whose edges are all named."""


class ClaimData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``Claim`` in JSON."""

    seat: Annotated[int, Meta(ge=1, le=1 << 31)]
    goal: _Number
    claim: Literal["forced", "prevented"]
    chance: Literal["and", "or"]
    choices: _Number
    strategy: str


class CertificateData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``Certificate`` in JSON. A field that is not known might be a condition."""

    game: _Text
    rules: _Number
    options: dict[str, _Text]
    position: _Text
    claims: Annotated[list[ClaimData], Meta(min_length=1)]


def _digest(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """:raises _Fault: a name is there twice, so that two readers could understand it differently."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Fault.saying("an object has the same key twice")
    return found


def _certificate(body: CertificateData, most_states: int) -> Certificate:
    asked = [(entry.seat, entry.goal, entry.chance) for entry in body.claims]
    if len(set(asked)) < len(asked):
        raise _Fault.saying("two claims are about the same seat and goal")
    if sum(entry.choices for entry in body.claims) > MOST_CHOICES:
        raise _Fault.saying("its strategies have more than {most} choices", most=MOST_CHOICES)
    claims = [
        Claim(
            entry.seat - 1,
            entry.goal,
            entry.claim == "forced",
            entry.chance == "or",
            _unpacked(entry.strategy, entry.choices),
        )
        for entry in body.claims
    ]
    return Certificate(body.game, body.rules, body.options, body.position, claims, most_states)


def _packed(choices: Sequence[int]) -> bytes:
    packed = bytearray()
    for choice in choices:
        if choice >= LONG:
            packed.append(LONG)
            packed += choice.to_bytes(2, "big")
        else:
            packed.append(choice)
    return bytes(packed)


def _unpacked(text: str, count: int) -> Sequence[int]:
    """The *count* choices in *text*; raises _Fault if it has another number."""
    unpacker = zlib.decompressobj()
    try:
        packed = unpacker.decompress(base64.b85decode(text), 3 * count + 1)  # and no more, whatever the text
    except (ValueError, binascii.Error, zlib.error):
        raise _Fault.saying("a strategy can't be unpacked") from None
    if not unpacker.eof or unpacker.unused_data:
        raise _Fault.saying("a strategy can't be unpacked")
    choices, at = array("H"), 0
    if LONG not in packed:
        choices.extend(iter(packed))
        at = len(packed)
    while at < len(packed):
        if packed[at] == LONG:
            choices.append(int.from_bytes(packed[at + 1 : at + 3], "big"))
            at += 3
        else:
            choices.append(packed[at])
            at += 1
    if len(choices) != count or at != len(packed):
        raise _Fault.saying("a strategy has not as many choices as it says")
    return choices
