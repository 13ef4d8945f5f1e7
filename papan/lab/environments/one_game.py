"""One game for a learner, in plain Python: observations, actions and rewards; random events happen inside."""

from __future__ import annotations

import importlib
import operator
import os
import reprlib
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.observation import action_of, earned, observation_of, planes_for, shape_of, step_of
from papan.game.base.untrusted import plain
from papan.game.catalogue import find
from papan.game.game import SEATS, Game
from papan.game.match import Match
from papan.game.rules import CHANCE, NOBODY, IllegalStep, observe


class OneGame:
    """Matches of one game under fixed options, one after the other, played by actions."""

    def __init__(self, game: Game | str, options: Mapping[str, Any] | None = None) -> None:
        """Start with a match of seed 0.

        :raises OptionError: there is no such game, or it can't have these options.
        :raises PartError: the game has no observations.
        """
        self.match = new_match(game, options, 0)
        self.game = self.match.game
        self._options = self.match.options
        self._observation = observation_of(self.game)
        self.seats = len(self.match.seats)
        self.shape = shape_of(self._observation, self.match.state)
        """Planes, rows and columns of an observation."""
        self.actions = self._observation.actions(self.match.state)
        """The number of actions."""
        self._paid = [0.0] * self.seats
        self._has_begun = False

    def begin(self, seed: int) -> None:
        """Begin another match, whose random events come from *seed*."""
        self._has_begun = True
        self.match = new_match(self.game, self._options, seed)
        self._paid = [0.0] * self.seats
        self._settle_chance()

    def check_begun(self) -> None:
        if not self._has_begun:
            raise ValueError("No game has begun yet: reset begins one.")

    @property
    def mover(self) -> int:
        return self.match.mover

    @property
    def is_over(self) -> bool:
        return self.match.ending is not None

    def play(self, action: int) -> list[float]:
        """Take *action* for the seat to act, then play random events; return each seat's reward.

        :raises TypeError: it is not a whole number.
        :raises IllegalStep: the rules refuse it, or the match is over; nothing has changed.
        """
        self.match.play(self._step(whole_number(action, "An action")))
        self._settle_chance()
        ending = self.match.ending
        totals = [ending.payoffs[seat] if ending else earned(self.match.state, seat) for seat in range(self.seats)]
        rewards = [total - paid for total, paid in zip(totals, self._paid, strict=True)]
        self._paid = totals
        return rewards

    def largest_numbers(self) -> NDArray[np.uint8]:
        """The largest value of each cell: planes × rows × columns."""
        most = [plane.most for plane in self._observation.planes(self.match.states[0])]
        return np.broadcast_to(np.array(most, np.uint8)[:, None, None], self.shape).copy()

    def planes(self, seat: int) -> NDArray[np.uint8]:
        """The observation of *seat*: planes × rows × columns."""
        return planes_for(self._observation, self.match.state, seat)

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for each legal action of *seat*, else 0; all 0 if it is not to act."""
        mask = np.zeros(self.actions, np.int8)
        if seat == self.mover:
            mask[self.legal_actions()] = 1
        return mask

    def legal_actions(self) -> list[int]:
        """The legal actions of the seat to act."""
        return [int(action_of(self.match.state, step)) for step in self.match.legal_steps()]

    def __getstate__(self) -> dict[str, Any]:
        """What a copy needs, also one in another process: all but the module of observations."""
        return {name: value for name, value in vars(self).items() if name != "_observation"}

    def __setstate__(self, facts: dict[str, Any]) -> None:
        vars(self).update(facts)
        self._observation = observation_of(self.game)

    def rendered(self, mode: Any) -> str | NDArray[np.uint8] | None:
        """What ``render`` returns in the render mode *mode*; for None nothing, with a warning.

        :raises ValueError: there is no such mode.
        """
        mode = render_mode_of(mode)
        if mode is None:
            said = f"Nothing is rendered without a mode: make the environment with render_mode={ANSI!r} or {RGB!r}."
            warnings.warn(said, UserWarning, stacklevel=3)
            return None
        return self.text() if mode == ANSI else self.picture()

    def picture(self) -> NDArray[np.uint8]:
        """The publicly visible position as ``PICTURE_SIDE`` rows and columns of red, green and blue."""
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        drawing = importlib.import_module(_DRAWING)  # by name, as boards are: what is below the window can't import it
        state = observe(self.match.state, NOBODY)
        pixels: NDArray[np.uint8] = drawing.still(self.game, state, self.text(), PICTURE_SIDE)
        return pixels

    def text(self) -> str:
        """The publicly visible position before the current or last turn, a space, and that turn's notation."""
        turns = self.match.turns()
        begun, said = len(self.match.steps), ""
        if turns and (self.is_over or turns[-1].seat == self.mover):
            begun, said = turns[-1].first_step, turns[-1].notation
        return f"{self.game.rules.text(observe(self.match.states[begun], NOBODY))} {said}".rstrip()

    def _step(self, action: int) -> int:
        match = self.match
        if not match.ending and action in self.legal_actions():
            return int(step_of(match.state, action))
        if not 0 <= action < self.actions:
            raise IllegalStep(f"There is no action {shown(action)}: they are 0 to {self.actions - 1}.")
        step = int(step_of(match.state, action))
        is_other = step in match.legal_steps()  # an impossible action may share its step number with a legal one
        raise IllegalStep(
            f"The action {action} is not a step here." if is_other else self.game.rules.refusal(match.state, step)
        )

    def _settle_chance(self) -> None:
        while not self.is_over and self.mover == CHANCE:
            self.match.play(self.match.chance_step())


# Checks of arguments: each raises before anything has changed, a ``TypeError`` for a wrong type, a ``ValueError``
# for an impossible value.

ANSI, RGB = "ansi", "rgb_array"
RENDER_MODES: Sequence[str] = (ANSI, RGB)
"""A text, and a picture."""
PICTURE_SIDE = 480
_DRAWING = "papan.ui.boards.still"
LARGEST_SEED = 2**64 - 1

_MOST_BITS = 128
"""The largest numbers that messages write out."""
_quotes = reprlib.Repr()


def shown(value: object) -> str:
    """*value* as quoted in a message: short and on one line.

    >>> shown("b3\\n"), shown([1] * 1000)
    ("'b3\\\\n'", '[1, 1, 1, 1, 1, 1, ...]')
    """
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} and shape {value.shape}"
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return f"a number of {value.bit_length()} bits"
    try:
        return plain(_quotes.repr(value))
    except Exception:
        return f"an object of the type {type(value).__name__}"


def whole_number(value: Any, what: str) -> int:
    """*value* as an ``int``; whole numbers of ``numpy`` and other libraries are accepted, truth values are not.

    >>> whole_number(np.int8(3), "The seat")
    3

    :raises TypeError: it is not a whole number; the message begins with *what*.
    """
    try:
        if not isinstance(value, bool) and getattr(value, "dtype", None) != np.bool_:
            return operator.index(value)
    except Exception:
        pass
    raise TypeError(f"{what} must be a whole number, not {shown(value)}.")


def number_between(value: Any, what: str, least: int, most: int) -> int:
    """*value* as an ``int`` from *least* to *most*.

    :raises TypeError: it is not a whole number.
    :raises ValueError: it is out of range.
    """
    number = whole_number(value, what)
    if not least <= number <= most:
        raise ValueError(f"{what} must be from {least} to {most}, not {shown(number)}.")
    return number


def whole_numbers(values: Any, what: str, number: int) -> NDArray[Any]:
    """*values* as an array of *number* whole numbers, of any integer type.

    :raises TypeError: they are not whole numbers; the message begins with *what*.
    :raises ValueError: they have another shape.
    """
    if isinstance(values, list | tuple):
        if not all(type(each) is int for each in values):  # by far the fastest check
            values = [whole_number(each, f"{what} {at}") for at, each in enumerate(values)]
        try:
            array: NDArray[Any] = np.array(values, np.int64)
        except OverflowError:  # 64 bits don't suffice
            array = np.array(values, object)
    else:
        try:
            array = np.asarray(values)
        except Exception:
            array = np.array(None)
        if array.dtype.kind not in "iu":
            raise TypeError(f"{what}s must be an array of whole numbers, not {shown(values)}.")
    if array.shape != (number,):
        raise ValueError(f"There must be one {what.lower()} for each of the {number} games; these are {array.shape}.")
    return array


def seed_of(value: Any) -> int | None:
    """*value* as a seed, or None.

    :raises TypeError: it is not a whole number.
    :raises ValueError: it is below 0 or above ``LARGEST_SEED``.
    """
    return None if value is None else number_between(value, "The seed", 0, LARGEST_SEED)


def render_mode_of(value: Any) -> str | None:
    """One of ``RENDER_MODES``, or None.

    :raises ValueError: it is neither.
    """
    if value is None or (isinstance(value, str) and value in RENDER_MODES):
        return value
    raise ValueError(f"The render mode must be {ANSI!r}, {RGB!r} or None, not {shown(value)}.")


def check_reset_options(value: Any) -> None:
    """:raises TypeError: the options given to ``reset``, which ignores them, are not a dictionary."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"The options of reset must be a dictionary or None, not {shown(value)}.")


def options_as_texts(options: Any) -> dict[str, str]:
    """Game options by name, with all values as texts.

    >>> options_as_texts({"size": 3})
    {'size': '3'}

    :raises TypeError: they are not a mapping, a name is not a text, or a value is neither a text nor a whole number.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"The options must be a dictionary, such as {{'size': '3'}}, not {shown(options)}.")
    texts = {}
    for name, value in options.items():
        if not isinstance(name, str):
            raise TypeError(f"The name of an option must be a text, not {shown(name)}.")
        if not isinstance(value, str):
            try:
                value = number_between(value, f"The option {shown(name)}", -LARGEST_SEED, LARGEST_SEED)
            except TypeError:
                what = f"The option {shown(name)} must be a text or a whole number"
                raise TypeError(f"{what}, not {shown(value)}.") from None
        texts[name] = str(value)
    return texts


MOST_SEED = 2**31
"""Match seeds are below it."""


def new_match(game: Game | str, options: Mapping[str, Any] | None, seed: int) -> Match:
    """A match of *game*, or the game of that name, under *options*; by default for the fewest players.

    :raises OptionError: there is no such game, or it can't have these options.
    :raises TypeError: *game* is neither a game nor a name, or an option has the wrong type.
    """
    if not isinstance(game, Game | str):
        raise TypeError(f"The game must be a name, such as 'connect-four', or a Game, not {shown(game)}.")
    known = game if isinstance(game, Game) else find(game)
    complete = known.complete_options(options_as_texts(options))
    seats = int(complete.get(SEATS, known.seats[0]))
    return Match.new(known, [seat_name(seat) for seat in range(seats)], {**complete, "first": "1"}, seed)


def seat_name(seat: int) -> str:
    return f"seat_{seat}"
