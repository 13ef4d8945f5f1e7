"""The review of a match: the worth of each turn, the turns that decided it, and measures of its play.

A ``Reviewer`` goes through a match position by position, in any thread; any other thread may read its ``review`` at any
time. With a limit of nodes or depth the same match gives the same review everywhere.

With hidden cards only a finished match is reviewed; each turn is still judged by its seat's view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, log
from statistics import fmean

from papan.ai.evaluation import STANDARD, Forecasting, evaluation_of, milestone, winning_chance
from papan.ai.indicators.conspiracy import TURNS, Conspiracy
from papan.ai.indicators.course import Course, Play, complete_turns, play_state, turns_to_choose_from
from papan.ai.indicators.motion import Refinement, refinement
from papan.ai.limits import WIN, Analysis, Limit, win_distance
from papan.ai.players import FAMILIES, SearchSetting
from papan.ai.reviews.marks import BAD, BEST, GOOD, MISTAKE, WORST, accuracy, fault
from papan.ai.search import Searcher, turns_along
from papan.ai.search.repetition import come_twice
from papan.game.base.protocols import offers
from papan.game.base.sentences import SentenceError
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE, Rules, State, allied, legal_steps, mover, observe, seats

MOST_NODES, LEAST_NODES, NODES_A_MATCH = 300_000, 10_000, 15_000_000
"""The nodes for a position, at most and at least, and for a match."""

ONLY_BY = 0.1
"""A turn is marked "!" or "!!" only if the best other step would lose this much winning chance."""
GLANCE, LOOK = 2, 4
"""It must also be hard to find: a search to depth 2 prefers another step for "!", to depth 4 for "!!"."""
_EVEN = 0.5
_LEAST = 1e-9  # a chance whose logarithm is finite


class ReviewError(SentenceError, ValueError):
    """A match can't be reviewed; the message says why."""


@dataclass(frozen=True)
class Alternative:
    """The best turn available."""

    notation: str
    line: tuple[str, ...]
    """The turns expected, this one first."""
    score: float
    """In the evaluation's units, from the side of ``Moment.score``."""
    chance: float
    """The winning chance of the seat that was to move; 0.5 in a game for one seat."""
    steps: tuple[int, ...] = ()


@dataclass(frozen=True)
class Moment:
    """A position of the match: the start, or after a turn and the chance that followed."""

    index: int
    """0 for the start, n after the nth turn of a seat."""
    state_index: int
    """Its index in ``Match.states``."""
    seat: int | None
    """The seat that took the turn before; None at the start."""
    notation: str
    """The notation of the turn before; "" at the start."""
    mover: int | None
    """The seat to move; None if the match is over."""
    score: float
    """In the evaluation's units, from the first seat's side; beyond ``WIN_BOUND`` a forced result. For one seat the
    points that the search expects it to end with."""
    chances: tuple[float, ...]
    """Each seat's winning chance, a draw counting a half; () in a game for one seat. The sides' add up to 1."""
    win_distance: int | None = None
    """Turns of both sides to the forced win (positive) or loss (negative) of the first seat's side; None if neither."""
    is_proven: bool = False
    """Whether the score is the game's true value."""
    depth: int = 0
    line: tuple[str, ...] = ()
    """The turns expected from here."""
    steps: tuple[int, ...] = ()
    best: Alternative | None = None
    """The best turn in place of the one before, perhaps the same; None at the start."""
    is_best: bool = False
    """Whether the turn before was the best, or as good."""
    loss: float = 0.0
    """The winning chance that the turn lost its mover against the best, 0 to 1; for one seat the share of the score."""
    mark: str = ""
    """The mark of the turn: "?!", "?", "??", "!", "!!" or ""."""
    turns_to_choose_from: int = 0
    choices: int | None = None
    """The number of turns to choose from; None at the start, and for turns of set-up."""
    conspiracy: float | None = None
    """The single conspiracy number, for its seat, of the position that the turn was played in; infinity where the
    threshold is out of reach. None at the start, for turns of set-up, and if it is not computed.
    """
    segment: int = 0
    """The part of the game: in 2048 a new one begins with each new largest tile."""
    proof_chance: float | None = None
    """The first seat's winning chance by the probability-based proof number, if it is computed."""


@dataclass(frozen=True)
class Review:
    """The results of a reviewer so far; immutable."""

    moments: tuple[Moment, ...]
    total: int
    """The number of moments in the end."""
    scale: float
    """The score of a winning chance of 73 %; show ``score / scale`` with one decimal."""
    has_chance: bool = False

    @property
    def is_complete(self) -> bool:
        return len(self.moments) == self.total

    @cached_property
    def turning_points(self) -> tuple[int, ...]:
        """Indices of the moments whose turn turned the game: each "??", and each "?" that gave the lead away."""
        return tuple(
            after.index
            for before, after in zip(self.moments, self.moments[1:], strict=False)
            if after.mark == WORST
            or (after.mark == BAD and _leads(before, after.seat) and not _leads(after, after.seat))
        )

    @cached_property
    def course(self) -> Course:
        """The course of the game by its conspiracy numbers, if they are computed."""
        return Course(
            tuple(
                Play(moment.index, moment.seat, moment.conspiracy, moment.segment)
                for moment in self.moments
                if moment.seat is not None and moment.conspiracy is not None
            )
        )

    @property
    def has_zones(self) -> bool:
        """Whether zones, stages and stability traps have a meaning: the paper defines them for a single agent.

        Where players oppose each other, low numbers that hardly change are the winner's, and no trap.
        """
        return not any(moment.chances for moment in self.moments)

    @cached_property
    def refinement(self) -> Refinement | None:
        """Game refinement by this one game's turns of play; None before its first."""
        return refinement([moment.choices for moment in self.moments if moment.choices is not None])

    def mean_loss(self, seat: int) -> float | None:
        """The mean loss of *seat*'s turns; None if it had none."""
        losses = [moment.loss for moment in self.moments if moment.seat == seat]
        return fmean(losses) if losses else None

    def accuracy(self, seat: int) -> float | None:
        """The accuracy of *seat*'s turns so far, 0 to 100; None if it had none."""
        losses = [(moment.index, moment.loss) for moment in self.moments if moment.seat == seat]
        return accuracy(losses, [moment.chances[seat] for moment in self.moments if moment.chances])


class Reviewer:
    """Reviews one match as it is now. ``review`` and ``stop`` may be used while another thread runs it."""

    def __init__(
        self,
        match: Match,
        limit: Limit | None = None,
        seed: int = 0,
        conspiracy_turns: int | None = TURNS,
        threshold: float | None = None,
        proof_chance: Callable[[State], float] | None = None,
        since: int = 0,
        is_part: bool = False,
    ) -> None:
        """:param limit: for each position; default: ``default_limit``.
        :param conspiracy_turns: depth of the tree of conspiracy numbers; None for no such numbers.
        :param threshold: their T before any milestone; default: the game's own.
        :param proof_chance: computes ``Moment.proof_chance`` of a position.
        :param since: the number of turns to skip; they still count as history.
        :param is_part: whether *match* is a part of one that is over, so that nothing is hidden any more.
        :raises ReviewError: the match can't be reviewed.
        """
        game = match.game
        if game.has_hidden_information and match.ending is None and not is_part:
            raise ReviewError.saying(
                "{game} has hidden cards: you can review a match once it is over.", game=game.title
            )
        self._game, self._rules, self._seed = game, game.rules, seed
        # A match that was concluded early ends in an ordinary position.
        self._ending = None if match.conclusion else match.ending
        self._states, self._steps = list(match.states), list(match.steps)
        turns = complete_turns(match)
        self._turns = turns[since:]
        firsts = [turn.first_step for turn in match.turns() if turn.seat != CHANCE][: len(turns) + 1]
        if len(firsts) == len(turns):
            firsts.append(len(match.steps))
        self.state_indices = firsts[since:]
        """Indices of the match's states with a seat to move, and of the last one."""
        self.limit = limit or default_limit(len(self.state_indices))
        self._scale = float(evaluation_of(game).SCALE)
        self._is_for_one = len(match.seats) == 1
        self._search = searcher_for(game, len(match.seats), self._states[0])
        self._conspiracy = Conspiracy(game, conspiracy_turns, threshold) if conspiracy_turns else None
        self.threshold = self._conspiracy.first_threshold if self._conspiracy else None
        self._found: list[Analysis | None] = []  # for each moment
        self._proof_chance = proof_chance
        self._is_stopped = False
        self.review = Review((), len(self.state_indices), self._scale, game.has_chance)

    def stop(self) -> None:
        """Make ``run``, or the next one, return at once; a later one continues from there."""
        self._is_stopped = True
        self._search.stop()
        if self._conspiracy:
            self._conspiracy.stop()

    def run(self, said: Callable[[Review], None] = lambda review: None) -> Review:
        """Continue until all is reviewed or ``stop`` is called; *said* gets the review after each moment."""
        # A compilation can't be interrupted, but ``stop`` skips the next one.
        if not self._is_stopped:
            self._search.prepare(self._states[0])
        if self._conspiracy and not self._is_stopped:
            self._conspiracy.prepare(self._states[0])
        for index in range(len(self.review.moments), len(self.state_indices)):
            if self._is_stopped:
                break
            found = self._look(index)
            moment = self._moment(index, found)
            if self._is_stopped:
                break
            self._found.append(found)
            self.review = replace(self.review, moments=(*self.review.moments, moment))
            said(self.review)
        self._is_stopped = False
        return self.review

    def _state(self, index: int) -> State:
        return self._states[self.state_indices[index]]

    def _analyse(self, index: int, limit: Limit, only: Sequence[int] = ()) -> Analysis:
        """Search the position of a moment as its mover sees it."""
        state = self._state(index)
        repeated = come_twice(self._states[: self.state_indices[index] + 1])
        sight = observe(state, int(mover(state)))
        return self._search.analyse(sight, limit, repeated, self._seed, lambda: self._is_stopped, only)

    def _look(self, index: int) -> Analysis | None:
        """The analysis of a moment; None if the match is over."""
        if index == len(self.state_indices) - 1 and self._ending:
            return None
        found = self._analyse(index, self.limit)
        depth = found.depth - (index + found.depth) % 2
        if found.is_proven or depth < 1 or sides(self._state(index)) != 2 or self.limit.depth is not None:
            return found
        # All moments are evaluated with the same seat to move at the leaves: few evaluations are antisymmetric.
        again = self._analyse(index, replace(self.limit, depth=depth))
        return again if again.depth == depth else found

    def _moment(self, index: int, found: Analysis | None) -> Moment:
        state = self._state(index)
        chances = self._chances(state, found)
        moment = Moment(
            index=index,
            state_index=self.state_indices[index],
            seat=None,
            notation="",
            mover=None if found is None else found.seat,
            score=self._score(state, found, chances),
            chances=chances,
            segment=int(milestone(state)),
            proof_chance=self._proof_chance(state) if self._proof_chance and not self._is_stopped else None,
        )
        if found is None:
            moment = replace(moment, is_proven=True)
        else:
            moment = replace(
                moment,
                win_distance=win_distance(moment.score),
                is_proven=found.is_proven,
                depth=found.depth,
                line=tuple(turn_notations(self._rules, state, found.principal_variation)),
                steps=tuple(found.principal_variation),
                turns_to_choose_from=turns_to_choose_from(self._rules, state),
            )
        return self._with_turn(moment, found) if index else moment

    def _with_turn(self, moment: Moment, found: Analysis | None) -> Moment:
        """*moment* with the facts of the turn that led to it."""
        turn = self._turns[moment.index - 1]
        before = self._found[moment.index - 1]
        assert before is not None
        start = self._state(moment.index - 1)
        played = self._steps[turn.first_step : turn.end_step]
        expected = list(turns_along(start, before.principal_variation))
        line = tuple(turn.notation(self._rules) for turn in expected)
        own = expected[0].steps
        is_best = list(own) == played[: len(own)]
        loss = 0.0 if is_best else self._loss(moment, found, before, played)
        earlier = self.review.moments[-1]
        chance = self._chance(earlier, turn.seat)
        state = play_state(self._rules, self._states, turn)
        if state is not None:  # turns of set-up have no such figures
            counted = self._conspiracy
            moment = replace(
                moment,
                choices=turns_to_choose_from(self._rules, state),
                conspiracy=counted.number(state, turn.seat, None, lambda: self._is_stopped) if counted else None,
                segment=int(milestone(state)),
            )
        return replace(
            moment,
            seat=turn.seat,
            notation=turn.notation,
            best=Alternative(line[0], line, earlier.score, chance, tuple(before.principal_variation)),
            is_best=is_best or loss == 0.0,
            loss=loss,
            mark=self._mark(moment.index - 1, before, loss, played) if is_best else fault(loss),
        )

    def _loss(self, moment: Moment, found: Analysis | None, before: Analysis, played: Sequence[int]) -> float:
        """The winning chance that the turn *played* lost its mover."""
        previous = moment.index - 1
        if self._game.has_chance:
            # Both steps are evaluated before chance acts.
            alone = self._analyse(previous, replace(self.limit, depth=max(1, before.depth)), played[:1])
            return self._gap(before.score, alone.score)
        earlier = self.review.moments[-1]
        after = self._chance(moment, before.seat)
        loss = self._chance(earlier, before.seat) - after
        if loss < MISTAKE or found is None or before.is_proven:
            return max(0.0, loss)
        # Searched one turn deeper, the best step may turn out no better: then nothing was lost.
        deeper = Limit(self.limit.time, found.depth + 1, self.limit.nodes)
        again = self._analyse(previous, deeper)
        kept = self._chances(self._state(previous), again)[before.seat]
        return max(0.0, min(loss, kept - after))

    def _mark(self, index: int, best: Analysis, loss: float, played: Sequence[int]) -> str:
        """The mark of a best turn: "" unless it was the only good one and hard to find."""
        state = self._state(index)
        others = [step for step in legal_steps(state, self._rules.MOST_STEPS) if step != best.step]
        if not others or best.depth <= GLANCE or self._analyse(index, Limit(depth=GLANCE)).step == best.step:
            return ""
        second = self._analyse(index, replace(self.limit, depth=best.depth), others)
        if self._gap(best.score, second.score) < ONLY_BY:
            return ""
        is_deep = best.depth > LOOK and self._analyse(index, replace(self.limit, depth=LOOK)).step != best.step
        return BEST if is_deep else GOOD

    def _gap(self, best: float, other: float) -> float:
        """The loss, as ``Moment.loss``, of a step of score *other* against the *best*."""
        if self._is_for_one:
            return max(0.0, (best - other) / max(best, 1.0))
        return max(0.0, winning_chance(best, self._scale) - winning_chance(other, self._scale))

    def _chance(self, moment: Moment, seat: int) -> float:
        return moment.chances[seat] if moment.chances else 0.5

    def _score(self, state: State, found: Analysis | None, chances: Sequence[float]) -> float:
        if found is None:
            assert self._ending is not None
            won = self._ending.payoffs[0]
            return won if self._is_for_one else WIN * ((won > 0) - (won < 0))
        if allied(state, 0, found.seat):
            return found.score
        if sides(state) == 2:
            return -found.score
        return self._scale * (log(max(chances[0], _LEAST)) - log(max(1.0 - chances[0], _LEAST)))

    def _chances(self, state: State, found: Analysis | None) -> tuple[float, ...]:
        if self._is_for_one:
            return ()
        if found is None:
            assert self._ending is not None
            return _shares(state, self._ending.payoffs)
        if sides(state) == 2:
            chance = winning_chance(found.score, self._scale)
            return tuple(chance if allied(state, seat, found.seat) else 1.0 - chance for seat in range(seats(state)))
        worth = [score / self._scale for score in found.promises]
        weights = [exp(one - max(worth)) for one in worth]
        return tuple(one / sum(weights) for one in weights)


def turn_notations(rules: Rules, state: State, steps: Sequence[int]) -> Iterator[str]:
    """The notations of the turns that *steps* from *state* make; the last one may be incomplete."""
    return (turn.notation(rules) for turn in turns_along(state, steps))


def default_limit(positions: int) -> Limit:
    """The limit for each of *positions*, in nodes so that reviews are reproducible; less for long matches."""
    return Limit(nodes=max(LEAST_NODES, min(MOST_NODES, NODES_A_MATCH // positions)))


def searcher_for(game: Game, number: int, state: State) -> Searcher:
    """The search of ``minimax`` for *game*, or maxⁿ for a *number* of more than two seats.

    For one seat its scores forecast the final points from a match of *state*, where the evaluation can.
    """
    family = FAMILIES["maxn"] if number > 2 else next(one for one in FAMILIES.values() if one.suits(game))
    evaluation = evaluation_of(game)
    weights = evaluation.forecast(state) if offers(evaluation, Forecasting) else evaluation.WEIGHTS[STANDARD]
    return family.make(game, SearchSetting(Limit(), weights))


def sides(state: State) -> int:
    """The number of sides; a team is one."""
    number = int(seats(state))
    return sum(not any(allied(state, seat, other) for other in range(seat)) for seat in range(number))


def _shares(state: State, payoffs: Sequence[float]) -> tuple[float, ...]:
    """A finished game as winning chances: the winners share 1, a draw is shared by all."""
    if sides(state) == 2:
        return tuple((1.0 + (won > 0) - (won < 0)) / 2 for won in payoffs)
    most = max(payoffs)
    return tuple(float(won == most) / payoffs.count(most) for won in payoffs)


def _leads(moment: Moment, seat: int | None) -> bool:
    return seat is not None and bool(moment.chances) and moment.chances[seat] >= 1.0 / len(moment.chances)
