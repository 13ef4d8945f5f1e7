"""Letters of a match by correspondence: a text such as ``papan:AQFd…`` that two people send each other in turn.

A letter holds the whole match so far and the sender's signature. As bytes, which the text has in base64url::

    version (1 byte), length of all (2), public key of the sender (32), signature of all else (64), body

The body is MessagePack, the fields of ``_Body``. The length says where a letter ends in a longer text, and whether it
is whole. A step is its rank among the notations of all legal steps, and the ranks are the digits of one number whose
bases are the numbers of legal steps: about three bits a step in checkers. A digest of the notations tells whether both
programs mean the same steps.

Trust begins with the first letter that each side sends: later letters must have the same keys (``judge``). Nothing here
touches a file.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Literal, NamedTuple

import msgspec

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted, shortened
from papan.game.catalogue import find
from papan.game.formats.source import FormatError
from papan.game.game import Game, OptionError
from papan.game.match import Conclusion, Match
from papan.game.rules import PositionError, State, is_over, legal_steps, mover
from papan.online.identity import KEY_BYTES, SIGNATURE_BYTES, Identity, is_signed

SCHEME = "papan:"
SUFFIX = ".papan-letter"
MOST_CHARACTERS = 1 << 17
"""The longest text in which a letter is looked for."""
VERSION = 1
SEATS = 2
LONGEST_NAME = 40
_HEAD = 3
_LEAST = _HEAD + KEY_BYTES + SIGNATURE_BYTES
_MOST_BYTES = (1 << 16) - 1
_MOST_STEPS = 5_000
_ID_BYTES = 12
_DIGEST_BYTES = 4
_BEFORE_SIGNED = b"papan letter\0"
_FOUND = re.compile(rf"\b{SCHEME}/{{0,2}}([A-Za-z0-9_\s>-]*+)", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s>]+")
"""What mail programs put between the lines of a long word."""


class LetterError(FormatError):
    """A text is no letter, or not one that goes on with the match; the message says why."""


class _Body(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    match_id: Annotated[bytes, msgspec.Meta(min_length=_ID_BYTES, max_length=_ID_BYTES)]
    sender: Literal[0, 1]
    other_key: Annotated[bytes, msgspec.Meta(max_length=KEY_BYTES)]
    names: tuple[str, str]
    game: str
    version: int
    options: dict[str, str]
    """Those that differ from the defaults."""
    position: str
    """The first position; "" if the rules begin so."""
    ended: Literal["", "agreed", "resigned"]
    offers_draw: bool
    count: Annotated[int, msgspec.Meta(ge=0, le=_MOST_STEPS)]
    """The number of steps."""
    ranks: bytes
    """Their ranks as one number, the last byte first."""
    digest: Annotated[bytes, msgspec.Meta(min_length=_DIGEST_BYTES, max_length=_DIGEST_BYTES)]
    """The beginning of the SHA-256 of their notations."""


@dataclass(frozen=True)
class Letter:
    """A letter: the match up to the end of the sender's turn."""

    match_id: str
    """24 hexadecimal digits, the same in all letters of a match."""
    game: Game
    options: Mapping[str, str]
    """All options."""
    start: State
    steps: tuple[int, ...]
    conclusion: Conclusion | None
    """How the sender ended the match, if the rules did not."""
    offers_draw: bool
    sender: int
    """The sender's seat."""
    keys: tuple[bytes, bytes]
    """The public key of the person in each seat; empty for one who has not answered yet."""
    names: tuple[str, str]
    """What the persons call themselves, by seat; "" for no name."""

    def played(self, seats: tuple[str, str], steps: int | None = None) -> Match:
        """The match after so many *steps*, or all and the conclusion.

        :param seats: the players' names in the library.
        """
        match = Match(self.game, seats, self.options, 0, self.start)
        match.play_legal(self.steps[:steps])
        if steps is None and self.conclusion is not None:
            match.conclude(self.conclusion)
        return match

    @property
    def before_last_turn(self) -> int:
        """The number of steps before the sender's last turn."""
        states, count = self.played(("", "")).states, len(self.steps)
        while count and mover(states[count - 1]) == self.sender:
            count -= 1
        return count


def new_match_id() -> str:
    return secrets.token_hex(_ID_BYTES)


def refusal(game: Game) -> str:
    """Why *game* can't be played by letter, as a sentence; "" if it can."""
    if SEATS not in game.seats:
        return say("{game} is not for two, so it can't be played by letter.", game=game.title)
    if game.has_hidden_information:
        return say("{game} has hidden cards, and a letter can't hide them: play it at one screen.", game=game.title)
    if game.has_chance:
        return say(
            "{game} has chance in it, and whoever writes a letter could choose the outcome: play it at one screen.",
            game=game.title,
        )
    return ""


def holds_letter(text: str) -> bool:
    """Whether *text* seems to hold a letter.

    >>> holds_letter("My move: papan:AQ"), holds_letter("1. e4 e5")
    (True, False)
    """
    return _FOUND.search(text[:MOST_CHARACTERS]) is not None


def write(letter: Letter, identity: Identity) -> str:
    """*letter* as text, signed by *identity*, whose key the sender's must be.

    :raises LetterError: the match is too long for a letter.
    """
    match = Match(letter.game, ("", ""), letter.options, 0, letter.start)
    match.play_legal(letter.steps)
    ranks, notations = 0, []
    for state, step in reversed(list(zip(match.states, match.steps, strict=False))):
        ranked = _ranked(letter.game, state)
        ranks = ranks * len(ranked) + ranked.index(step)
        notations.append(letter.game.rules.notation(state, step))
    defaults = letter.game.complete_options({})
    body = _Body(
        bytes.fromhex(letter.match_id),
        0 if letter.sender == 0 else 1,
        letter.keys[1 - letter.sender],
        letter.names,
        letter.game.name,
        letter.game.version,
        {name: value for name, value in letter.options.items() if value != defaults.get(name)},
        "" if letter.start == _usual_start(letter.game, letter.options) else letter.game.rules.text(letter.start),
        "" if letter.conclusion is None else "agreed" if letter.conclusion.seat is None else "resigned",
        letter.offers_draw,
        len(letter.steps),
        ranks.to_bytes(-(-ranks.bit_length() // 8), "little"),
        _digest(reversed(notations)),
    )
    packed = msgspec.msgpack.encode(body)
    length = _LEAST + len(packed)
    if length > _MOST_BYTES or len(letter.steps) > _MOST_STEPS:
        raise LetterError.saying("The match is too long for a letter.")
    head = bytes([VERSION]) + length.to_bytes(2, "big") + identity.public
    raw = head + identity.sign(_BEFORE_SIGNED + head + packed) + packed
    return _written(raw)


def cut_out(text: str) -> str:
    """The first letter in *text*, without what stands around it; raises LetterError if there is none."""
    return _written(_raw(text))


def _written(raw: bytes) -> str:
    return SCHEME + base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read(text: str) -> Letter:
    """The first letter in *text*; it is whole, signed by its sender, and its steps are legal.

    :raises LetterError: there is none.
    """
    raw = _raw(text)
    head, signature, packed = raw[: _HEAD + KEY_BYTES], raw[_HEAD + KEY_BYTES : _LEAST], raw[_LEAST:]
    key = head[_HEAD:]
    if not is_signed(_BEFORE_SIGNED + head + packed, signature, key):
        raise LetterError.saying(
            "The letter was changed on its way: its signature does not fit. Ask for it again, and copy it whole."
        )
    try:
        body = msgspec.msgpack.decode(packed, type=_Body)
        if len(body.other_key) not in (0, KEY_BYTES) or body.other_key == key:
            raise ValueError
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise LetterError.saying("The letter makes no sense inside, so no Papan wrote it.") from error
    return _letter(body, key)


class Glance(NamedTuple):
    """What a letter tells without its match being played."""

    steps: int
    is_ended: bool
    """Whether its sender ended the match, by resigning or agreeing to a draw."""


def glance(text: str) -> Glance:
    """Look at a letter that was read before.

    :raises LetterError: there is none.
    """
    try:
        body = msgspec.msgpack.decode(_raw(text)[_LEAST:], type=_Body)
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise LetterError.saying("The letter makes no sense inside, so no Papan wrote it.") from error
    return Glance(body.count, bool(body.ended))


def _raw(text: str) -> bytes:
    """The bytes of the first letter in *text*."""
    found = _FOUND.search(text[:MOST_CHARACTERS])
    if found is None:
        raise LetterError.saying("There is no letter here: a letter begins with {scheme}.", scheme=quoted(SCHEME))
    written = _BETWEEN.sub("", found[1])
    head = _decoded(written[:4])
    if len(head) < _HEAD:
        raise LetterError.saying("The letter is cut off after its beginning: copy it whole.")
    if head[0] != VERSION:
        raise LetterError.saying(
            "The letter has the form {version}, and this program knows the form {own}: the newer of the two programs "
            "can't write to the older one.",
            version=head[0],
            own=VERSION,
        )
    length = int.from_bytes(head[1:], "big")
    characters = -(-length * 4 // 3)
    if len(written) < characters:
        raise LetterError.saying(
            "The letter is cut off: it has {count} of its {all} characters. Copy it whole.",
            count=len(SCHEME) + len(written),
            all=len(SCHEME) + characters,
        )
    raw = _decoded(written[:characters])
    if len(raw) < _LEAST:
        raise LetterError.saying("The letter makes no sense inside, so no Papan wrote it.")
    return raw


def _decoded(written: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(written + "=" * (-len(written) % 4))
    except ValueError:  # of a length that base64 never has
        return b""


def _letter(body: _Body, key: bytes) -> Letter:
    """The letter with this *body*, whose steps are played."""
    try:
        game = find(body.game)
    except OptionError:
        raise LetterError.saying(
            "The letter is about the game {game}, which this program does not have: perhaps a plugin is missing.",
            game=quoted(body.game),
        ) from None
    if body.version != game.version:
        raise LetterError.saying(
            "The letter is about version {version} of {game}, and this program plays version {own}.",
            version=body.version,
            game=game.title,
            own=game.version,
        )
    if refusal(game):
        raise LetterError(refusal(game))
    try:
        options = game.complete_options(body.options)
        start = game.rules.parse(body.position, options) if body.position else _usual_start(game, options)
        match = Match(game, ("", ""), options, 0, start)
    except (OptionError, PositionError) as error:
        raise LetterError.saying("The match in the letter can't begin so: {error}", error=str(error)) from error
    _play(match, body)
    sender = body.sender
    conclusion = None
    if body.ended:
        conclusion = Conclusion("resigned", sender) if body.ended == "resigned" else Conclusion("agreed")
        if match.ending is not None:
            conclusion = None  # the rules ended it already
    if match.ending is None and conclusion is None and match.mover == sender:
        raise LetterError.saying("The letter ends in the middle of its sender's turn, so no Papan wrote it.")
    keys = (key, body.other_key) if sender == 0 else (body.other_key, key)
    first, second = (shortened(name.strip()[:LONGEST_NAME]) for name in body.names)
    return Letter(
        body.match_id.hex(),
        game,
        options,
        start,
        tuple(match.steps),
        conclusion,
        body.offers_draw and match.ending is None and conclusion is None,
        sender,
        keys,
        (first, second),
    )


def _play(match: Match, body: _Body) -> None:
    """Play the steps of *body* in *match*."""
    ranks, notations = int.from_bytes(body.ranks, "little"), []
    for number in range(1, body.count + 1):
        if match.ending is not None:
            raise LetterError.saying(
                "The match in the letter goes on after its end: step {number} can't follow.", number=number
            )
        ranked = _ranked(match.game, match.state)
        ranks, rank = divmod(ranks, len(ranked))
        notations.append(match.rules.notation(match.state, ranked[rank]))
        match.play_legal((ranked[rank],))
    if ranks or _digest(notations) != body.digest:
        raise LetterError.saying(
            "The steps in the letter mean others here, so the two programs play {game} by different rules: use the "
            "same version of Papan.",
            game=match.game.title,
        )


def _ranked(game: Game, state: State) -> Sequence[int]:
    """The legal steps by their notations."""
    return sorted(legal_steps(state, game.rules.MOST_STEPS), key=lambda step: (game.rules.notation(state, step), step))


def _digest(notations: Iterable[str]) -> bytes:
    return hashlib.sha256(" ".join(notations).encode()).digest()[:_DIGEST_BYTES]


def _usual_start(game: Game, options: Mapping[str, str]) -> State:
    return game.rules.start({**options, "first": "1"}, Random(0))


Standing = Literal["new", "known", "answered", "own"]


def judge(letter: Letter, kept: Letter | None, own_key: bytes) -> Standing:
    """How *letter* stands to the last letter *kept* of the match, which either side wrote.

    ``new``: it goes on with the match. ``known``: it is the one kept. ``answered``: it is older than that. ``own``: it
    was written here.

    :param own_key: the public key of this program.
    :raises LetterError: it is somebody else's, or tells another match than the letters before it.
    """
    if letter.keys[letter.sender] == own_key:
        return "own"
    receiver = 1 - letter.sender
    if letter.keys[receiver] not in (b"", own_key):
        raise LetterError.saying("The letter is for somebody else: it answers letters that another program wrote.")
    if kept is None:
        if letter.keys[receiver] == b"":
            _check_added(letter, 0)
        return "new"
    if kept.keys[receiver] not in (b"", own_key):
        raise LetterError.saying("The letter changes the seats of the match: you sit in the other one.")
    if kept.keys[letter.sender] not in (b"", letter.keys[letter.sender]):
        raise LetterError.saying(
            "The letter is signed with another key than the letters of this match before: somebody else wrote it, or "
            "your friend's program has lost its key."
        )
    _check_history(letter, kept)
    is_same = (letter.steps, letter.conclusion, letter.offers_draw) == (kept.steps, kept.conclusion, kept.offers_draw)
    if letter.sender == kept.sender:
        if is_same:
            return "known"
        if len(letter.steps) < len(kept.steps):
            return "answered"
        raise LetterError.saying("Your friend has written two different letters about one turn; the first one counts.")
    if len(letter.steps) < len(kept.steps) or (len(letter.steps) == len(kept.steps) and letter.conclusion is None):
        return "answered"
    if kept.conclusion is not None or is_over(kept.played(("", "")).state):
        raise LetterError.saying("The letter goes on with a match that is over.")
    if letter.keys[receiver] == b"":
        raise LetterError.saying("The letter does not know who it answers, so no Papan wrote it.")
    _check_added(letter, len(kept.steps))
    if letter.conclusion == Conclusion("agreed") and not (kept.offers_draw and len(letter.steps) == len(kept.steps)):
        raise LetterError.saying("The letter accepts a draw that you have not offered.")
    return "new"


def _check_history(letter: Letter, kept: Letter) -> None:
    """Raise LetterError if the shorter of the two is not the beginning of the other."""
    if (letter.game.name, letter.options, letter.start) != (kept.game.name, kept.options, kept.start):
        raise LetterError.saying("The letter tells another game, other rules or another first position than before.")
    for index, (step, known) in enumerate(zip(letter.steps, kept.steps, strict=False)):
        if step != known:
            turns = kept.played(("", "")).turns()
            number = next(number for number, turn in enumerate(turns, start=1) if turn.end_step > index)
            raise LetterError.saying(
                "The letter tells another match than the letters before it, from turn {number} on: somebody has "
                "changed what was played.",
                number=number,
            )


def _check_added(letter: Letter, known: int) -> None:
    """Raise LetterError if a step after the first *known* is not the sender's."""
    states = letter.played(("", "")).states
    for index in range(known, len(letter.steps)):
        if mover(states[index]) != letter.sender:
            raise LetterError.saying(
                "The letter holds turns of yours that you have not played: step {number} is one.", number=index + 1
            )
