"""Endings of Catur Jawa: once the decks are empty nothing is hidden, and df-pn proves who forces a win.

The owner of the last deck knows its last card, so the turn that leads to the first position with empty decks can be
judged too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.limits import WIN_BOUND, Limit
from papan.ai.puzzles.proving import Prover, whole_turns
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.base.sentences import Sentence, figures, say
from papan.game.catalogue import find
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import State
from papan.game.rules.catur_jawa.board import cards_left, deck_cards
from papan.research.reproduction import catur_jawa_games as games
from papan.research.reproduction.catur_jawa_games import Lineup
from papan.research.reproduction.experiment import Asked, Findings, Found, Row, Table

NOBODY, OPEN = -1, -2
"""Instead of a seat that forces a win: no seat, or undecided."""
WHAT = "endings of"
MEMORY = 64
"""MiB for the prover's table."""
TABLE_BITS = 16
"""The size of alpha-beta's table."""
CHECKED = 4
"""Positions with at most this many cards left are also searched to the end by alpha-beta."""
NODES, NODES_OF_MORE = 20_000_000, 100_000
"""Nodes for each proof: with two seats, which leaves none open, and with more seats, which leaves some open."""


class Ending(NamedTuple):
    """A position where the seat to act knows all cards."""

    is_open: bool
    """Whether the decks are empty, so that all seats know all cards."""
    left: int
    """Cards in hands and decks."""
    seat: int
    """The seat to act."""
    winner: int
    """The seat that forces a win against all others, ``NOBODY`` or ``OPEN``."""
    turns: int | None = None
    """The winner's own turns until it wins; 0 if another seat's last card decides."""
    choices: int = 0
    """If the seat to act wins: the number of its turns."""
    winning: int = 0
    """The number of winning turns, counted with two seats only."""
    soonest: int = 0
    """The number of turns that win fastest."""
    agrees: bool | None = None
    """Whether alpha-beta agrees; None if it was not run."""


class Turn(NamedTuple):
    """A turn that was played."""

    before: Ending
    after: int
    """The seat that forces a win after it."""
    later: Ending | None
    """The next position, if any."""


class Ended(NamedTuple):
    """The end of a game."""

    endings: tuple[Ending, ...]
    """The positions where the seat to act knew all cards, in order; empty if the game ended sooner."""
    won: int
    """The seat that won the game, or ``NOBODY``."""

    @property
    def turns(self) -> list[Turn]:
        """The turn played in each position."""
        after = (*self.endings[1:], None)
        return [
            Turn(one, self.won if later is None else later.winner, later)
            for one, later in zip(self.endings, after, strict=False)
        ]


def is_told(state: State) -> bool:
    """Whether the seat to act knows all cards: no deck but its own has any, and that one card at most."""
    decks = [len(deck_cards(state, seat)) for seat in range(state.seats)]
    own = decks[state.to_move]
    return bool(own <= 1 and sum(decks) == own)


class Judge:
    """Solves positions where the seat to act knows all cards."""

    def __init__(self, game: Game, nodes: int) -> None:
        """:param nodes: for each question to the prover."""
        self._game, self._nodes = game, nodes
        self._prover = Prover(game, MEMORY)
        weights = evaluation_of(game).WEIGHTS[STANDARD]
        self._alphabeta = AlphaBeta(game.rules, weights, table_bits=TABLE_BITS)

    def ended(self, match: Match) -> Ended:
        assert match.ending is not None
        endings = tuple(self.ending(state) for state in match.states[:-1] if is_told(state))
        return Ended(endings, NOBODY if match.ending.winner is None else match.ending.winner)

    def ending(self, state: State) -> Ending:
        """The result of *state*, which is not over; the seat to act knows all cards."""
        seat, winner = int(state.to_move), self.winner(state)
        left = sum(cards_left(state, other) for other in range(state.seats))
        is_open = not any(deck_cards(state, other) for other in range(state.seats))
        if not is_open:
            return Ending(is_open, left, seat, winner)
        turns = self._least_turns(state, winner)
        agrees = self.agrees(state, left, winner) if left <= CHECKED and winner != OPEN else None
        if winner != seat or turns is None:
            return Ending(is_open, left, seat, winner, turns, agrees=agrees)
        after = [turn.states[-1] for turn in whole_turns(self._game.rules, state)]
        soonest = sum(bool(self._wins_within(one, seat, turns - 1)) for one in after)
        winning = 0
        if state.seats == 2:
            winning = sum(self._prover.prove_win(one, seat, self._nodes).is_won for one in after)
        return Ending(is_open, left, seat, winner, turns, len(after), winning, soonest, agrees)

    def winner(self, state: State) -> int:
        """The seat that forces a win of *state* against all others, ``NOBODY`` or ``OPEN``."""
        is_settled = True
        for turn in range(state.seats):
            seat = int(state.to_move + turn) % int(state.seats)
            settled = self._prover.prove_win(state, seat, self._nodes)
            if settled.is_won:
                return seat
            is_settled = is_settled and settled.is_not_won
        return NOBODY if is_settled else OPEN

    def _wins_within(self, state: State, seat: int, turns: int) -> bool | None:
        return self._prover.wins_within(state, seat, turns, self._nodes, lets_reply=True)

    def _least_turns(self, state: State, winner: int) -> int | None:
        """The fewest own turns that *winner* needs to win; None without a winner, or if undecided."""
        if winner < 0:
            return None
        for turns in range(int(winner == state.to_move), cards_left(state, winner) + 1):
            is_won = self._wins_within(state, winner, turns)
            if is_won is None:
                return None
            if is_won:
                return turns
        raise AssertionError("a win takes no more turns than there are cards")

    def agrees(self, state: State, left: int, winner: int) -> bool:
        """Whether alpha-beta to the end, with *left* cards left, agrees; with more than two seats it is paranoid.

        With two seats, losses must agree too.
        """
        seat = int(state.to_move)
        score = self._alphabeta.analyse(state, Limit(depth=left)).score
        if state.seats == 2:
            return (score >= WIN_BOUND, score <= -WIN_BOUND) == (winner == seat, winner == 1 - seat)
        return (score >= WIN_BOUND) == (winner == seat)


def examine(matches: Sequence[Match]) -> list[Ended]:
    """The ends of the games of a deal; with more than two seats proofs take longer by far: the first game must do."""
    is_of_two = matches[0].state.seats == 2
    judge = Judge(find("catur-jawa"), NODES if is_of_two else NODES_OF_MORE)
    return [judge.ended(match) for match in (matches if is_of_two else matches[:1])]


# ------------------------------------------------------------------------------------------ figures

SHARE = 100
"""The scale of shares."""
Counted = Callable[[Ended], tuple[float, int]]
"""A statistic of the end of a game: a sum, and the number of its terms."""


def findings(asked: Asked, found: Found) -> Findings:
    tables = [Table(title, ",.2f") for title in TABLES]
    for lineup in games.lineups(asked):
        if lineup.is_even:
            deals = [
                [read(one) for one in found[f"{WHAT} {games.name_of(lineup, deal)}"]]
                for deal in games.deals(asked, lineup)
            ]
            for table, figures in zip(tables, TABLES.values(), strict=True):
                table.rows += [row_of(lineup, words, deals, scale, counted) for words, scale, counted in figures]
    return Findings(tables)


def read(data: Any) -> Ended:
    """The end of a game from JSON."""
    endings, won = data
    return Ended(tuple(Ending(*one) for one in endings), won)


def row_of(lineup: Lineup, words: str, deals: Sequence[Sequence[Ended]], scale: float, counted: Counted) -> Row:
    """The mean of the statistic *counted* over the games of the *deals*, with an interval over deals."""
    sums = np.array([np.sum([counted(game) for game in deal], axis=0) for deal in deals], np.float64)
    sums = sums[sums[:, 1] > 0]
    if not len(sums):
        return Row(lineup.case, words, None, None)

    def ratio(rows: NDArray[np.float64]) -> float:
        return float(scale * rows[:, 0].sum() / rows[:, 1].sum())

    interval = games.interval_of(sums, ratio, is_share=scale == SHARE)
    return Row(lineup.case, words, None, ratio(sums), interval, int(sums[:, 1].sum()))


def mean(figure: Callable[[Ending], float | None]) -> Counted:
    """The mean of *figure* over the positions with empty decks, without those where it is None."""

    def counted(game: Ended) -> tuple[float, int]:
        figures = [value for one in game.endings if one.is_open and (value := figure(one)) is not None]
        return float(sum(figures)), len(figures)

    return counted


def share_of_turns(is_of_them: Callable[[Turn], bool], holds: Callable[[Turn], bool]) -> Counted:
    """The share of turns that hold among those of a kind."""

    def counted(game: Ended) -> tuple[float, int]:
        turns = [turn for turn in game.turns if is_of_them(turn)]
        return float(sum(map(holds, turns))), len(turns)

    return counted


def _reaches(game: Ended) -> tuple[float, int]:
    return float(any(one.is_open for one in game.endings)), 1


def _at_first(game: Ended) -> tuple[float, int]:
    """Whether the seat to move wins the first position with empty decks."""
    first = next((one for one in game.endings if one.is_open), None)
    return (0.0, 0) if first is None else (float(first.winner == first.seat), 1)


def _leads_to_a_win(turn: Turn) -> bool:
    """Whether a turn leads to a position with empty decks that the seat to move then wins."""
    later = turn.later
    return later is not None and later.is_open and later.winner == later.seat and turn.before.winner != OPEN


def _has_a_win(turn: Turn) -> bool:
    """Whether a turn is played with empty decks by the seat that forces a win."""
    return turn.before.is_open and turn.before.winner == turn.before.seat and turn.after != OPEN


TABLES: Mapping[Sentence, Sequence[tuple[Sentence, float, Counted]]] = {
    say("Games that come to their last cards"): (
        (say("games that come to empty decks, %"), SHARE, _reaches),
        (say("the first position then is won by the seat to move, %"), SHARE, _at_first),
    ),
    say("Positions with empty decks: who forces a win"): (
        (say("the seat to move, %"), SHARE, mean(lambda one: float(one.winner == one.seat))),
        (say("another seat, %"), SHARE, mean(lambda one: float(one.winner not in (one.seat, NOBODY, OPEN)))),
        (say("nobody, %"), SHARE, mean(lambda one: float(one.winner == NOBODY))),
        (say("not settled, %"), SHARE, mean(lambda one: float(one.winner == OPEN))),
        (say("turns that the winner needs to win"), 1, mean(lambda one: one.turns)),
    ),
    say("Positions with empty decks: how they are played"): (
        (
            say("given away by the turn before, % of those won by the seat to move"),
            SHARE,
            share_of_turns(_leads_to_a_win, lambda turn: turn.before.winner != turn.after),
        ),
        (
            say("wins that the turn played keeps, %"),
            SHARE,
            share_of_turns(_has_a_win, lambda turn: turn.before.winner == turn.after),
        ),
        (say("turns to choose from where the seat to move wins"), 1, mean(lambda one: one.choices or None)),
        (say("of these, turns that win"), 1, mean(lambda one: one.winning or None)),
        (say("of these, turns that win as soon as can be"), 1, mean(lambda one: one.soonest or None)),
        (say("a single turn wins, %"), SHARE, mean(lambda one: float(one.winning == 1) if one.winning else None)),
    ),
    say("Proofs compared with alpha-beta to the end, for positions with four cards or fewer"): (
        (
            say("alpha-beta says the same, %"),
            SHARE,
            mean(lambda one: None if one.agrees is None else float(one.agrees)),
        ),
    ),
}
"""By title: the name, scale and statistic of each row."""


EXPERIMENT = games.experiment(
    "catur-jawa-endings",
    say("Beyond it: endings with empty decks"),
    say("half an hour on one processor"),
    findings,
    notes=lambda asked: (
        *games.notes(asked),
        say(
            "Only games of equal players count; with three or four seats, only the first game of each deal. With "
            "empty decks, all cards are known by counting. df-pn then proves which seat can force a win against all "
            "others, with {two} nodes for each question, or {more} with more than two seats.",
            two=figures(NODES),
            more=figures(NODES_OF_MORE),
        ),
        say(
            "The turn before gave a win away if the seat to move could not force it before that turn; the turn that "
            "draws the last card counts too, as its player knows all cards."
        ),
    ),
    answer=list[games.Played | Ended],
    what=WHAT,
    examine=examine,
)
