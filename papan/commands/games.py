"""``games``, ``perft`` and ``state``: commands that need only the rules."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papan.commands import fields
from papan.commands.common import WholeNumber, argument, command, option, print_json, seats_of
from papan.commands.errors import refusal, refusing
from papan.game.base.languages import said
from papan.game.base.protocols import offers
from papan.game.base.sentences import alternatives, figures, joined, say
from papan.game.catalogue import GAMES
from papan.game.game import Game, OptionError
from papan.game.match import Match
from papan.game.rules import Modelled, ModelView, PositionError
from papan.lab.printing import show, show_said, table, texts

_MOST_OPERATORS = 12
"""Operators printed at most; JSON has them all."""


@dataclass(frozen=True)
class GamesRequest:
    as_json: bool = fields.AS_JSON


@command(GamesRequest)
def games(asked: GamesRequest) -> None:
    """List the games with their options."""
    if asked.as_json:
        print_json({"games": [_game_facts(game) for game in GAMES.values()]})
        return
    rows = []
    for game in GAMES.values():
        options = joined((joined([option.name, option.gist], "=") for option in game.options.values()), "  ")
        rows.append((game.name, game.title, alternatives(map(str, game.seats)), options))
    table(texts(say("game"), say("title"), say("players"), say("options, the default first")), rows)


def _game_facts(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "tagline": game.tagline,
        "seats": list(game.seats),
        "version": game.version,
        "options": [
            {
                "name": option.name,
                "title": option.title,
                "default": option.default,
                "values": dict(option.values),
                "allowed": option.allowed,
            }
            for option in game.options.values()
        ],
    }


@dataclass(frozen=True)
class PerftRequest(fields.AnswerRequest):
    game: Game = fields.THE_GAME
    depth: int = argument(WholeNumber(say("The depth"), 1, 60))
    position: str | None = fields.POSITION


@command(PerftRequest)
def perft(asked: PerftRequest) -> None:
    """Count the ways to play DEPTH turns.

    Perft, the standard check of the rules of GAME.
    """
    from papan.game.perft import perft as count

    with refusing(OptionError, PositionError):
        # A fixed seed deals what chance decides before the first turn, so that counts can be compared.
        state = Match.new(
            asked.game, [""] * seats_of(asked.game, asked.options), asked.options, seed=0, position=asked.position
        ).state
    text = asked.game.rules.text(state)
    count(asked.game.rules, state, 1)  # compiles
    rows = []
    if not asked.as_json:
        show_said("{game}, {position}", game=asked.game.title, position=text or say("from the start"))
        show()
        show(_line(*map(said, (say("depth"), say("leaves"), say("seconds")))))
    for turns in range(1, asked.depth + 1):
        started = time.perf_counter()
        leaves = count(asked.game.rules, state, turns)
        seconds = time.perf_counter() - started
        rows.append({"depth": turns, "leaves": leaves, "seconds": round(seconds, 6)})
        if not asked.as_json:
            show(_line(f"{turns}", f"{leaves}", said(figures(seconds, ".3f"))))
    if asked.as_json:
        print_json({"game": asked.game.name, "position": text, "depth": asked.depth, "leaves": leaves, "depths": rows})


def _line(depth: str, leaves: str, seconds: str) -> str:
    return f"{depth:>9}{leaves:>24}{seconds:>10}"


@dataclass(frozen=True)
class StateRequest:
    game: Game = fields.THE_GAME
    options: dict[str, str] = fields.GAME_OPTIONS
    position: str | None = option("Show this position instead of a match's.", metavar="TEXT")
    record: str | None = option("The file with the match; - for standard input.", metavar="FILE", name="--match")
    which: int | None = fields.WHICH
    turn: int | None = option(
        "Show the position after N turns; default: the last one.",
        WholeNumber(say("The turn"), 0, fields.MOST_TURN),
        metavar="N",
    )
    as_json: bool = fields.AS_JSON


@command(StateRequest)
def state(asked: StateRequest) -> None:
    """Print a position in the notation of the published model of GAME.

    Shows all parts of the state, the phases and the applicable operators, as the paper writes them: of a match, of a
    position, or of the start.
    """
    match = _match_of(asked)
    rules = asked.game.rules
    if match.game is not asked.game:
        raise refusal("This is a match of {other}, not of {game}.", other=match.game.title, game=asked.game.title)
    if not offers(rules, Modelled):
        raise refusal("This program knows no published model of {game}.", game=asked.game.title)
    number, end = _end_of(match, asked.turn)
    with refusing(ValueError):
        is_open = match.is_open or asked.record is None
        view = rules.model_view(match.states[: end + 1], match.steps[:end], is_open, asked.position or "")
    if asked.as_json:
        facts = {**view.facts, "operators": list(view.operators), "position": view.position or None}
        print_json({"game": asked.game.name, "turn": number, **facts})
    else:
        _print(match, number, view)
        _print_phases(rules.MODEL_PHASES, view.facts["phase"])


def _match_of(asked: StateRequest) -> Match:
    from papan.commands.files import read_match

    if asked.record is not None:
        if asked.position is not None or asked.options:
            raise refusal("--position and --option are for a position without a match: omit --match, or these.")
        return read_match(asked.record, asked.which)
    with refusing(OptionError, PositionError):
        seats = [""] * seats_of(asked.game, asked.options)
        return Match.new(asked.game, seats, asked.options, seed=0, position=asked.position)


def _print_phases(phases: Mapping[str, Sequence[str]], current: str) -> None:
    """The paper's machine: each phase with its successors, and the current one marked."""
    if not phases:
        return
    show()
    show_said("Phases, ▸ the current one:")
    for phase, successors in phases.items():
        show(f"{'▸' if phase == current else ' '} {phase}{' → ' if successors else ''}{', '.join(successors)}")


def _end_of(match: Match, turn: int | None) -> tuple[int, int]:
    """The number of turns before the chosen position, and the index of its state."""
    turns = match.turns()
    if turn is None:
        return len(turns), len(match.steps)
    if turn > len(turns):
        raise refusal("The record has {turns} turns, so there is no turn {turn}.", turns=len(turns), turn=turn)
    return turn, turns[turn - 1].end_step if turn else 0


def _print(match: Match, number: int, view: ModelView) -> None:
    show_said("{game}, the position after turn {turn}", game=match.game.title, turn=number)
    show()
    width = max(len(name) for name, _part in view.parts) + 2
    for name, part in view.parts:
        for place, line in enumerate(part.splitlines() or [""]):
            show(f"{name if place == 0 else '':{width}}{line}".rstrip())
    if view.position:
        show(f"{'position':{width}}{view.position}")
    show()
    count = len(view.operators)
    show_said("Applicable operators: {count}.", count=count)
    for call in view.operators[:_MOST_OPERATORS]:
        show(f"  {call}")
    if count > _MOST_OPERATORS:
        show("  …")
