"""Games that live outside: an installed package brings one by an entry point of the group ``papan.games``.

The entry point names a ``Game``. Its rules are loaded at once, so that one that can't be played is known, and left
out, before anybody can choose it.
"""

from __future__ import annotations

import importlib.metadata
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from papan.game.base.foreign import LONGEST_QUOTE, plain, quoted, shortened
from papan.game.base.sentences import joined, say
from papan.game.facts import Game, Option, PartError

log = logging.getLogger(__name__)

GROUP = "papan.games"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_NAME = 40
"""Characters: a name stands in names of files."""
_LONGEST_REASON = 400


@dataclass(frozen=True)
class Guests:
    """The games that other packages bring."""

    games: Mapping[str, Game]
    """By name; each can be played."""
    faults: tuple[str, ...] = ()
    """A sentence for each game that was left out: which one, and why."""


class _Unfit(Exception):
    """A guest that can't be let in; the message is a clause that says why."""


def find_guests(
    house: Mapping[str, Game], entry_points: Iterable[importlib.metadata.EntryPoint] | None = None
) -> Guests:
    """The guests whose names none of the games of *house* has.

    :param entry_points: where they are named; by default, those of all installed packages.
    """
    games: dict[str, Game] = {}
    faults = []
    for entry in importlib.metadata.entry_points(group=GROUP) if entry_points is None else entry_points:
        try:
            game = _let_in(entry, {**house, **games})
            games[game.name] = game
        except Exception as error:  # whatever the guest's own code raises
            known = isinstance(error, (_Unfit, PartError))
            reason = plain(str(error) if known else f"{type(error).__name__}: {error}")
            if len(reason) > _LONGEST_REASON:
                reason = f"{reason[: _LONGEST_REASON - 1]}…"
            package = shortened(entry.dist.name if entry.dist else entry.value)
            faults.append(
                say(
                    "The game '{name}' of the package '{package}' is left out: {reason}",
                    name=shortened(entry.name),
                    package=package,
                    reason=reason if reason.endswith(".") else joined([reason, "."], ""),
                )
            )
            log.warning("%s", faults[-1], exc_info=not isinstance(error, _Unfit))
    return Guests(games, tuple(faults))


def _let_in(entry: importlib.metadata.EntryPoint, taken: Mapping[str, Game]) -> Game:
    """The game that *entry* names.

    :raises _Unfit: it is none, or has a name that it can't have.
    """
    game = entry.load()
    if not isinstance(game, Game):
        raise _Unfit(
            say("'{value}' is a {kind}, not a papan.game.facts.Game", value=entry.value, kind=type(game).__name__)
        )
    if not _NAME.fullmatch(game.name):
        name = shortened(game.name)
        raise _Unfit(say("its name '{name}' is not made of small letters, digits and hyphens", name=name))
    if len(game.name) > _LONGEST_NAME:
        raise _Unfit(say("its name has more than {most} characters", most=_LONGEST_NAME))
    for option in game.options.values():
        if any(plain(word) != word or len(word) > LONGEST_QUOTE for word in (option.name, *option.values)):
            raise _Unfit(
                say(
                    "the name or a value of its option {name} contains unprintable characters or is too long",
                    name=quoted(option.name),
                )
            )
    if game.name in taken:
        raise _Unfit(say("there is a game '{name}' already", name=game.name))
    _ = game.rules  # a PartError says what is wrong with them
    return _shown_plainly(game)


def _shown_plainly(game: Game) -> Game:
    """*game*, whose texts for people have no sign that does something, and are short enough to be shown."""

    def shown(text: str) -> str:
        return text if text.isprintable() and len(text) <= LONGEST_QUOTE else shortened(text)

    def option_shown(option: Option) -> Option:
        values = {value: shown(words) for value, words in option.values.items()}
        return replace(option, title=shown(option.title), values=values)

    options = tuple(option_shown(option) for option in game.own_options)
    other = replace(game, title=shown(game.title), tagline=shown(game.tagline), own_options=options)
    return game if other == game else other
