"""``explore``: what was played in a position, by collections of games that ``papan import --collection`` made."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import click

from papan.commands import fields
from papan.commands.common import WholeNumber, command, option, print_json
from papan.commands.errors import refusal, refusing
from papan.game.base.sentences import NO_WORDS, Sentence, figures, joined, say, say_number
from papan.game.base.untrusted import quoted
from papan.game.game import Game, OptionError
from papan.game.presentation import known_names, seat_names
from papan.game.rules import BoardRows, NotationError, PositionError
from papan.lab.printing import numbers, show, show_said, table, texts

if TYPE_CHECKING:
    from papan.game.explorer import Collection, Explored, Filter, GameInfo
    from papan.game.explorer.patterns import Pattern
    from papan.game.explorer.query import Results
    from papan.game.match import Match

_PAYOFFS = {"1-0": 1.0, "1/2-1/2": 0.0, "0-1": -1.0}
_MOST_EXAMPLES = 4
"""Turns that are named as possible."""
_MOST_COMPARED = 50
_YEAR = WholeNumber(say("The year"), 0, 9999)


@dataclass(frozen=True)
class ExploreRequest:
    game: Game = fields.THE_GAME
    moves: str = option("The turns that led to the position, as in f5d6 or 'h2e2 h9g7'.", default="", metavar="TURNS")
    position: str | None = option(
        "Start from this position; with ? in it for anything, search for positions like it.", metavar="TEXT"
    )
    options: dict[str, str] = fields.GAME_OPTIONS
    collections: tuple[str, ...] = option(
        "A collection to ask; default: all of the game.", multiple=True, metavar="NAME", name="--collection"
    )
    player: str = option("Only games of a player with this in the name.", default="", metavar="NAME")
    since: int = option("Only games from this year on.", _YEAR, default=0, metavar="YEAR")
    until: int = option("Only games up to this year.", _YEAR, default=9999, metavar="YEAR")
    result: str | None = option("Only games with this result.", click.Choice(list(_PAYOFFS)))
    games: int = option("Games to list.", WholeNumber(say("The number of games"), 0, 1000), default=10)
    as_json: bool = fields.AS_JSON


@command(ExploreRequest, surplus=say("name turns with --moves, a position with --position"))
def explore(asked: ExploreRequest) -> None:
    """Show what was played in a position of GAME.

    Asks the collections that papan import FILE --collection NAME has made: which turns were played, how the games
    ended, in which years, and who played them. Symmetric positions count as one.

    With ? in the position it shows games with such positions: "B:W21:B1,2 ?" is a position and anything else,
    "?/?/?/3OX3/3XO3/???????X/?/? X" a board from the top in rows, with ? for a cell or a row, and digits for empty
    cells; the side to move may follow.
    """
    from papan.game.explorer import CollectionError, Filter, open_collections
    from papan.game.explorer import explore as answer
    from papan.game.explorer.collection import check_suits
    from papan.game.opening_names import opening_of

    with refusing(OptionError, PositionError, NotationError, CollectionError), ExitStack() as open_files:
        check_suits(asked.game)
        pattern = _pattern(asked)
        match = _match(asked) if pattern is None else None
        collections = open_collections(asked.game, asked.collections)
        for one in collections:
            open_files.enter_context(closing(one))
        if not collections:
            raise refusal(
                "There is no collection of {game}: make one with papan import FILE --collection NAME.",
                game=asked.game.title,
            )
        only = Filter(asked.player, (asked.since, asked.until), _PAYOFFS[asked.result] if asked.result else None)
        if pattern is not None:
            _search(asked, collections, pattern, only)
            return
        assert match is not None
        found = answer(collections, match.state, match.rules, only, asked.games)
    opening = opening_of(match)
    if asked.as_json:
        told = {"opening": opening.full} if opening else {}
        print_json({"game": asked.game.name, "position": match.rules.text(match.state), **told, **_facts(found)})
    else:
        if opening:
            show_said("Opening: {name}.", name=opening.full)
        _print(match, found)


def _pattern(asked: ExploreRequest) -> tuple[Pattern, BoardRows] | None:
    """The pattern of the position, and the board; None for a position without ?."""
    from papan.game.explorer.collection import board_of
    from papan.game.explorer.patterns import is_pattern, read_pattern

    if asked.position is None or not is_pattern(asked.position):
        return None
    if asked.moves:
        raise refusal("--moves and a position with ? exclude each other.")
    options = asked.game.complete_options({"first": "1", **asked.options})
    board = board_of(asked.game, asked.game.rules.start(options, Random(0)))
    return read_pattern(asked.position, asked.game.rules, board, options), board


def _search(
    asked: ExploreRequest, collections: Sequence[Collection], pattern: tuple[Pattern, BoardRows], only: Filter
) -> None:
    """Show the games with positions that fit."""
    from papan.game.explorer.patterns import search, write_pattern

    found = search(collections, *pattern, only, asked.games)
    assert found is not None
    if asked.as_json:
        games = [{**_game_facts(collection, game), "turns": turns} for collection, game, turns in found.games]
        facts = {"results": found.results._asdict(), "games": games}
        print_json({"game": asked.game.name, "pattern": write_pattern(*pattern), **facts})
        return
    total = found.results.games
    show(
        say_number(
            "{game}: {count} game with such a position.", "{game}: {count} games with such a position.",
            total, game=asked.game.title, count=figures(total),
        )
    )  # fmt: skip
    for collection, game, turns in found.games:
        after = say_number("after {count} turn", "after {count} turns", turns)
        show(_in_words(asked.game, collection, game, after))


def _match(asked: ExploreRequest) -> Match:
    """The match that led to the position."""
    from papan.game.match import Match
    from papan.game.match.notation import parse_turn

    players = ["?"] * asked.game.seats[0]
    match = Match.new(asked.game, players, {"first": "1", **asked.options}, 0, asked.position)
    for text in asked.moves.split():
        while text:
            read = _longest(match, text)
            try:
                steps = parse_turn(match.rules, match.state, read)
            except NotationError as error:
                raise _no_turn(match, text) or error from None
            for step in steps:
                match.play(step)
            text = text[len(read) :]
    return match


def _no_turn(match: Match, text: str) -> NotationError | None:
    """The error for *text*, which begins with no turn of *match*; None if the game is over or *text* is ambiguous."""
    from papan.game.explorer.query import turns_of
    from papan.game.match.notation import write_turn

    rules, state = match.rules, match.state
    able = [write_turn(rules, state, steps) for steps, _key in islice(turns_of(state, rules), _MOST_COMPARED)]
    if not able or text in able:
        return None
    size = len(able[0]) if {*map(len, able)} == {len(able[0])} else len(text)
    return NotationError.saying(
        "Turn {number} can't be {text}; possible: {ways}.",
        number=len(match.turns()) + 1, text=quoted(text[:size]),
        ways=joined([*able[:_MOST_EXAMPLES], *(["…"] if len(able) > _MOST_EXAMPLES else [])], ", "),
    )  # fmt: skip


def _longest(match: Match, text: str) -> str:
    """The longest beginning of *text* that is a turn, as turns may stand together; all of it if none is."""
    from papan.game.match.notation import parse_turn

    for end in range(len(text), 0, -1):
        try:
            parse_turn(match.rules, match.state, text[:end])
        except NotationError:
            continue
        return text[:end]
    return text


def _facts(found: Explored) -> dict[str, Any]:
    return {
        "results": found.results._asdict(),
        "turns": [
            {
                "turn": one.notation,
                "results": one.results._asdict(),
                "years": list(one.years),
                "players": list(one.players),
            }
            for one in found.continuations
        ],
        "games": [_game_facts(collection, game) for collection, game in found.games],
    }


def _game_facts(collection: Collection, game: GameInfo) -> dict[str, Any]:
    return {"collection": collection.name, "number": game.number, "players": list(game.players), "date": game.date,
            "event": game.event, "payoff": game.payoff}  # fmt: skip


def _print(match: Match, found: Explored) -> None:
    total = found.results.games
    show(
        say_number(
            "{game}: {count} game with this position.", "{game}: {count} games with this position.",
            total, game=match.game.title, count=figures(total),
        )
    )  # fmt: skip
    if not total:
        return
    show()
    first, second = seat_names(match.game, match.states[0])
    shares = say("{name} won", name=first), say("drawn"), say("{name} won", name=second)
    table(
        [*texts(say("turn")), *numbers(say("games"), *shares), *texts(say("years"), say("players"))],
        [
            [
                one.notation, figures(one.results.games), *_shares(one.results), _years(one.years),
                ", ".join(one.players),
            ]
            for one in found.continuations
        ],
    )  # fmt: skip
    if found.games:
        show()
    for collection, game in found.games:
        show(_in_words(match.game, collection, game))


def _in_words(game: Game, collection: Collection, info: GameInfo, after: str = NO_WORDS) -> Sentence:
    """A game of *collection* in a line."""
    players = joined(known_names(info.players, game), " – ")
    told = [*filter(None, (info.date, players, info.event, after)), f"({collection.name})"]
    return joined(told, "  ")


def _shares(results: Results) -> list[str]:
    """The shares of the games with a known result that the first seat won, that were drawn, that the second won."""
    known = results.games - results.unknown
    return [figures(number / known, ".0%") if known else "–" for number in results[:3]]


def _years(years: tuple[int, int]) -> str:
    first, last = years
    return "" if not last else f"{last}" if first == last else f"{first}–{last}"
