"""Certificates: a proved result on file, so that anybody can check it without the prover that found it.

A certificate has a position of a game and *claims* about it. A claim says that a seat can force a goal, or that the
others can prevent it, and has the strategy that shows it: for each position in which its side is to act, the step.
Positions are not written down. A walk through all that can come, depth first and each state once, meets them in an
order that follows from the rules, and the strategy is the list of its choices in that order: numbers of steps among
the legal ones, sorted. ``walking`` has the walk; ``verifying`` replays it, ``certifying`` writes it.

The file is JSON; strategies are packed by zlib and written in base 85. A checksum tells a damaged file. That a claim
is true is told by replaying it only.
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
from typing import Any

from papan.game.base.foreign import parsed_json, quoted
from papan.game.base.sentences import Sentence, say

KIND = "papan certificate"
VERSION = 1
MOST_BYTES = 64 << 20
"""Of a file that is read."""
MOST_CHOICES = 10_000_000
LONG = 255
"""Stands before a choice of two bytes."""
_MOST_CHOICE = (1 << 16) - 1


class CertificateError(ValueError):
    """A file that is no certificate, or one that proves nothing; the message is a sentence that says why."""


@dataclass(frozen=True)
class Claim:
    """That a seat can force a goal or, where ``is_forced`` is false, that all others together can prevent it."""

    seat: int
    goal: int
    """As the kernel ``achieved`` knows it; 0 to win."""
    is_forced: bool
    chance_helps: bool
    """Whether chance is on the seat's side; else it is on the others'."""
    choices: Sequence[int]
    """By the numbers of the steps among the legal ones, sorted, in the order of the walk."""


@dataclass(frozen=True)
class Certificate:
    """What is claimed of a position."""

    game: str
    version: int
    """Of the game's rules."""
    options: Mapping[str, str]
    position: str
    """A position text of the game's."""
    claims: Sequence[Claim]


def write_certificate(certificate: Certificate) -> str:
    """The text of a file, which ``read_certificate`` reads."""
    body = {
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
    return json.dumps({"kind": KIND, "version": VERSION, **body, "sha256": _digest(body)}, indent=1) + "\n"


def read_certificate(content: bytes, name: str) -> Certificate:
    """The certificate in the *content* of the file *name*; nothing is said of whether its claims are true.

    :raises CertificateError: it is none, or damaged.
    """
    try:
        body = parsed_json(content)
    except ValueError:
        body = None
    if not isinstance(body, dict) or body.pop("kind", None) != KIND:
        raise CertificateError(say("{file} is no certificate.", file=quoted(name)))
    if body.pop("version", None) != VERSION:
        raise CertificateError(say("{file} is a certificate of a version that is not known.", file=quoted(name)))
    if body.pop("sha256", None) != _digest(body):
        raise CertificateError(say("{file} is damaged: its checksum does not fit.", file=quoted(name)))
    try:
        options = _field(body, "options", dict)
        if not all(isinstance(value, str) for value in options.values()):
            raise _Fault(say("an option is no text"))
        claims = [_claim(entry) for entry in _field(body, "claims", list)]
        if not claims:
            raise _Fault(say("it claims nothing"))
        return Certificate(
            _field(body, "game", str), _field(body, "rules", int), options, _field(body, "position", str), claims
        )
    except _Fault as fault:
        raise CertificateError(
            say("{file} is no certificate: {fault}.", file=quoted(name), fault=fault.args[0])
        ) from None


class _Fault(Exception):
    """What is wrong with a file, as a clause."""

    def __init__(self, clause: Sentence) -> None:
        super().__init__(clause)


def _digest(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _field(entry: Mapping[str, Any], name: str, kind: type) -> Any:
    value = entry.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _Fault(say("it lacks {name}, or has something else there", name=quoted(name)))
    return value


def _word(entry: Mapping[str, Any], name: str, words: Sequence[str]) -> str:
    word = str(_field(entry, name, str))
    if word not in words:
        raise _Fault(say("its {name} is {word}, none of {words}", name=name, word=quoted(word), words=", ".join(words)))
    return word


def _claim(entry: Any) -> Claim:
    """:raises _Fault: *entry* is none."""
    if not isinstance(entry, dict):
        raise _Fault(say("a claim is no object of JSON"))
    count = _field(entry, "choices", int)
    if not 0 <= count <= MOST_CHOICES:
        raise _Fault(say("a strategy has 0 to {most} choices", most=MOST_CHOICES))
    return Claim(
        _field(entry, "seat", int) - 1,
        _field(entry, "goal", int),
        _word(entry, "claim", ("forced", "prevented")) == "forced",
        _word(entry, "chance", ("and", "or")) == "or",
        _unpacked(_field(entry, "strategy", str), count),
    )


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
    """The *count* choices in *text*.

    :raises _Fault: there are others.
    """
    unpacker = zlib.decompressobj()
    try:
        packed = unpacker.decompress(base64.b85decode(text), 3 * count + 1)  # and no more, whatever is in it
    except (ValueError, binascii.Error, zlib.error):
        raise _Fault(say("a strategy can't be unpacked")) from None
    choices, at = array("H"), 0
    while at < len(packed):
        if packed[at] == LONG:
            choices.append(int.from_bytes(packed[at + 1 : at + 3], "big"))
            at += 3
        else:
            choices.append(packed[at])
            at += 1
    if len(choices) != count or at != len(packed):
        raise _Fault(say("a strategy has not as many choices as it says"))
    return choices
