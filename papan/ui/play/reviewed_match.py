"""A match for review: its turns, who took them, and how much of it may be shown."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from papan.game.base.sentences import together
from papan.game.match import Match
from papan.game.rules import CHANCE, NOBODY, IllegalStep, State, mover, observe
from papan.ui.play.session import cells_of
from papan.ui.play.turn_names import NO_TURN, TurnName, joined_turns, turn_name
from papan.ui.texts import _, in_whole_numbers, plural, said, translated
from papan.ui.texts.manner import naming
from papan.ui.texts.wording import only_person, player_names


@dataclass(frozen=True)
class Stop:
    """A point of the match to stop at: the start, or the end of a turn and of chance's after it."""

    end: int
    """The index of its state in ``Match.states``."""
    seat: int | None = None
    """The seat that took the turn; None at the start."""
    first_step: int = 0
    """The index of the turn's first step in ``Match.steps``; ``turn_end`` is one past its last."""
    turn_end: int = 0


class ReviewedMatch:
    """A copy of a match as played so far; the match itself may continue."""

    def __init__(self, match: Match, viewer: int | None = None, *, is_open: bool | None = None) -> None:
        """:param viewer: the seat whose cards are shown while the match is unfinished; default: none.
        :param is_open: whether all cards may be shown; default: as the match says, which is so once it is finished.
        """
        self.match = match.up_to(len(match.steps))
        self.states: Sequence[State] = self.match.states
        self.steps: Sequence[int] = self.match.steps
        self.stops = _stops(self.match)
        self.is_open = self.match.is_open if is_open is None else is_open
        self.viewer = NOBODY if viewer is None else viewer
        """The seat whose cards are shown, or NOBODY."""
        self._names = naming(), distinct_names(match)
        self.only_person = only_person(match.seats)
        """The seat of the only person; None: several or none."""

    @property
    def names(self) -> list[str]:
        """The names of the seats' players, all different, in the present language."""
        if self._names[0] != naming():
            self._names = naming(), distinct_names(self.match)
        return self._names[1]

    @property
    def turns(self) -> int:
        """The number of turns; ``stops`` has one more."""
        return len(self.stops) - 1

    def visible_state(self, index: int) -> State:
        """Return the state *index* without hidden cards."""
        state = self.states[index]
        return state if self.is_open else observe(state, self.viewer)

    def last_cells(self, turn: int) -> tuple[int, ...]:
        return cells_of(self.match, self.stops[turn].first_step, self.stops[turn].turn_end)

    def turn_name(self, turn: int) -> TurnName:
        """Return the names of *turn*; empty ones for the start."""
        stop = self.stops[turn]
        if stop.seat is None:
            return NO_TURN
        states = self.states[stop.first_step : stop.turn_end + 1]
        return turn_name(self.match.game, states, self.steps[stop.first_step : stop.turn_end])

    def line_after(self, turn: int, most: int | None = None) -> str:
        """Return the turns after *turn*, at *most* so many, in one text."""
        last = self.turns if most is None else min(self.turns, turn + most)
        return joined_turns(self.turn_name(number).shown for number in range(turn + 1, last + 1))

    def turn_in_words(self, turn: int) -> str:
        """Return the turn with its number and player, such as "Turn 14, Hard: Worker to c5, builds on b5"."""
        stop = self.stops[turn]
        if stop.seat is None:
            return _("Start")
        notation = self.turn_name(turn).shown
        if len(self.names) == 1:
            return _("Turn {number}: {notation}").format(number=turn, notation=notation)
        return _("Turn {number}, {name}: {notation}").format(number=turn, name=self.names[stop.seat], notation=notation)

    def result(self) -> str:
        """Return the result, or the turns so far, for a title: "won in 23 turns"."""
        ending, turns = self.match.ending, self.turns
        if ending is None:
            return _("{turns} turns so far").format(turns=turns)
        if len(ending.payoffs) == 1:
            return _("{score} points in {turns} turns").format(score=in_whole_numbers(ending.payoffs[0]), turns=turns)
        if not ending.winners:
            return _("a draw after {turns} turns").format(turns=turns)
        if self.only_person is not None:
            won = self.only_person in ending.winners
            return (_("won in {turns} turns") if won else _("lost in {turns} turns")).format(turns=turns)
        names = said(together(self.names[seat] for seat in ending.winners))
        number = len(ending.winners)
        return plural("{name} won in {turns} turns", "{name} won in {turns} turns", number, name=names, turns=turns)

    def subtitle(self) -> str:
        parts = [translated(self.match.game.title)]
        if len(self.names) > 1:
            parts.append(_(" against ").join(self.names))
        return " · ".join([*parts, self.result()])

    def short_subtitle(self) -> str:
        return f"{translated(self.match.game.title)} · {self.result()}"

    def branch(self, turn: int) -> Match:
        """Return a new match of the same seats that begins with the turns up to *turn*.

        With hidden cards it begins at the position, and deals the cards that its person can't see anew: otherwise
        either match would reveal the other's cards.
        """
        end = self.stops[turn].end
        if self.match.game.has_hidden_information:
            seat = int(mover(self.states[end])) if self.only_person is None else self.only_person
            return self.match.dealt_anew(end, seat)
        part = self.match.up_to(end)
        part.reopen()
        part.date = datetime.date.today()
        part.tags = {}
        return part

    def common(self, turn: int) -> int:
        """Return the number of steps that a ``branch`` shares with the match."""
        return 0 if self.match.game.has_hidden_information else self.stops[turn].end

    def can_branch(self, turn: int) -> bool:
        """Whether a new match can begin after *turn*."""
        is_over = self.match.ending is not None and self.match.conclusion is None
        return not is_over or self.stops[turn].end < len(self.steps)


def _stops(match: Match) -> list[Stop]:
    stops: list[Stop] = [Stop(0)]
    for turn in match.turns():
        if turn.seat == CHANCE:
            stops[-1] = replace(stops[-1], end=turn.end_step)
        else:
            stops.append(Stop(turn.end_step, turn.seat, turn.first_step, turn.end_step))
    return stops


def distinct_names(match: Match, known: Mapping[int, str] = MappingProxyType({})) -> list[str]:
    """Return the names of the players, with the seat's number if two have the same name.

    :param known: names by seat, of persons elsewhere.
    """
    labels = [known.get(seat, label) for seat, label in enumerate(player_names(match.seats, match.game))]
    return [
        label if labels.count(label) == 1 else _("{name} {number}").format(name=label, number=seat)
        for seat, label in enumerate(labels, start=1)
    ]


def line_of(reviewed: ReviewedMatch, turn: int, steps: Sequence[int]) -> ReviewedMatch:
    """Return the line of *steps* after *turn* of a match, up to the last legal whole turn before chance acts."""
    match = reviewed.match
    start = reviewed.states[reviewed.stops[turn].end]
    line = Match(match.game, match.seats, match.options, match.seed, start, match.date)
    whole = 0
    for step in steps:
        if line.ending or line.mover == CHANCE:
            break
        seat = line.mover
        try:
            line.play(step)
        except IllegalStep:
            break
        if line.ending or line.mover != seat:
            whole = len(line.steps)
    return ReviewedMatch(line.up_to(whole), reviewed.viewer, is_open=reviewed.is_open)
