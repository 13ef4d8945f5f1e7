"""Thousands of corrupted texts, given to the program's readers of foreign texts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from dev.trials import MOST, Counts, TrialFailure, trial
from papan.ai.players import PlayerError, choices, make_player
from papan.game.base.untrusted import decimal_number, plain, whole_number
from papan.game.catalogue import GAMES, find
from papan.game.game import Game, OptionError
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.match.record import RecordError, read, write
from papan.game.rules import CHANCE, NotationError
from papan.testing import Broken
from papan.testing.texts import check_position_or_refusal

TEXTS = 500  # of a case
MOST_SECONDS = 5.0  # processor seconds for one text
MOST_SENTENCE = 1000  # the most characters of a refusal, which may list all gods
STEPS = 14  # of the matches in real texts: enough for every phase, and quickly read
LONG = 3000  # the most repetitions of a part
_ODD_SIGNS = "\x00\x07\x1b\x7f\x9b\n\r\t \u2028\u202e\ufeff\ud800٣２½²😀\"'\\{}[]();|:/,.=-+_?*"
_ODD = [*_ODD_SIGNS, "0", "9" * 30, "1_0", "nan"]


class Reader(NamedTuple):
    """A reader of foreign texts."""

    name: str
    read: Callable[[str], object]
    refusals: tuple[type[Exception], ...]
    """The errors that it may raise to refuse a text."""
    samples: Sequence[str]


def readers(game: Game, random: Random) -> list[Reader]:
    match = _match_of(game, random)
    rules, options = game.rules, match.options
    firsts = [turn.first_step for turn in match.turns()]
    positions = [rules.text(match.states[index]) for index in firsts]
    middle = match.states[random.choice(firsts)]
    turns = [turn.notation for turn in match.turns()]

    chosen = [f"{option.name}={value}" for option in game.options.values() for value in option.values]
    players = [choice.name for choice in choices(game)]

    def read_option(text: str) -> object:
        name, _, value = text.partition("=")
        return game.complete_options({name: value})

    def read_turn(text: str) -> object:
        return parse_turn(rules, middle, text, may_be_unfinished=True)

    return [
        Reader(f"positions of {game.name}", lambda text: check_position_or_refusal(game, options, text), (), positions),
        Reader(f"turns of {game.name}", read_turn, (NotationError,), turns),
        Reader(f"records of {game.name}", read, (RecordError,), [write(match)]),
        Reader(f"options of {game.name}", read_option, (OptionError,), chosen),
        Reader(f"players of {game.name}", lambda text: make_player(text, game), (PlayerError,), players),
    ]


COMMON = (
    Reader("whole numbers", whole_number, (), ["0", "12", "-7", "123456789"]),
    Reader("numbers", decimal_number, (), ["0.5", "12", "1e3"]),
    Reader("names of games", find, (OptionError,), list(GAMES)),
)


def spoilt(text: str, samples: Sequence[str], random: Random) -> str:
    """*text* after a few random edits: parts removed, repeated, moved, taken from other *samples*, or inserted."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        start, end = sorted(random.choices(range(len(text) + 1), k=2))
        if random.random() < 0.5:
            end = min(end, start + 3)
        part = text[start:end]
        other = random.choice(samples)
        one, before = random.choice(_ODD), random.choice(_ODD) + part
        several = "".join(random.choices([*_ODD, *text], k=random.randrange(1, 6)))
        foreign = other[random.randrange(len(other) + 1) :][: random.randrange(1, 20)]
        put_in = random.choice(("", part + part, part[::-1], one, before, several, foreign))
        if random.random() < 0.01:
            put_in = (put_in or "/") * random.randrange(LONG)
        text = text[:start] + put_in + text[end:]
    return text


def fault(reader: Reader, text: str) -> str:
    """The fault in how *reader* handles *text*; "" without one."""
    try:
        reader.read(text)
    except reader.refusals as error:
        said = str(error)
        if not said or len(said) > MOST_SENTENCE or plain(said) != said:
            return f"the refusal is {said!r}"
    except Broken as error:
        return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def read_spoilt(number: int, seed: int, games: Sequence[Game]) -> Iterator[tuple[Reader, str, str]]:
    """Have all readers in turn read *number* corrupted texts; yield the reader, the text, and the fault."""
    random = Random(seed)
    every = [*COMMON, *(reader for game in games for reader in readers(game, random))]
    for index in range(number):
        reader = every[index % len(every)]
        text = spoilt(random.choice(reader.samples), reader.samples, random)
        yield reader, text, fault(reader, text)


def _match_of(game: Game, random: Random) -> Match:
    options = {option.name: random.choice(list(option.values)) for option in game.own_options}
    match = Match.new(game, ["random"] * random.choice(list(game.seats)), None, random.randrange(2**31))
    for seats in random.sample(list(game.seats), len(game.seats)):
        try:
            match = Match.new(game, ["random"] * seats, options, random.randrange(2**31))
        except OptionError:
            continue  # not a possible setup, such as teams of three
        break
    while match.ending is None and len(match.steps) < STEPS:
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    return match


@trial("texts", "spoilt texts are read or refused in a short sentence, and soon")
def case(seed: int, folder: Path) -> Counts:
    names = list(GAMES)
    slowest, before = 0.0, time.process_time()
    for reader, text, found in read_spoilt(TEXTS, seed, [GAMES[names[seed % len(names)]]]):
        now = time.process_time()
        slowest, before = max(slowest, now - before), now
        if found:
            raise TrialFailure(f"{reader.name} given {text[:200]!r}: {found[:500]}")
        if slowest > MOST_SECONDS:
            raise TrialFailure(f"{reader.name} took {slowest:.1f} s for {text[:200]!r}")
    return Counter({"texts": TEXTS, f"{MOST} milliseconds of a text": round(1000 * slowest)})
