"""Mining puzzles: positions of games with exactly one right turn.

``Prover`` proves puzzles again, and trusts nothing that a file says about them.

The puzzles of a game depend only on the seed and the game's number, so an interrupted run continues with the next game
and finds the same puzzles as an uninterrupted one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np

from papan.ai.evaluation import STANDARD, candidates, evaluation_of
from papan.ai.exact import exact_of
from papan.ai.limits import UNPROVEN, WIN_BOUND, Limit
from papan.ai.players import FAMILIES, Player, SearchSetting, make_player, situation
from papan.ai.puzzles.finding import MINING, PROVING, Effort, Finder, Finding
from papan.ai.puzzles.proving import hides_nothing
from papan.ai.search import Searcher
from papan.game.base.sentences import say, unended
from papan.game.base.typed import FaultError
from papan.game.catalogue import GAMES
from papan.game.formats import read_games
from papan.game.formats import source as files
from papan.game.game import Game, OptionError
from papan.game.kernel import compiled
from papan.game.match import Match
from papan.game.match.notation import write_turn
from papan.game.presentation import position_fault, setup_of
from papan.game.puzzles import GRADES, KIND, VERSION, Puzzle, PuzzleData, PuzzleError, Source
from papan.game.rules import (
    CHANCE,
    PositionError,
    State,
    can_repeat,
    canonical_key,
    is_over,
    legal_steps,
    mover,
    moves,
    play,
)
from papan.lab.journal import Form


class PlanData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The plan of a puzzle file: the game."""

    game: str


def _checks(plan: PlanData) -> Callable[[PuzzleData], None]:
    def check(found: PuzzleData) -> None:
        puzzle = found.puzzle(GAMES[plan.game])
        try:
            puzzle.steps(puzzle.match().state)
        except PuzzleError as error:
            raise FaultError(unended(str(error))) from None

    return check


JOURNAL: Form[PlanData, PuzzleData] = Form(KIND, VERSION, plan=PlanData, entry=PuzzleData, checks=_checks)

PLAYERS = ("random", "minimax:depth=1,memory=1", "minimax:depth=2,memory=1")
"""The default players, of whom two are drawn for each game."""
NOISE = (0.1, 0.9)
"""The range of the share of random steps, drawn for each game: errors make puzzles."""
CAREFUL_SHARE = 0.5
"""The share of games in which random steps avoid immediate wins for the opponent."""
MOST_TURNS = 240
"""Games are cut off after this many turns."""
MOST_PLIES = 15
"""Longer puzzles are too hard for people."""
MOST_OF_A_GAME = 2
EASY_SHARE = 0.12
"""The largest share of one-turn puzzles, which are easy."""
SHARES_WITHIN = {1: EASY_SHARE, 2: 0.45}
"""The largest shares of short wins among the wins within a number of turns, as they are found most often."""
CANDIDATE_SHARE = 0.8
"""The share of random steps drawn from the candidates of a search."""
GLANCE, SCREENING = Limit(nodes=1_500, depth=5), Limit(nodes=15_000, depth=9)
"""Search limits: first to see whether a position is won, then whether by one step only."""
GLANCE_WITHIN = 5_000
"""Solver steps to see whether a position is won within a number of turns."""
MANY_STEPS = 100
MOST_BACK = 14
"""The number of turns to examine before the end of a game. For wins within a number of turns, all turns are examined;
after a puzzle is found, this many are skipped."""
_GAMES_FOR_CELLS, _TURNS_FOR_CELLS = 4, 60
_DRAWS = 5
_TURNS_BETWEEN_LISTS = 3
_ONE_TURN = Limit(depth=1)
_PLIES_OF_GRADES = (1, 3, 7, 11)
"""The most plies of each grade but the last."""


@dataclass(frozen=True)
class Played:
    """A game to search for puzzles."""

    match: Match
    seed: int
    number: int


@dataclass
class Shares:
    """The puzzles found so far: their numbers by grade and length, and their positions."""

    grades: Counter[int] = field(default_factory=Counter)
    keys: set[tuple[int, str]] = field(default_factory=set)
    within: Counter[int] = field(default_factory=Counter)
    """Wins within each number of turns."""

    def takes_within(self, turns: int) -> bool:
        """Whether one more win within *turns* turns is wanted."""
        number = self.within[turns] + 1
        return number <= 1 + SHARES_WITHIN.get(turns, 1.0) * (self.within.total() + 1)

    def takes(self, puzzle: Puzzle, state: State) -> bool:
        """Whether *puzzle* is new, and does not exceed the share of easy ones."""
        if self._key(puzzle, state) in self.keys:
            return False
        if puzzle.goal == "within":
            return self.takes_within(puzzle.turns)
        easy = self.grades[GRADES[0]] + (puzzle.grade == GRADES[0])
        return puzzle.grade != GRADES[0] or easy <= 1 + EASY_SHARE * (self.grades.total() + 1)

    def add(self, puzzle: Puzzle, state: State) -> None:
        self.keys.add(self._key(puzzle, state))
        self.grades[puzzle.grade] += 1
        self.within[puzzle.turns] += puzzle.goal == "within"

    @staticmethod
    def _key(puzzle: Puzzle, state: State) -> tuple[int, str]:
        """A key that is the same for symmetric positions."""
        return int(canonical_key(state)[0]), repr(sorted(puzzle.options.items()))


def grade(finding: Finding, looks_wrong: bool) -> int:
    """The difficulty of a puzzle: by its plies, and one more if another turn looks best."""
    by_plies = sum(finding.plies > most for most in _PLIES_OF_GRADES)
    return GRADES[min(by_plies + looks_wrong, len(GRADES) - 1)] if by_plies else GRADES[0]


@compiled
def may_end(state: State, buffer: Any) -> bool:
    """Whether a step of *state* ends the game.

    :param buffer: space for all steps.
    """
    for index in range(moves(state, buffer, 0)):
        if is_over(play(state, int(buffer[index]))):
            return True
    return False


@compiled
def write_candidates(state: State, buffer: Any) -> int:
    """Write the candidate steps of a search into *buffer*; return their number."""
    return candidates(state, buffer, 0)


class SelfPlay:
    """Games of quick players against each other."""

    def __init__(
        self,
        game: Game,
        seed: int,
        players: Sequence[str],
        options: Mapping[str, str],
        pieces: Sequence[int] = (),
    ) -> None:
        """:param options: fixed options; others are drawn at random.
        :param pieces: numbers of pieces, of which one is drawn for each start; surplus pieces are removed first. Empty
            for the normal start.
        """
        self._pieces = pieces
        self._game, self._seed, self._players, self._options = game, seed, players, options
        self._buffer = np.empty(game.rules.MOST_STEPS, np.int64)

    def play(self, number: int) -> Played:
        """The game of that *number*."""
        random = Random(f"puzzles {self._seed} {number}")
        names = [random.choice(self._players) for _ in range(2)]
        match = self._new(random, names)
        if self._pieces:
            match = Match(self._game, match.seats, match.options, match.seed, self._thinned(match, random))
        players: list[Player] = [make_player(name, self._game) for name in match.seats]
        noise, is_careful = random.uniform(*NOISE), random.random() < CAREFUL_SHARE
        while not match.ending and len(match.turns()) < MOST_TURNS:
            if match.mover == CHANCE:
                match.play(match.chance_step())
            elif random.random() < noise:
                match.play(self._random_step(match.state, random, is_careful))
            else:
                match.play(players[match.mover].choose(situation(match)).step)
        return Played(match, self._seed, number)

    def _thinned(self, match: Match, random: Random) -> State:
        """The start with pieces removed at random, down to a drawn number, as long as the position stays valid."""
        setup, rules, state = setup_of(self._game), self._game.rules, match.state
        if setup is None:
            return state
        cells = [cell for cell in self._cells_of(state, random) if setup.taken(state, cell) != state]
        random.shuffle(cells)
        left, wanted = len(cells), random.choice(self._pieces)
        for cell in cells:
            without = setup.taken(state, cell)
            if left > wanted and not position_fault(self._game, rules.text(without), match.options):
                state, left = without, left - 1
        return state

    def _cells_of(self, state: State, random: Random) -> list[int]:
        """The cells used in some random games, as games do not list their cells."""
        rules, found = self._game.rules, set[int]()
        for _ in range(_GAMES_FOR_CELLS):
            after = state
            for _ply in range(_TURNS_FOR_CELLS):
                if is_over(after):
                    break
                steps = legal_steps(after, rules.MOST_STEPS)
                found.update(cell for step in steps for cell in rules.cells(after, step))
                after = play(after, random.choice(steps))
        return sorted(found)

    def _random_step(self, state: State, random: Random, is_careful: bool) -> int:
        """A random step that does not end the game, if a few draws find one.

        :param is_careful: also avoid steps after which the next step can end the game.
        """
        for _ in range(_DRAWS):
            step = random.choice(self._some(state, random))
            after = play(state, step)
            if is_over(after) or (is_careful and may_end(after, self._buffer)):
                continue
            break
        return step

    def _some(self, state: State, random: Random) -> list[int]:
        if random.random() >= CANDIDATE_SHARE or self._game.has_hidden_information:
            return legal_steps(state, self._game.rules.MOST_STEPS)
        return [int(step) for step in self._buffer[: write_candidates(state, self._buffer)]]

    def _new(self, random: Random, names: Sequence[str]) -> Match:
        drawn = {
            option.name: random.choice(list(option.values))
            for option in self._game.own_options
            if option.name not in self._options and random.random() < 0.5
        }
        for options in ({**drawn, **self._options}, self._options):
            try:
                return Match.new(self._game, names, {**options, "first": "1"}, random.randrange(2**31))
            except OptionError:
                continue  # the drawn options contradict each other
        raise OptionError(f"{self._game.title} can't be played by two with these options.")


class Miner:
    """Finds puzzles in games."""

    def __init__(self, game: Game, shares: Shares, effort: Effort = MINING, within: int | None = None) -> None:
        """:param within: find wins within this many turns that only one turn forces; by default, find any turn that
        alone wins or saves the game.
        """
        self._effort = effort
        self._within = within
        self._game = game
        self._shares = shares
        self._exact = exact_of(game)
        self._turns_to_skip = 0
        self.looked_at = 0
        """Positions examined so far."""

    def puzzles(self, played: Played) -> Iterator[tuple[Puzzle, State]]:
        """The puzzles of one game with their states, in order, at most ``MOST_OF_A_GAME``.

        Wins within a number of turns are some turns apart, so that one does not give away the other.
        """
        match, found = played.match, 0
        turns = match.turns()
        due = max(0, len(turns) - MOST_BACK) if self._within is None else 0
        for index in range(due, len(turns)):
            state = match.states[turns[index].first_step]
            if index < due or turns[index].seat == CHANCE or not hides_nothing(state):
                continue
            puzzle = self._look(
                match, state, Source(played.seed, played.number, index, (match.seats[0], match.seats[1]))
            )
            if puzzle is not None and self._shares.takes(puzzle[0], puzzle[1]):
                self._shares.add(*puzzle)
                yield puzzle
                found += 1
                if found == MOST_OF_A_GAME:
                    return
                due = index + 1 if self._within is None else index + MOST_BACK

    def _look(self, match: Match, state: State, source: Source) -> tuple[Puzzle, State] | None:
        self.looked_at += 1
        rules = self._game.rules
        text, options = rules.text(state), self._unusual(match.options)
        try:
            state = rules.parse(text, match.options)  # a position text may omit history
        except PositionError:
            return None
        if self._within is not None:
            finding = self._finder.find_within(state, self._within) if self._may_win_in_time(state) else None
        else:
            finding = self._finder.find(state) if self._is_worth_it(state) else None
        if finding is None or finding.plies > MOST_PLIES:
            return None
        turn = write_turn(rules, state, finding.turn.steps)
        looks_wrong = self._glance.analyse(state, _ONE_TURN).step != finding.turn.steps[0]
        seat, hard = int(mover(state)), grade(finding, looks_wrong)
        return Puzzle(self._game.name, text, options, seat, finding.goal, finding.plies, hard, turn, source), state

    @cached_property
    def _finder(self) -> Finder:  # large, and has to be compiled
        return Finder(self._game, self._effort)

    def _unusual(self, options: Mapping[str, str]) -> dict[str, str]:
        usual = self._game.complete_options({"seats": "2"} if "seats" in self._game.options else {})
        return {name: value for name, value in options.items() if value != usual[name] and name != "first"}

    @cached_property
    def _glance(self) -> Searcher:
        setting = SearchSetting(_ONE_TURN, evaluation_of(self._game).WEIGHTS[STANDARD], 1)
        return FAMILIES["minimax"].make(self._game, setting)

    def _is_worth_it(self, state: State) -> bool:
        """Whether a solver may find one right turn: it can solve the position, or a search sees one winning step.

        Only exact solvers find turns that save the game.
        """
        if self._game.has_hidden_information:
            return True  # so near the end solvers are as quick
        if (self._exact is not None and self._exact.can_solve(state)) or self._is_listed(state):
            return True
        if self._glance.analyse(state, GLANCE).score < WIN_BOUND:
            return False
        seen = self._glance.analyse(state, SCREENING, lines=2).lines
        if seen[0].score < WIN_BOUND or len(seen) < 2:  # a search may omit steps that lose at once
            return seen[0].score >= WIN_BOUND
        # Solvers rarely prove that a quiet turn does not win, unless it loses or the game is short.
        return seen[1].score < WIN_BOUND if can_repeat(state) else seen[1].score <= -UNPROVEN

    def _may_win_in_time(self, state: State) -> bool:
        """Whether a quick search sees a win of *state* within the horizon, and such a puzzle is wanted."""
        assert self._within is not None
        prover, seat = self._finder.prover, int(mover(state))
        if not prover.wins_within(state, seat, self._within, GLANCE_WITHIN):
            # A solver tries all answers; where there are hundreds, a selective search sees more.
            if len(legal_steps(state, self._game.rules.MOST_STEPS)) < MANY_STEPS:
                return False
            glance = Limit(nodes=GLANCE.nodes, depth=2 * self._within - 1)
            if self._glance.analyse(state, glance).score < WIN_BOUND:
                return False
        lengths = range(1, self._within + 1)
        known = (turns for turns in lengths if prover.wins_within(state, seat, turns, self._effort.within))
        return self._shares.takes_within(next(known, self._within))

    def _is_listed(self, state: State) -> bool:
        """Whether all continuations of *state* can be listed; after a failure, this is tried only every few turns."""
        self._turns_to_skip -= 1
        if self._turns_to_skip >= 0:
            return False
        is_listed = self._finder.prover.is_listed(state)
        self._turns_to_skip = 0 if is_listed else _TURNS_BETWEEN_LISTS
        return is_listed


def played_matches(game: Game, path: Path, seed: int, first: int) -> Iterator[Played]:
    """The two-player matches of *game* in the file *path*, from number *first* on, counted from 0.

    Unreadable records are skipped, but counted.
    """
    for number, match in enumerate(read_games(files.Source(path), [game])):
        if number < first or not isinstance(match, Match):
            continue
        if match.game is game and len(match.seats) == 2:
            yield Played(match, seed, number)


class Prover:
    """Proves puzzles of one game."""

    def __init__(self, game: Game, effort: Effort = PROVING) -> None:
        self._finder = Finder(game, effort)

    def fault(self, puzzle: Puzzle) -> str:
        """Why *puzzle* does not hold, as a sentence; "" if it is proved.

        :raises papan.game.puzzles.PuzzleError: its position or turn is invalid.
        """
        state = puzzle.match().state
        steps = puzzle.steps(state)
        if not hides_nothing(state):
            return say("Its position has hidden information.")
        is_within = puzzle.goal == "within"
        found = self._finder.find_within(state, puzzle.turns) if is_within else self._finder.find(state)
        if found is None:
            return say("It is not proved: {why}.", why=self._finder.why)
        if found.goal != puzzle.goal:
            return say("The aim is to {found}, not to {goal}.", found=found.goal, goal=puzzle.goal)
        if is_within and found.plies != puzzle.plies:
            return say("The win takes {found} turns, not {count}.", found=found.turns, count=puzzle.turns)
        if found.turn.states[-1] != reduce(play, steps, state):
            return say("The right turn is not {turn}.", turn=puzzle.turn)
        return ""
