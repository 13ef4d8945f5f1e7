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
from typing import Any

from papan.game.base.sentences import SentenceError
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
_MOST_NUMBER = 1 << 31
_LONGEST_TEXT = 100_000
"""Characters: a graph of 126 nodes whose edges are all named has no more."""
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
        return _certificate(body, states_allowed(len(content)))
    except _Fault as fault:
        raise CertificateError.saying(
            "{file} is not a certificate: {fault}.", file=quoted(name), fault=fault.args[0]
        ) from None
    except CertificateError:
        raise
    except (ValueError, RecursionError):
        raise CertificateError.saying("{file} is not a certificate.", file=quoted(name)) from None


class _Fault(SentenceError):
    """A fault of a file, as a clause."""


def _digest(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """:raises _Fault: a name is there twice, so that two readers could understand it differently."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Fault.saying("an object has the same key twice")
    return found


def _certificate(body: Mapping[str, Any], most_states: int) -> Certificate:
    _check_names(body, ("game", "rules", "options", "position", "claims"))
    options = _field(body, "options", dict)
    if not all(isinstance(value, str) for value in options.values()):
        raise _Fault.saying("an option is not a text")
    entries = _field(body, "claims", list)
    if not entries:
        raise _Fault.saying("it contains no claim")
    _check_claims(entries)
    return Certificate(
        _text(body, "game"),
        _number(body, "rules", 0),
        {name: _text(options, name) for name in options},
        _text(body, "position"),
        [_claim(entry) for entry in entries],
        most_states,
    )


def _check_claims(entries: Sequence[Any]) -> None:
    """:raises _Fault: two of the *entries* claim or deny the same, or have too many choices together."""
    asked: set[tuple[Any, ...]] = set()
    choices = 0
    for entry in entries:
        if not isinstance(entry, dict):
            raise _Fault.saying("a claim is not a JSON object")
        _check_names(entry, ("seat", "goal", "claim", "chance", "choices", "strategy"))
        question = _number(entry, "seat", 1), _number(entry, "goal", 0), _word(entry, "chance", ("and", "or"))
        _word(entry, "claim", ("forced", "prevented"))
        if question in asked:
            raise _Fault.saying("two claims are about the same seat and goal")
        asked.add(question)
        choices += _number(entry, "choices", 0)
        if choices > MOST_CHOICES:
            raise _Fault.saying("its strategies have more than {most} choices", most=MOST_CHOICES)


def _check_names(entry: Mapping[str, Any], names: Sequence[str]) -> None:
    """:raises _Fault: there is a name that is not among *names*: it might be a condition."""
    for name in entry:
        if name not in names:
            raise _Fault.saying("it has an unknown field {name}", name=quoted(name))


def _field(entry: Mapping[str, Any], name: str, kind: type) -> Any:
    value = entry.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _Fault.saying("it lacks {name}, or has something else there", name=quoted(name))
    return value


def _text(entry: Mapping[str, Any], name: str) -> str:
    text = str(_field(entry, name, str))
    if len(text) > _LONGEST_TEXT:
        raise _Fault.saying("its {name} is longer than {most} characters", name=quoted(name), most=_LONGEST_TEXT)
    return text


def _number(entry: Mapping[str, Any], name: str, least: int) -> int:
    number = int(_field(entry, name, int))
    if not least <= number <= _MOST_NUMBER:
        name, most = quoted(name), _MOST_NUMBER
        raise _Fault.saying(
            "its {name} is not a whole number from {least} to {most}", name=name, least=least, most=most
        )
    return number


def _word(entry: Mapping[str, Any], name: str, words: Sequence[str]) -> str:
    word = str(_field(entry, name, str))
    if word not in words:
        raise _Fault.saying(
            "its {name} is {word}, none of {words}", name=name, word=quoted(word), words=", ".join(words)
        )
    return word


def _claim(entry: Mapping[str, Any]) -> Claim:
    return Claim(
        entry["seat"] - 1,
        entry["goal"],
        entry["claim"] == "forced",
        entry["chance"] == "or",
        _unpacked(_field(entry, "strategy", str), entry["choices"]),
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
