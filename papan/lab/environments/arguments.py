"""Checks of what callers hand to an environment: each refuses with one sentence, before anything has changed.

What is of a wrong type is a ``TypeError``; a value that can't be, a ``ValueError``.
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
"""The one way to ``render``: as text."""
LARGEST_SEED = 2**64 - 1
"""The largest seed that a caller can give."""

_MOST_BITS = 128
"""Of a number that is written out."""
_quotes = reprlib.Repr()


def shown(value: object) -> str:
    """*value* as a message quotes it: short, and on one line.

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
    """*value* as an ``int``: an ``int``, a whole number of ``numpy`` or of another library, but no truth value.

    >>> whole_number(np.int8(3), "The seat")
    3

    :raises TypeError: it is none; the sentence begins with *what*.
    """
    try:
        if not isinstance(value, bool) and getattr(value, "dtype", None) != np.bool_:
            return operator.index(value)
    except Exception:
        pass
    raise TypeError(f"{what} must be a whole number, not {shown(value)}.")


def number_between(value: Any, what: str, least: int, most: int) -> int:
    """*value* as an ``int`` from *least* to *most*.

    :raises TypeError: it is no whole number.
    :raises ValueError: it is less, or more.
    """
    number = whole_number(value, what)
    if not least <= number <= most:
        raise ValueError(f"{what} must be from {least} to {most}, not {shown(number)}.")
    return number


def whole_numbers(values: Any, what: str, number: int) -> NDArray[Any]:
    """*values* as an array of so many whole numbers, of any type of those.

    :raises TypeError: they are no whole numbers; the sentence begins with *what*.
    :raises ValueError: they are of another shape.
    """
    if isinstance(values, list | tuple):
        if not all(type(each) is int for each in values):  # which is by far the quickest to ask
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
    """A seed that is given, or None.

    :raises TypeError: it is no whole number.
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
    """:raises TypeError: what ``reset`` is given as options, and does without, is no dictionary."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"The options of reset must be a dictionary or None, not {shown(value)}.")


def options_as_texts(options: Any) -> dict[str, str]:
    """The options of a game as it reads them: by name, and values as texts.

    >>> options_as_texts({"size": 3})
    {'size': '3'}

    :raises TypeError: they are no mapping; a name is no text, or a value neither a text nor a whole number.
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
    """*numbers* as they are, also those that 64 bits can't hold."""
    try:
        return np.array(numbers, np.int64)
    except OverflowError:
        return np.array(numbers, object)


MOST_SEED = 2**31
"""Seeds of matches are below it."""


def new_match(game: Game | str, options: Mapping[str, Any] | None, seed: int) -> Match:
    """A match of *game*, or of that name, under *options*: default, for the fewest players that it can have.

    :raises OptionError: there is no such game, or it can't have these options.
    :raises TypeError: *game* is neither, or the options are no texts or whole numbers by their names.
    """
    if not isinstance(game, Game | str):
        raise TypeError(f"The game must be a name, such as 'connect-four', or a Game, not {shown(game)}.")
    known = game if isinstance(game, Game) else find(game)
    complete = known.complete_options(options_as_texts(options))
    seats = int(complete.get(SEATS, known.seats[0]))
    return Match.new(known, [seat_name(seat) for seat in range(seats)], {**complete, "first": "1"}, seed)


def seat_name(seat: int) -> str:
    """What the player on *seat* is called.

    >>> seat_name(0)
    'seat_0'
    """
    return f"seat_{seat}"
