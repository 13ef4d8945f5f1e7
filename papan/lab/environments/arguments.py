"""Checks of the arguments of environments. Each raises before anything has changed, with a one-sentence message:
``TypeError`` for a wrong type, ``ValueError`` for an impossible value.
"""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.game.base.untrusted import plain
from papan.game.catalogue import find
from papan.game.game import SEATS, Game
from papan.game.match import Match

ANSI = "ansi"
"""The only render mode: text."""
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
        array = _array_of(values)
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
    """``ANSI`` or None.

    :raises ValueError: it is neither.
    """
    if value is None or (isinstance(value, str) and value == ANSI):
        return value
    raise ValueError(f"The render mode must be {ANSI!r} or None, not {shown(value)}.")


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


def _array_of(numbers: Sequence[int]) -> NDArray[Any]:
    """*numbers* as an array, of objects if 64 bits don't suffice."""
    try:
        return np.array(numbers, np.int64)
    except OverflowError:
        return np.array(numbers, object)


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
    """The agent name of *seat*.

    >>> seat_name(0)
    'seat_0'
    """
    return f"seat_{seat}"
