"""Claims in words and as facts, with every condition that they depend on.

All sentences about proofs or exact worths are made here, so that no condition is left out: the seats, the goal, the
side of chance, the options, the position, and its history.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from papan.ai.exact import Measure
from papan.ai.proof.result import Result
from papan.ai.reviews.reviewer import sides
from papan.game.base.sentences import Sentence, capitalised, figures, joined, say, say_number
from papan.game.base.untrusted import plain
from papan.game.catalogue import GAMES
from papan.game.game import Game, Option
from papan.game.puzzles import Puzzle
from papan.game.rules import State, allied, goal_of, repetition_payoff, seats

Chance = Literal["and", "or", "drawn", "unknown"]
"""``and``: chance is against the goal; ``or``: it is on the goal's side; ``drawn``: it acts by the rules' odds;
``unknown``: it is not recorded.
"""
Value = Literal["win", "draw", "loss", "points"]
"""The worth of a position to the seat to act; *points* in a game for one."""

FIRST = "first"
"""The option that settles which player has seat 1: no claim about seats depends on it."""
_ENDS = {"win": say("a win"), "loss": say("a loss")}


@dataclass(frozen=True)
class Conditions:
    """Everything that a claim about one position depends on."""

    game: str
    """The game's name; this program may not have that game."""
    options: Mapping[str, str]
    """All options, the usual ones included."""
    position: str
    """The position text; "" for the start."""
    seat: int
    partners: tuple[int, ...] = ()
    """The seats that share ``seat``'s result."""
    seats: int = 2
    sides: int = 2
    """Teams, or seats that play for themselves."""
    goal: int = 0
    """0 to win."""
    chance: Chance | None = None
    """None in a game without chance."""
    came_twice: int = 0
    """The number of positions that end the game if they come once more."""
    has_repetition_rule: bool = False
    """Whether a repetition may be a win, which solvers ignore."""
    tolerance: float = 0.0
    """The distance from certainty that still counted as a conclusion; 0 for proofs only."""
    taken_as_usual: tuple[str, ...] = ()
    """Options that were not given, so that the usual value was used."""

    @property
    def who(self) -> Sentence:
        if self.seats == 1:
            return say("the player")
        if not self.partners:
            return say("seat {seat}", seat=self.seat + 1)
        together = ", ".join(str(seat + 1) for seat in sorted((self.seat, *self.partners)))
        return say("seats {seats} together", seats=together)

    @property
    def aim(self) -> str:
        if not self.goal:
            return say("a win")
        known = goal_of(GAMES[self.game].rules) if self.game in GAMES else None
        return known.words(self.goal) if known else say("the goal {number}", number=self.goal)

    def claim(self, is_forced: bool) -> Sentence:
        """Return a clause that the goal can be forced, or that it can't; ``listed`` has the other conditions."""
        seat, aim = self.who, self.aim
        if is_forced:
            claim = say("{seat} can force {aim}", seat=seat, aim=aim)
            if self.chance == "and":
                return say("{claim} against any luck", claim=claim)
            return say("{claim} if luck helps", claim=claim) if self.chance == "or" else claim
        claim = say("{seat} can't force {aim}", seat=seat, aim=aim)
        if self.chance == "and":  # "can't … against any luck" would mean that no luck is good enough
            return say("{claim} against the worst luck", claim=claim)
        return say("{claim} even if luck helps", claim=claim) if self.chance == "or" else claim

    def listed(self, is_forced: bool = True) -> Sentence:
        """The conditions that ``claim`` leaves out, with commas between them."""
        parts: list[str] = [options_said(self.game, self.options, self.taken_as_usual)]
        parts.append(say("from {position}", position=plain(self.position)) if self.position else say("from the start"))
        if self.sides > 2:
            parts.append(say("all other seats playing against it"))
        if self.chance == "drawn":
            parts.append(say("random events with the odds of the rules"))
        if self.chance == "unknown":
            parts.append(say("not recorded whether luck helps or hinders"))
        if not is_forced and not self.goal and self.seats > 1:
            parts.append(say("a draw does not count as a win"))
        if self.came_twice:
            parts.append(
                say_number(
                    "{count} position has already occurred twice",
                    "{count} positions have already occurred twice",
                    self.came_twice,
                )
            )
        if not is_forced and self.has_repetition_rule:
            parts.append(say("wins by the repetition rule not counted"))
        return joined(parts, ", ")

    def facts(self) -> dict[str, Any]:
        """The conditions for another program."""
        return {
            "game": self.game,
            "options": dict(self.options),
            "position": self.position,
            "seat": self.seat + 1,
            "partners": [seat + 1 for seat in self.partners],
            "seats": self.seats,
            "sides": self.sides,
            "goal": self.goal or None,
            "chance": self.chance,
            "came_twice": self.came_twice,
            "leaves_repetition_rule_aside": self.has_repetition_rule,
            "tolerance": self.tolerance or None,
        }


def options_said(name: str, options: Mapping[str, str], besides: Collection[str] = ()) -> Sentence:
    """The game called *name*, which this program may not have, and its *options* that are not the usual ones.

    :param besides: names of options that are always included.
    """
    game = GAMES.get(name)
    known = game.options if game else {}

    def is_usual(option: Option | None, value: str) -> bool:
        return option is not None and value == option.default == option.default_with(options)

    told = [
        plain(f"{option}={value}")
        for option, value in options.items()
        if option != FIRST and (option in besides or not is_usual(known.get(option), value))
    ]
    return joined([game.title if game else plain(name), *told], ", ")


def conditions_of(
    game: Game,
    options: Mapping[str, str],
    state: State,
    seat: int,
    goal: int = 0,
    chance: Chance = "and",
    came_twice: int = 0,
    tolerance: float = 0.0,
    given: Collection[str] | None = None,
) -> Conditions:
    """The conditions of a claim about *state* and *seat*.

    :param given: the names of the options given; None for all.
    """
    count = int(seats(state))
    return Conditions(
        game.name,
        options,
        game.rules.text(state),
        seat,
        tuple(other for other in range(count) if other != seat and allied(state, seat, other)),
        count,
        sides(state),
        goal,
        chance if game.has_chance else None,
        came_twice,
        repetition_payoff.implementation(type(state)).function is not repetition_payoff.default,
        tolerance,
        () if given is None else tuple(name for name in options if name not in given),
    )


def puzzle_conditions(puzzle: Puzzle) -> Conditions:
    """The conditions of the proof of *puzzle*; raises PuzzleError if its position is invalid."""
    match = puzzle.match()
    return conditions_of(match.game, match.options, match.state, puzzle.seat)


def result_said(result: Result, conditions: Conditions) -> Sentence:
    is_forced = result not in ("disproved", "concluded not-win")
    claim, listed = conditions.claim(is_forced), conditions.listed(is_forced)
    if result == "proved":
        return say("Proved: {claim} ({conditions}).", claim=claim, conditions=listed)
    if result == "disproved":
        return say("Disproved: {claim} ({conditions}).", claim=claim, conditions=listed)
    if result == "out":
        return say("Undecided: {claim} ({conditions}).", claim=claim, conditions=listed)
    if conditions.tolerance:
        listed = joined([listed, say("with a tolerance of {number}", number=figures(conditions.tolerance, "g"))], ", ")
    return say("Probably, but not proved: {claim} ({conditions}).", claim=claim, conditions=listed)


def verified_said(is_forced: bool, others_win: bool, conditions: Conditions) -> Sentence:
    claim, listed = conditions.claim(is_forced), conditions.listed(is_forced)
    if others_win:
        return say("Verified: {claim}; the others win ({conditions}).", claim=claim, conditions=listed)
    return say("Verified: {claim} ({conditions}).", claim=claim, conditions=listed)


def exactly_said(value: Value, measure: Measure, least_turns: int, conditions: Conditions) -> Sentence:
    worth = worth_said(value, measure, least_turns)
    return say(
        "Exact value for {seat} ({conditions}): {worth}.",
        seat=conditions.who,
        conditions=conditions.listed(),
        worth=worth,
    )


def worth_said(value: Value, measure: Measure, least_turns: int = 0) -> Sentence:
    """The worth to the seat to act, as a clause."""
    if value == "draw":
        clause = say("a draw")
    elif value == "points":
        clause = None
    elif measure.turns is not None:
        clause = _ended_in(value, measure.turns)
    elif least_turns > 1:
        clause = say("{value}, which takes the winner at least {number} turns", value=_ENDS[value], number=least_turns)
    else:
        clause = _ENDS[value]
    return joined([part for part in (clause, measure.words) if part], ", ")


def _ended_in(value: Value, turns: int) -> Sentence:
    """A win, or a loss, in that number of the winner's turns."""
    if value == "win":
        return say_number("a win in {count} turn of its own", "a win in {count} turns of its own", turns)
    return say_number("a loss, in {count} turn of the opponent's", "a loss, in {count} turns of the opponent's", turns)


def puzzle_said(puzzle: Puzzle, conditions: Conditions) -> Sentence:
    turn, who, listed = plain(puzzle.turn), conditions.who, conditions.listed(puzzle.goal != "save")
    if puzzle.goal == "win":
        return say("Only with {turn} can {seat} force a win ({conditions}).", turn=turn, seat=who, conditions=listed)
    if puzzle.goal == "within":
        return say_number(
            "Only with {turn} can {seat} force a win within {count} turn of its own ({conditions}).",
            "Only with {turn} can {seat} force a win within {count} of its turns ({conditions}).",
            puzzle.turns,
            turn=turn,
            seat=who,
            conditions=listed,
        )
    return say(
        "{seat} cannot force a win; only {turn} stops the other side from forcing one ({conditions}).",
        turn=turn,
        seat=capitalised(who),
        conditions=listed,
    )
