"""What a host and its guests say to each other: a JSON text for each message, checked before anything uses it.

A guest proves that it has a seat's invitation, the host that it made it, and neither tells the key (see
``invitation``). The host then tells each seat the round that is played, and updates of it: what the seat may see, and
nothing else. A guest asks for changes; those that can't be made are refused, and the next update says what holds.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec

from papan.game.base.sentences import SentenceError

PROTOCOL = 1
"""Changes when an older program could not follow."""

MOST_FROM_GUEST = 2048
"""Bytes of a guest's longest message."""
MOST_FROM_HOST = 1 << 20
"""Bytes of a host's longest message."""
MOST_SEATS, MOST_STEPS, MOST_FIELDS = 8, 20_000, 400

NO_SHARE, NO_WINDOW = bytes(16), bytes(8)

Bytes8 = Annotated[bytes, msgspec.Meta(min_length=8, max_length=8)]
Bytes16 = Annotated[bytes, msgspec.Meta(min_length=16, max_length=16)]
Bytes32 = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
LONGEST_NAME = 40
Name = Annotated[
    str,
    msgspec.Meta(
        min_length=1, max_length=LONGEST_NAME,
        pattern=r"\A[^\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+\Z",
    ),
]  # fmt: skip
"""Without control characters, line breaks and changes of direction."""
Short = Annotated[str, msgspec.Meta(max_length=200)]
Long = Annotated[str, msgspec.Meta(max_length=20_000)]
Seat = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)]
SeatOrNone = Annotated[int, msgspec.Meta(ge=-1, lt=MOST_SEATS)]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Int64s = Annotated[list[Int64], msgspec.Meta(max_length=MOST_STEPS)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e6)]
Fields = Annotated[list[Int64], msgspec.Meta(max_length=MOST_FIELDS)]

Question = Literal["undo", "draw", "rematch"]
Why = Literal["not your turn", "another step", "illegal", "over", "nothing to undo", "nobody asked", "not yet"]
"""Why a request is refused."""
Farewell = Literal["elsewhere", "removed", "closed", "version", "not understood", "too slow", "full", "far"]
"""Why the host ends a connection."""


class ProtocolError(SentenceError, ValueError):
    """The other program said something that the protocol doesn't allow."""


class _Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="is", tag=str.lower):
    pass


class Hello(_Message, frozen=True):
    """The first message. *id* names the invitation (``invitation.name_of``)."""

    id: Bytes8
    nonce: Bytes16
    protocol: Number = PROTOCOL


class Challenge(_Message, frozen=True):
    """The answer to ``Hello``: the host's proof that it made the invitation."""

    nonce: Bytes16
    proof: Bytes32
    protocol: Number = PROTOCOL


class Proof(_Message, frozen=True):
    """The guest's proof that it has the invitation."""

    proof: Bytes32


class Welcome(_Message, frozen=True):
    """What is played at the table; *digest* is ``identity_of`` the game there."""

    game: Name
    digest: Bytes16
    options: Annotated[dict[Name, Long], msgspec.Meta(max_length=50)]
    host: Name
    control: Short
    pauses: bool
    """Whether the clocks wait for a player who is away."""
    program: Name
    """The version of the host's program."""
    commitment: Bytes32 | None = None
    """SHA-256 of the first round's secret, told before the guests give their shares; None once that round has begun."""
    member: SeatOrNone = -1
    """The reader's place in the host's list, from which the lot draws the first round's seats; -1 for a spectator."""


class Join(_Message, frozen=True):
    """The guest sits down. *share* goes into the first round's seed, so that the host can't choose it."""

    name: Name
    share: Bytes16 = NO_SHARE
    window: Bytes8 = NO_WINDOW
    """Which window takes the seat: one from which another has taken it may not come back."""


class Round(_Message, frozen=True):
    """A round that begins or goes on."""

    number: Number
    names: Annotated[list[Name], msgspec.Meta(min_length=2, max_length=MOST_SEATS)]
    """In the order of play."""
    seat: SeatOrNone
    """The reader's seat; -1 for a spectator."""
    here: Annotated[list[bool], msgspec.Meta(min_length=2, max_length=MOST_SEATS)]
    """The seats of persons; the others are the host's computers."""
    commitment: Bytes32
    """SHA-256 of the secret that ``Over`` tells."""
    start: Fields | Long
    """The first state as the reader sees it: its fields where something is hidden, else its text."""
    is_set_up: bool = False
    """Whether the host chose the first state; otherwise it follows from the options and the seed."""
    share: Bytes16 = NO_SHARE
    """The part of the seed that came from the reader's seat, perhaps from an earlier program there."""


class Clocks(_Message, frozen=True):
    left: Annotated[list[Seconds], msgspec.Meta(max_length=MOST_SEATS)]
    running: SeatOrNone


class Update(_Message, frozen=True):
    """What holds now. The steps from number *kept* on are *steps*; where something is hidden, *states* follow each."""

    round: Number
    revision: Number
    kept: Number
    steps: Int64s
    present: Annotated[list[bool], msgspec.Meta(max_length=MOST_SEATS)]
    states: Annotated[list[Fields], msgspec.Meta(max_length=MOST_STEPS)] = []
    clocks: Clocks | None = None
    question: tuple[Question, Seat] | None = None
    """What is asked, and by which seat."""
    conclusion: Short = ""
    """How the round was ended before the rules ended it: ``Conclusion.reason``."""


class Waiting(_Message, frozen=True):
    """Before the first round: who has come, in the order of the host's list."""

    names: Annotated[list[Name], msgspec.Meta(max_length=MOST_SEATS)]
    present: Annotated[list[bool], msgspec.Meta(max_length=MOST_SEATS)]


class Over(_Message, frozen=True):
    """A round has ended: all of it, and what its seed was made of; *commitment* is that of the next round's secret."""

    round: Number
    record: Annotated[str, msgspec.Meta(max_length=MOST_FROM_HOST)]
    secret: Bytes32
    shares: Annotated[list[Bytes16], msgspec.Meta(max_length=MOST_SEATS)]
    """Of the guests, in the order of the host's list."""
    commitment: Bytes32


class Play(_Message, frozen=True):
    """Play *step* as number *at*; said again after a lost connection, it changes nothing."""

    round: Number
    at: Number
    step: Int64


class Ask(_Message, frozen=True):
    """Ask the others. *share* goes into the seed of a rematch; links fill it in."""

    what: Question
    share: Bytes16 = NO_SHARE


class Answer(_Message, frozen=True):
    what: Question
    agrees: bool
    share: Bytes16 = NO_SHARE


class Resign(_Message, frozen=True):
    round: Number


class Phrase(_Message, frozen=True):
    """One of the quick phrases, by its number."""

    number: Annotated[int, msgspec.Meta(ge=0, lt=6)]


class Said(_Message, frozen=True):
    seat: Seat
    number: Annotated[int, msgspec.Meta(ge=0, lt=6)]


class Refused(_Message, frozen=True):
    why: Why


class Gone(_Message, frozen=True):
    """The last message of a connection, from either side."""

    why: Farewell


GuestMessage = Hello | Proof | Join | Play | Ask | Answer | Resign | Phrase | Gone
HostMessage = Challenge | Welcome | Waiting | Round | Update | Over | Said | Refused | Gone

M = TypeVar("M")


def _as_text(value: object) -> str:
    """The English text of a ``Sentence``."""
    if isinstance(value, str):
        return "".join(value)
    raise NotImplementedError


ENCODER = msgspec.json.Encoder(enc_hook=_as_text)
_FROM_GUEST: msgspec.json.Decoder[GuestMessage] = msgspec.json.Decoder(GuestMessage)
_FROM_HOST: msgspec.json.Decoder[HostMessage] = msgspec.json.Decoder(HostMessage)


def written(message: GuestMessage | HostMessage) -> str:
    return ENCODER.encode(message).decode()


def from_guest(text: str | bytes) -> GuestMessage:
    """:raises ProtocolError: *text* is no message of a guest."""
    return _read(_FROM_GUEST, text)


def from_host(text: str | bytes) -> HostMessage:
    """:raises ProtocolError: *text* is no message of a host."""
    return _read(_FROM_HOST, text)


def _read(decoder: msgspec.json.Decoder[M], text: str | bytes) -> M:
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        raise ProtocolError.saying("The other program said something that this one does not understand.") from None
