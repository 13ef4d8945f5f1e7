"""The choices for a match before it begins: players, options, clock and seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from papan.ai.players import HUMAN, PlayerChoice
from papan.ai.players.levels import NamedLevel, PlayerLevel, named_level_of, player_level_of
from papan.game.game import SEATS, Game, Option
from papan.game.match.clock import USUAL_CONTROLS
from papan.game.rules import State, seats

FIRST = "first"
"""The option for the first mover, which every game has."""
NO_CLOCK = ""


def _level_of(name: str) -> PlayerLevel | NamedLevel | None:
    return player_level_of(name) or named_level_of(name)


class MatchChoices:
    """The choices for one match of a game, which start from the saved ones where these are still valid."""

    def __init__(
        self,
        game: Game,
        offered: Sequence[PlayerChoice],
        saved: Mapping[str, Any],
        opponent: str,
        position: str | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        """
        :param saved: the choices of last time, see ``to_settings``.
        :param position: the text of the position that the match begins with; default: where the rules begin.
        :raises papan.game.rules.PositionError: *position* is invalid.
        """
        self.game = game
        self.offered = list(offered)
        self.position = position
        self.start_state: State | None = None
        self.seed = ""
        self.seats = game.seats[0]
        names = [choice.name for choice in self.offered]
        person = HUMAN if HUMAN in names else names[0]
        rival = self.offered_as(opponent) or names[-1]
        self.players = [person, *[rival] * (max(game.seats) - 1)]
        """A player for each of the most seats of the game."""
        self.time_control = NO_CLOCK
        """The time control in the notation of records; "" for no clock."""
        self.options = {option.name: option.default for option in game.options.values()}
        self._restore(saved)
        if position is not None:
            self.options.update(options or {})
            self.options[FIRST] = "1"
            self.start_state = game.rules.parse(position, self.options)
            self.seats = int(seats(self.start_state))

    def _restore(self, saved: Mapping[str, Any]) -> None:
        number, players, options = saved.get("seats"), saved.get("players"), saved.get("options")
        if isinstance(number, int) and number in self.game.seats:
            self.seats = number
        if isinstance(players, list):
            for seat, name in enumerate(players[: len(self.players)]):
                known = self.offered_as(name) if isinstance(name, str) else None
                self.players[seat] = known or self.players[seat]
        control = saved.get("clock")
        if isinstance(control, str) and control in (NO_CLOCK, *(usual.text for usual in USUAL_CONTROLS)):
            self.time_control = control
        if isinstance(options, dict):
            for option in self.game.options.values():
                value = options.get(option.name)
                if isinstance(value, str) and option.allows(value):
                    self.options[option.name] = value

    def to_settings(self) -> dict[str, Any]:
        """Return the choices to remember for the next match of the game."""
        options = dict(self.options)
        if self.position is not None:  # the first player was not chosen
            options[FIRST] = self.game.options[FIRST].default
        return {"seats": self.seats, "players": self.players, "options": options, "clock": self.time_control}

    def offered_as(self, name: str) -> str | None:
        """Return the offered player for *name*: itself, or the same level with another thinking time; None for none."""
        names = [choice.name for choice in self.offered]
        if name in names:
            return name
        level = _level_of(name)
        same = (other for other in names if level is not None and _level_of(other) == level)
        return next(same, None)

    def offer(self, offered: Sequence[PlayerChoice]) -> None:
        """Offer other players, or the same in another language; the last one replaces a player no longer offered."""
        self.offered = list(offered)
        self.players = [self.offered_as(name) or self.offered[-1].name for name in self.players]

    def choice(self, name: str) -> PlayerChoice:
        return next(choice for choice in self.offered if choice.name == name)

    def persons_before(self, seat: int) -> int:
        """Count the persons before *seat*: the first person is "you", the others are friends."""
        return self.players[:seat].count(HUMAN)

    @property
    def seat_to_choose(self) -> int:
        """The seat that a person most likely wants to change: the first computer's, else the last."""
        taken = self.players[: self.seats]
        return next((seat for seat, name in enumerate(taken) if name != HUMAN), self.seats - 1)

    def values_of(self, option: Option) -> dict[str, str]:
        """Return the values that *option* can have now, with their names; fewer than two: nothing to choose."""
        values = dict(option.values)
        if option.name == SEATS:
            return {}
        if option.name == FIRST:
            if self.position is not None or self.seats == 1:
                return {}
            return {value: words for value, words in values.items() if not value.isdigit() or int(value) <= self.seats}
        return values

    def set_option(self, name: str, value: str) -> bool:
        """Set an option; others follow if their default depends on it. Return whether any other changed."""
        before = dict(self.options)
        self.options[name] = value
        for option in self.game.options.values():
            if option.name != name and option.usual and before[option.name] == option.default_with(before):
                self.options[option.name] = option.default_with(self.options)
        return any(self.options[other] != before[other] for other in before if other != name)

    def complete_options(self) -> dict[str, str]:
        """Return the options of the match.

        :raises papan.game.game.OptionError: an invalid option.
        """
        options = dict(self.options)
        if options[FIRST].isdigit() and int(options[FIRST]) > self.seats:
            options[FIRST] = self.game.options[FIRST].default
        if SEATS in options:
            options[SEATS] = str(self.seats)
        return self.game.complete_options(options)

    @property
    def unusual_options(self) -> list[Option]:
        """The options that can be chosen and differ from their defaults."""
        asked = [option for option in self.game.options.values() if option.is_free or len(self.values_of(option)) > 1]
        return [option for option in asked if self.options[option.name] != option.default_with(self.options)]
