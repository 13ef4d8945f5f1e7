"""Games of other installed packages, each named by an entry point of the group ``papan.games``.

The entry point is a ``Game``. Its rules are loaded at once, so that nobody can choose a broken game.
"""

from __future__ import annotations

import importlib.metadata
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from papan.game.base.sentences import SentenceError, joined, say
from papan.game.base.untrusted import LONGEST_QUOTE, plain, quoted, shortened
from papan.game.game import Game, Option, PartError

log = logging.getLogger(__name__)

GROUP = "papan.games"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_NAME = 40
"""Characters; file names contain it."""
_LONGEST_REASON = 400


@dataclass(frozen=True)
class Plugins:
    """The games of other packages."""

    games: Mapping[str, Game]
    """By name; the rules of each are loaded."""
    faults: tuple[str, ...] = ()
    """One sentence for each game that was left out, with the reason."""


class _Unfit(SentenceError):
    """A plugin is refused; the message is a clause with the reason."""


def find_plugins(
    built_in: Mapping[str, Game], entry_points: Iterable[importlib.metadata.EntryPoint] | None = None
) -> Plugins:
    """Load the plugins, except those that have the name of a *built_in* game.

    :param entry_points: default: those of all installed packages.
    """
    games: dict[str, Game] = {}
    faults = []
    for entry in importlib.metadata.entry_points(group=GROUP) if entry_points is None else entry_points:
        try:
            game = _loaded(entry, {**built_in, **games})
            games[game.name] = game
        except Exception as error:  # the plugin's own code may raise anything
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
    return Plugins(games, tuple(faults))


def _loaded(entry: importlib.metadata.EntryPoint, taken: Mapping[str, Game]) -> Game:
    """Load the game of *entry*, or raise _Unfit or PartError."""
    game = entry.load()
    if not isinstance(game, Game):
        raise _Unfit.saying(
            "'{value}' is a {kind}, not a papan.game.game.Game", value=entry.value, kind=type(game).__name__
        )
    if not _NAME.fullmatch(game.name):
        name = shortened(game.name)
        raise _Unfit.saying("its name '{name}' is not made of small letters, digits and hyphens", name=name)
    if len(game.name) > _LONGEST_NAME:
        raise _Unfit.saying("its name has more than {most} characters", most=_LONGEST_NAME)
    for option in game.options.values():
        if any(plain(word) != word or len(word) > LONGEST_QUOTE for word in (option.name, *option.values)):
            raise _Unfit.saying(
                "the name or a value of its option {name} contains unprintable characters or is too long",
                name=quoted(option.name),
            )
    if game.name in taken:
        raise _Unfit.saying("there is a game '{name}' already", name=game.name)
    _ = game.rules  # may raise a PartError
    return _with_plain_texts(game)


def _with_plain_texts(game: Game) -> Game:
    """*game* with short texts without control characters."""

    def shown(text: str) -> str:
        return text if text.isprintable() and len(text) <= LONGEST_QUOTE else shortened(text)

    def option_shown(option: Option) -> Option:
        values = {value: shown(words) for value, words in option.values.items()}
        return replace(option, title=shown(option.title), values=values)

    options = tuple(option_shown(option) for option in game.own_options)
    other = replace(game, title=shown(game.title), tagline=shown(game.tagline), own_options=options)
    return game if other == game else other
