"""The eight levels ``level:1`` to ``level:8`` and their fallible players.

Each game's ``STRENGTHS``, in its evaluation module, define them; some play exactly as *easy*, *medium* and *hard*.
``docs/levels.md`` has the measured differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from papan.ai.evaluation import Strength, evaluation_of, strengths_of
from papan.ai.limits import WIN, Analysis, Limit, Line
from papan.ai.players.families import DEFAULT_TIME, SearchSetting, families_of, make_search, opens_by, read_setting
from papan.ai.players.situations import Player, PlayerError, PlayerWithSearch, SearchingPlayer, Situation
from papan.ai.search import Query, Searcher, never
from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted, whole_number
from papan.game.game import Game
from papan.game.kernel.rng import mix
from papan.game.rules import Rules, State, legal_steps, seats

PREFIX = "level:"


class PlayerLevel(NamedTuple):
    number: int
    """1, the weakest, to 8."""
    name: str
    """Its animal, as in file names."""
    title: str
    line: str

    @property
    def player(self) -> str:
        return f"{PREFIX}{self.number}"


PLAYER_LEVELS = (
    PlayerLevel(1, "snail", say("Snail"), say("has just learned the rules")),
    PlayerLevel(2, "ant", say("Ant"), say("sees what is right in front of it")),
    PlayerLevel(3, "rooster", say("Rooster"), say("looks before it leaps")),
    PlayerLevel(4, "mouse-deer", say("Mouse-deer"), say("plans a little ahead")),
    PlayerLevel(5, "civet", say("Civet"), say("makes few bad mistakes")),
    PlayerLevel(6, "eagle", say("Eagle"), say("sees far ahead")),
    PlayerLevel(7, "tiger", say("Tiger"), say("lets little slip by")),
    PlayerLevel(8, "dragon", say("Dragon"), say("plays at full strength")),
)
FIRST_CAREFUL = 3
"""The lowest level that always takes an immediate win and avoids an immediate loss."""


def player_level_of(player: str) -> PlayerLevel | None:
    """The level of the player with this name, or None.

    >>> [step and step.name for step in map(player_level_of, ("level:1", "level:8,time=3", "level:9", "minimax:easy"))]
    ['snail', 'dragon', None, None]
    """
    number = whole_number(player.removeprefix(PREFIX).partition(",")[0]) if player.startswith(PREFIX) else None
    return PLAYER_LEVELS[number - 1] if number is not None and 1 <= number <= len(PLAYER_LEVELS) else None


class NamedLevel(NamedTuple):
    player: str
    face: str
    """The animal of the level that plays about as well."""
    title: str
    line: str


NAMED_LEVELS = (
    NamedLevel("minimax:easy", "ant", say("Easy"), say("for your first games")),
    NamedLevel("minimax:medium", "eagle", say("Medium"), say("a fair match for most people")),
    NamedLevel("minimax:hard", "dragon", say("Hard"), say("plays as well as it can")),
)


def named_level_of(player: str) -> NamedLevel | None:
    """Easy, medium or hard, if *player* is one of them, with its usual time or another; or None.

    >>> [level and level.title for level in map(named_level_of, ("minimax:hard,time=3", "minimax:depth=3", "level:2"))]
    ['Hard', None, None]
    """
    name, _, _ = player.partition(",time=")
    return next((level for level in NAMED_LEVELS if name == level.player), None)


CONSIDERED = 8
"""The number of best steps that a level chooses among."""
_MEMORY = 3
"""MiB of a level's transposition table."""
_SALT = 0x5EED
"""Makes its seed differ from the search's."""


class FalliblePlayer(PlayerWithSearch):
    """Draws one of the best steps of its search by ``Strength``; better ones are likelier.

    The same situation gives the same step unless time ended the search.
    """

    def __init__(
        self, rules: Rules, search: Searcher, strength: Strength, scale: float, limit: Limit, is_careful: bool
    ) -> None:
        """:param is_careful: whether it takes immediate wins and avoids immediate losses; needs a depth of 2."""
        super().__init__(rules, search, limit)
        self._strength = strength
        self._scale = scale
        self._is_careful = is_careful

    def prepare_rest(self, state: State) -> None: ...

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = never) -> Analysis:
        state = situation.state
        random = Random(int(mix((situation.seed ^ _SALT) & 0xFFFFFFFFFFFFFFFF)))
        is_blind = random.random() < self._strength.blindness
        steps = legal_steps(state, self._rules.MOST_STEPS)
        if is_blind and not self._is_careful:
            step = random.choice(steps)
            return Analysis(step, 0.0, situation.seat, principal_variation=(step,))
        limit = self.allowed(situation) if len(steps) > 1 else Limit(depth=1)  # nothing to decide

        def analyse(limit: Limit, lines: int, only: Sequence[int] = ()) -> Analysis:
            query = Query(state, limit, situation.came_twice, situation.seed, is_cancelled, only, lines)
            return self.search.answer(query)

        if is_blind:
            return self._at_random(analyse, limit, int(seats(state)), random)
        found = analyse(limit, CONSIDERED if self._strength.temperature > 0.0 else 1)
        lines = self._acceptable(found.lines, int(seats(state)))
        return _choosing(drawn(lines, self._strength.temperature * self._scale, random), found)

    def _at_random(
        self, analyse: Callable[[Limit, int, Sequence[int]], Analysis], limit: Limit, seats: int, random: Random
    ) -> Analysis:
        """Draw from the steps until one is acceptable: most are, so that this takes a small part of a whole search."""
        found = analyse(replace(limit, depth=1), 0, ())
        if found.lines[0].score >= WIN - 1:
            return _choosing(found.lines[0], found)
        drawn = random.sample(found.lines, len(found.lines))
        for line in drawn:
            found = analyse(limit, 1, (line.step,))
            if seats < 2 or found.lines[0].score > seats - WIN:
                return _choosing(found.lines[0], found)
        return _choosing(drawn[0], found)

    def _acceptable(self, lines: Sequence[Line], seats: int) -> Sequence[Line]:
        """The *lines*, best first, that it may choose from."""
        if not self._is_careful or seats < 2:
            return lines
        if lines[0].score >= WIN - 1:
            return lines[:1]
        return [line for line in lines if line.score > seats - WIN] or lines[:1]


def _choosing(line: Line, found: Analysis) -> Analysis:
    """*found*, with the step of *line* alone."""
    return replace(
        found,
        step=line.step,
        score=line.score,
        principal_variation=line.principal_variation,
        is_proven=line.is_proven,
        lines=(line,),
    )


def drawn(lines: Sequence[Line], temperature: float, random: Random) -> Line:
    """Draw one of *lines*, best first, with weights ``exp(score / temperature)``; at 0 the best one."""
    if temperature <= 0.0:
        return lines[0]
    best = lines[0].score
    weights = [math.exp(min(0.0, line.score - best) / temperature) for line in lines]
    return random.choices(lines, weights)[0]


def make_level(name: str, game: Game) -> Player:
    setting = level_setting(name, game)
    search = make_search(families_of(game)["minimax"], game, setting)
    step = player_level_of(name)
    assert step is not None
    strength = strengths_of(game)[step.number - 1]
    if isinstance(strength, str):
        openings = opens_by(families_of(game)["minimax"], game, setting)
        return SearchingPlayer(game.rules, search, setting.limit, setting.depth_asked, openings)
    scale = float(evaluation_of(game).SCALE)
    return FalliblePlayer(game.rules, search, strength, scale, setting.limit, step.number >= FIRST_CAREFUL)


def level_setting(name: str, game: Game) -> SearchSetting:
    evaluation = evaluation_of(game)
    family = families_of(game)["minimax"]
    step = player_level_of(name)
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
        raise PlayerError.saying(
            "{name} is not a level: there are {first} to {last}, and with {time} behind it each thinks so many "
            "seconds at most.",
            name=quoted(name),
            first=PLAYER_LEVELS[0].player,
            last=PLAYER_LEVELS[-1].player,
            time=",time=S",
        ) from None
    return replace(setting, weights=evaluation.WEIGHTS[strength.weights], memory=_MEMORY)
