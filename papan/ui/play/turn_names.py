"""What a turn is called in the window: in words or in notation, as the setting says; speech uses words."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from papan.game.base.sentences import say
from papan.game.game import Game
from papan.game.match import Match, Turn
from papan.game.presentation import turn_in_sentence, turn_in_short, turn_in_words
from papan.game.rules import State, mover, play
from papan.ui.texts import translated
from papan.ui.texts.manner import tells_words

if TYPE_CHECKING:
    from papan.ai.search import PlayedTurn

log = logging.getLogger(__name__)

_Words = Callable[[Game, Sequence[State], Sequence[int]], str]


class TurnName(NamedTuple):
    """The names of a turn, in the current language."""

    words: str
    notation: str
    short: str = ""
    """Fewer words; "" for no others."""

    @property
    def shown(self) -> str:
        """The one that the setting asks for."""
        return self.words if tells_words() else self.notation

    @property
    def brief(self) -> str:
        """The one for where ``shown`` has no room."""
        return (self.short or self.words) if tells_words() else self.notation

    @property
    def other(self) -> str:
        """The other one, for a tooltip; "" if both are the same."""
        if self.words == self.notation:
            return ""
        return self.notation if tells_words() else self.words

    @property
    def told(self) -> str:
        """Both forms, for a tooltip; "" if they are the same."""
        return "" if self.words == self.notation else f"{self.words} ({self.notation})"


NO_TURN = TurnName("", "")


def turn_name(game: Game, states: Sequence[State], steps: Sequence[int]) -> TurnName:
    """The names of the turn *steps*, or of a part of it.

    :param states: the state before the turn and after each step, as the person may see them.
    """
    notation = "".join(game.rules.notation(*pair) for pair in zip(states, steps, strict=False))
    words, short = (translated(_said(form, game, states, steps)) for form in (turn_in_words, turn_in_short))
    return TurnName(words or notation, notation, short if short != words else "")


def name_of_played(match: Match, turn: Turn) -> TurnName:
    """The names of a *turn* of *match*."""
    steps = match.steps[turn.first_step : turn.end_step]
    return turn_name(match.game, match.states[turn.first_step : turn.end_step + 1], steps)


def names_in_line(game: Game, state: State, steps: Sequence[int]) -> Iterator[TurnName]:
    """Yield the names of the turns that *steps* from *state* make; the last one may be incomplete."""
    states, made = [state], list[int]()
    for step in steps:
        if made and mover(states[-1]) != mover(states[0]):
            yield turn_name(game, states, made)
            states, made = states[-1:], []
        states.append(play(states[-1], step))
        made.append(step)
    if made:
        yield turn_name(game, states, made)


def joined_turns(names: Iterable[str]) -> str:
    """The *names* of successive turns in one text."""
    return (" · " if tells_words() else " ").join(names)


def joined_in_sentence(names: Iterable[str]) -> str:
    """As ``joined_turns``, to go on with a sentence: words begin with a small letter."""
    if not tells_words():
        return joined_turns(names)
    return joined_turns(name[:1].lower() + name[1:] for name in names)


def names_in_sentences(game: Game) -> Callable[[PlayedTurn], str]:
    """A function that names a turn inside a sentence, in words within quotation marks; translated when shown."""
    return partial(_in_sentence, game)


def short_names_in_sentences(game: Game) -> Callable[[PlayedTurn], str]:
    """As ``names_in_sentences``, in as few words as the game has."""
    return partial(_in_sentence, game, words=turn_in_short)


def name_in_sentence(match: Match, turn: Turn) -> str:
    """The name of a *turn* of *match* inside a sentence, in the current language."""
    from papan.ai.search import PlayedTurn

    states, steps = match.states[turn.first_step : turn.end_step + 1], match.steps[turn.first_step : turn.end_step]
    return translated(_in_sentence(match.game, PlayedTurn(tuple(states), tuple(steps))))


def _in_sentence(game: Game, turn: PlayedTurn, *, words: _Words = turn_in_sentence) -> str:
    from papan.ai.reviews import coach

    if not tells_words() or (not game.parts.words and len(turn.steps) == 1):
        return coach.turn_name(game.rules, turn)
    return say("“{turn}”", turn=_said(words, game, turn.states, turn.steps))


def _said(words: _Words, game: Game, states: Sequence[State], steps: Sequence[int]) -> str:
    """The turn in the game's *words*; "" if they fail."""
    try:
        return words(game, states, steps)
    except Exception:  # any exception of a plugin
        log.exception("A turn of %s can't be put into words", game.name)
        return ""
