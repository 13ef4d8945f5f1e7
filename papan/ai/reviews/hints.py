"""Why a hinted turn is good, as a clause that follows "it": by a forced result, a threat, or motifs of the game.

The search has the last word: motifs that its expected line refutes are not told, and where it expects a loss, only
those about an immediate win that is stopped or threatened.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from papan.ai.exact import exact_of, measure_of
from papan.ai.limits import Analysis, own_turns
from papan.ai.reviews.coach import Coach, find_threat, first_turn, turn_name, winning_turn
from papan.ai.search import PlayedTurn, Searcher
from papan.game.base.sentences import NO_WORDS, Sentence, say
from papan.game.game import Game, PartError
from papan.game.presentation import ALSO, URGENT, Motif
from papan.game.rules import Rules, State, allied, is_over, legal_steps, mover, payoff, seats

log = logging.getLogger(__name__)

_LOST_AT_ONCE = -2
"""The distance of a loss by the next turn of the other side."""
_LONGEST = 90
"""The most characters of two reasons: a hint has two lines in the smallest window."""
_ONLY_MOVE = say("is the only legal move")


def hint_reason(
    game: Game,
    names: Sequence[str],
    state: State,
    analysis: Analysis,
    search: Searcher | None,
    named: Callable[[PlayedTurn], str] | None = None,
) -> Sentence:
    """Why the turn that *analysis* of *state* suggests is good; an empty sentence if that is not known.

    :param names: the players' names by seat, capitalised.
    :param state: as its mover sees it.
    :param search: looks for threats, compiled for this type of state; None where threats may not be shown.
    :param named: names a turn in a sentence; default: ``coach.turn_name``.
    """
    turns = list(expected_turns(game, state, analysis))
    if not turns:  # the line ends within the turn
        return NO_WORDS
    turn, line = turns[0], [later.states[-1] for later in turns[1:]]
    result, distance = sure_result(game, state, turn.states[-1], analysis), _sure_distance(game, analysis) or 0
    if distance < 0 and is_forced(game.rules, turn):
        return _ONLY_MOVE
    if is_over(turn.states[-1]) or distance == _LOST_AT_ONCE:
        return result or _fallback(game, turn, analysis)
    motifs = _motifs(game, names, turn, line)
    urgent = [motif for motif in motifs if motif.worth >= URGENT]
    if result:
        return _both(_clause((motifs if distance > 0 else urgent)[:1]), result)
    purpose = NO_WORDS
    if search is not None and not urgent:
        purpose = _purpose(game, names, state, turn.states[-1], search, named or partial(turn_name, game.rules))
    return purpose or _clause(motifs) or _fallback(game, turn, analysis)


def expected_turns(game: Game, state: State, analysis: Analysis) -> Iterator[PlayedTurn]:
    """The hinted turn and those that the search expects after it, up to the first that chance decides."""
    line = analysis.principal_variation or (analysis.step,)
    while line and (turn := first_turn(state, line, game.rules.MOST_STEPS)) is not None:
        yield turn
        state, line = turn.states[-1], line[len(turn.steps) :]


def sure_result(game: Game, state: State, after: State, analysis: Analysis) -> Sentence:
    """The forced result by the search's score, for the mover of *state*; empty if there is none."""
    if int(seats(state)) == 1:
        return NO_WORDS
    if is_over(after):
        points = payoff(after, int(mover(state)))
        return say("wins") if points > 0 else NO_WORDS if points < 0 else say("ends in a draw")
    distance = _sure_distance(game, analysis)
    if distance is None:
        return NO_WORDS
    module = exact_of(game)
    measure = measure_of(module, state, analysis.score) if module is not None and analysis.is_proven else None
    if measure is not None and measure.turns is None and measure.number and measure.words:  # speed does not count
        if distance > 0:
            return say("wins ({margin})", margin=measure.words)
        return say("loses by as little as possible ({margin})", margin=measure.words)
    return say("wins in {n}", n=own_turns(distance)) if distance > 0 else say("holds out longest")


def _sure_distance(game: Game, analysis: Analysis) -> int | None:
    """The distance of a forced result, None without one: where something is hidden, most are only guessed."""
    return analysis.win_distance if analysis.is_proven or not game.has_hidden_information else None


def _motifs(game: Game, names: Sequence[str], turn: PlayedTurn, line: Sequence[State]) -> list[Motif]:
    """The motifs of *turn* for a hint that *line*, the states after later turns, bears out; the worthiest first."""
    try:
        motifs = Coach(game, names).motifs(turn)
    except PartError as error:
        log.error("What turns bring about can't be told: %s", error)
        return []
    return sorted((one for one in motifs if one.does and one.holds(line)), key=lambda one: -one.worth)


def _clause(motifs: Sequence[Motif]) -> Sentence:
    """The first of *motifs*, with the second one if that matters too and there is room."""
    if len(motifs) > 1 and motifs[1].worth >= ALSO * motifs[0].worth:
        both = _both(motifs[0].does, motifs[1].does)
        return both if len(both) <= _LONGEST else motifs[0].does
    return motifs[0].does if motifs else NO_WORDS


def _both(some: Sentence, last: Sentence) -> Sentence:
    return say("{some} and {last}", some=some, last=last) if some and last else some or last


def _purpose(
    game: Game,
    names: Sequence[str],
    state: State,
    after: State,
    search: Searcher,
    named: Callable[[PlayedTurn], str],
) -> Sentence:
    """The threat that the turn from *state* to *after* stops or makes; empty for neither."""
    before = find_threat(game.rules, state, search)
    if before is not None and winning_turn(game.rules, after, search) is None:
        return say("stops {name} from winning with {turn}", name=names[before.seat], turn=named(before.turn))
    own = find_threat(game.rules, after, search)
    if own is not None and allied(after, int(mover(state)), own.seat):
        return say("threatens to win with {turn}", turn=named(own.turn))
    return NO_WORDS


def is_forced(rules: Rules, turn: PlayedTurn) -> bool:
    """Whether *turn* is the only legal one."""
    return all(len(legal_steps(state, rules.MOST_STEPS)) == 1 for state in turn.states[:-1])


def _fallback(game: Game, turn: PlayedTurn, analysis: Analysis) -> Sentence:
    """What can be said of a turn without a motif; empty for nothing."""
    if is_forced(game.rules, turn):
        return _ONLY_MOVE
    if analysis.is_proven and analysis.score == 0.0 and int(seats(turn.states[0])) > 1:
        return say("holds the draw")
    return say("follows the opening book") if analysis.is_by_book else NO_WORDS
