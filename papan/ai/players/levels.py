"""The players of the levels, which err as people do: they look a few turns ahead, and don't always take the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from papan.ai.evaluation import Strength, evaluation_of, strengths_of
from papan.ai.levels import FIRST_CAREFUL, STEPS, step_of
from papan.ai.limits import WIN, Analysis, Limit, Line
from papan.ai.players.families import DEFAULT_TIME, SearchSetting, families_of, make_search, opens_by, read_setting
from papan.ai.players.kinds import PlayerWithSearch, SearchingPlayer
from papan.ai.players.situations import Player, PlayerError, Situation
from papan.ai.search import Searcher, never
from papan.game.base.foreign import quoted
from papan.game.base.sentences import say
from papan.game.facts import Game
from papan.game.kernel.rng import mix
from papan.game.rules import Rules, State, legal_steps, seats

CONSIDERED = 8
"""The best so many steps are those that it may take instead of the best one."""
_MEMORY = 3
"""MiB of the table of a level that looks few turns ahead."""
_SALT = 0x5EED
"""Its choices are drawn by another seed than what the search shuffles by."""


class FalliblePlayer(PlayerWithSearch):
    """Draws one of the best steps that its search finds, the better the likelier.

    A search, of which it is a part, settles how much it sees; ``Strength.temperature`` how narrowly it compares, and
    ``Strength.blindness`` how often it does not look at all. The same situation gives the same step, as long as the
    search is not ended by time.
    """

    def __init__(
        self, rules: Rules, search: Searcher, strength: Strength, scale: float, limit: Limit, is_careful: bool
    ) -> None:
        """:param scale: the ``SCALE`` of the evaluation that *search* judges by.
        :param is_careful: whether it always takes what wins at once, and avoids what loses at once; *limit* must let
            it look two turns ahead.
        """
        super().__init__(rules, search, limit)
        self._strength = strength
        self._scale = scale
        self._is_careful = is_careful

    def prepare_rest(self, state: State) -> None:
        """Nothing."""

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = never) -> Analysis:
        state = situation.state
        random = Random(int(mix((situation.seed ^ _SALT) & 0xFFFFFFFFFFFFFFFF)))
        is_blind = random.random() < self._strength.blindness
        steps = legal_steps(state, self._rules.MOST_STEPS)
        if is_blind and not self._is_careful:
            step = random.choice(steps)
            return Analysis(step, 0.0, situation.seat, principal_variation=(step,))
        limit = self.allowed(situation) if len(steps) > 1 else Limit(depth=1)  # nothing to decide
        found = self._search.analyse(
            state,
            limit,
            situation.came_twice,
            seed=situation.seed,
            is_cancelled=is_cancelled,
            lines=self._wanted(is_blind),
        )
        lines = self._acceptable(found.lines, int(seats(state)))
        chosen = random.choice(lines) if is_blind else drawn(lines, self._strength.temperature * self._scale, random)
        return replace(
            found,
            step=chosen.step,
            score=chosen.score,
            principal_variation=chosen.principal_variation,
            is_proven=chosen.is_proven,
            lines=(chosen,),
        )

    def _wanted(self, is_blind: bool) -> int:
        """How many of the best steps it wants to know of; 0 for all."""
        if is_blind:
            return 0
        return CONSIDERED if self._strength.temperature > 0.0 else 1

    def _acceptable(self, lines: Sequence[Line], seats: int) -> Sequence[Line]:
        """Those of *lines*, of which the best comes first, that it may take."""
        if not self._is_careful or seats < 2:
            return lines
        if lines[0].score >= WIN - 1:
            return lines[:1]
        return [line for line in lines if line.score > seats - WIN] or lines[:1]


def drawn(lines: Sequence[Line], temperature: float, random: Random) -> Line:
    """One of *lines*, of which the best comes first: each as likely as ``exp(score / temperature)`` makes it.

    :param temperature: in the units of the scores; at 0 it is always the best one.
    """
    if temperature <= 0.0:
        return lines[0]
    best = lines[0].score
    weights = [math.exp(min(0.0, line.score - best) / temperature) for line in lines]
    return random.choices(lines, weights)[0]


def make_level(name: str, game: Game) -> Player:
    """The player of the level called *name*, ``level:3`` or ``level:8,time=5``, for *game*.

    :raises PlayerError: there is no such level, or its time is none.
    """
    setting = level_setting(name, game)
    search = make_search(families_of(game)["minimax"], game, setting)
    step = step_of(name)
    assert step is not None
    strength = strengths_of(game)[step.number - 1]
    if isinstance(strength, str):
        openings = opens_by(families_of(game)["minimax"], game, setting)
        return SearchingPlayer(game.rules, search, setting.limit, setting.depth_asked, openings)
    scale = float(evaluation_of(game).SCALE)
    return FalliblePlayer(game.rules, search, strength, scale, setting.limit, step.number >= FIRST_CAREFUL)


def level_setting(name: str, game: Game) -> SearchSetting:
    """What the search of the level called *name* is set to.

    :raises PlayerError: there is no such level, or its time is none.
    """
    evaluation = evaluation_of(game)
    family = families_of(game)["minimax"]
    step = step_of(name)
    more = name.partition(",")[2]
    try:
        if step is None or ("," in name and (not more.startswith("time=") or "," in more)):
            raise PlayerError
        strength = strengths_of(game)[step.number - 1]
        if isinstance(strength, str):
            return read_setting("minimax", family, ",".join(filter(None, [strength, more])), evaluation)
        depth, seconds = f"depth={strength.depth}", more or f"time={DEFAULT_TIME:g}"
        setting = read_setting("minimax", family, f"{depth},{seconds}", evaluation)
    except PlayerError:
        raise PlayerError(
            say(
                "{name} is no level: there are {first} to {last}, and with {time} behind it each thinks so many seconds"
                " at most.",
                name=quoted(name),
                first=STEPS[0].player,
                last=STEPS[-1].player,
                time=",time=S",
            )
        ) from None
    return replace(setting, weights=evaluation.WEIGHTS[strength.weights], memory=_MEMORY)
