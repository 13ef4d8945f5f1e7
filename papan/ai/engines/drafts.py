"""An entry while a person writes it: what stands in each field of a form, and the table that it makes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from papan.ai.engines.dialect import dialects_of
from papan.ai.engines.entries import CALLED, LONGEST_NAME, MOST_WORDS, Entry, entry_of, is_command
from papan.ai.engines.options import EngineOption
from papan.ai.engines.recognising import Recognised
from papan.ai.engines.saving import Facts
from papan.game.base.sentences import figures, say
from papan.game.base.untrusted import decimal_number, whole_number
from papan.game.catalogue import GAMES

FIELDS = ("time", "depth", "nodes", "grace", "patience", "folder", "notation")
"""The keys of an entry that are fields of text; "" leaves one out."""
_WORD = re.compile(r"""((?:"[^"]*"|'[^']*'|[^\s"'])+)""")
_QUOTED = re.compile(r""""([^"]*)"|'([^']*)'""")
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_OWN_SETTINGS = ("UCI_Variant", "usemillisec", "Protocol")
"""Options that Papan sets in any case, as those of the match."""


@dataclass
class Draft:
    name: str = ""
    game: str = ""
    """"" while it is not known."""
    protocol: str = ""
    program: str = ""
    arguments: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    """By the keys of ``FIELDS``."""
    settings: dict[str, str] = field(default_factory=dict)
    """The options that differ from the engine's defaults, or stand in the file."""
    offers: Sequence[EngineOption] = ()
    before: Facts | None = None
    """The table in the file; None for a new entry."""

    @classmethod
    def of(cls, name: str, facts: Facts) -> Draft:
        """The draft of an entry that is valid."""
        program, *arguments = facts["command"]
        texts = {key: str(facts[key]) for key in FIELDS if key in facts}
        settings = {option: _text(value) for option, value in facts.get("options", {}).items()}
        game, protocol = facts["game"], facts["protocol"]
        return cls(name, game, protocol, program, joined_words(arguments), texts, settings, before=facts)

    def take(self, found: Recognised, taken: Sequence[str]) -> None:
        """Fill in what was *found*; a new entry gets a name that is not *taken*."""
        self.protocol, self.offers = found.protocol, found.offers
        if not self.game and len(found.games) == 1:
            [self.game] = found.games
        if not self.name:
            self.name = free_name(found.name or Path(self.program).stem, taken)

    @property
    def command(self) -> list[str]:
        return [self.program.strip(), *split_words(self.arguments)]

    @property
    def shown(self) -> list[EngineOption]:
        """The options to choose: those offered but for Papan's own, and those that only the file names."""
        names = {*_OWN_SETTINGS, *self._match_settings()}
        offered = {option.name: option for option in self.offers if option.name not in names}
        others = [EngineOption(name, "string") for name in self.settings if name not in offered]
        return [*offered.values(), *others]

    def _match_settings(self) -> Iterator[str]:
        """The options that a match sets."""
        dialect = dialects_of(GAMES[self.game]).get(self.protocol) if self.game else None
        if dialect is not None:
            yield from dialect.settings(GAMES[self.game].complete_options({}))

    @property
    def notations(self) -> Sequence[str]:
        """The ways of the protocol to write the game's moves, if there are several."""
        dialect = dialects_of(GAMES[self.game]).get(self.protocol) if self.game else None
        return dialect.notations if dialect is not None else ()

    def setting(self, option: EngineOption) -> str:
        return self.settings.get(option.name, option.default)

    def is_changed(self, option: EngineOption) -> bool:
        return self.setting(option) != option.default

    def set(self, option: EngineOption, text: str) -> None:
        """Change *option*; its default is left to the engine, unless the file names it."""
        options = (self.before or {}).get("options", {})
        if text == option.default and (option.name not in options or text != _text(options[option.name])):
            self.settings.pop(option.name, None)
        else:
            self.settings[option.name] = text

    @property
    def facts(self) -> dict[str, Any]:
        """The table of the entry; what is not changed is as before, to the letter."""
        before = self.before or {}
        old = Draft.of(self.name, before) if before else Draft()
        is_same_command = (self.program, self.arguments) == (old.program, old.arguments)
        command = before["command"] if before and is_same_command else self.command
        facts: dict[str, Any] = {"game": self.game, "protocol": self.protocol, "command": command}
        for key in FIELDS:
            text = self.texts.get(key, "").strip()
            if text and (key != "notation" or text in self.notations):
                facts[key] = before[key] if text == old.texts.get(key) else _typed(key, text)
        known = {option.name: option for option in self.offers}
        options = before.get("options", {})
        settings = {
            name: options[name]
            if text == old.settings.get(name)
            else known[name].value(text)
            if name in known
            else text
            for name, text in self.settings.items()
        }
        return {**facts, "options": settings} if settings or "options" in before else facts

    def entry(self, called: Mapping[str, str] = CALLED) -> Entry:
        """The entry.

        :param called: what messages call its facts.
        :raises ValueError: a field is invalid; the message is a clause.
        :raises PartError: its game, a plugin, can't be loaded.
        """
        if not self.program.strip():
            raise ValueError(say("choose a program"))
        if not self.game:
            raise ValueError(say("choose the game that it plays"))
        if not self.protocol:
            raise ValueError(say("choose its protocol, or let it be recognised"))
        if not is_command(self.command):
            most = figures(MOST_WORDS)
            raise ValueError(
                say("{what} must be at most {most} words, none too long", what=called["command"], most=most)
            )
        for option in self.offers:
            fault = option.fault(self.setting(option)) if self.is_changed(option) else ""
            if fault:
                raise ValueError(fault)
        return entry_of(self.name, self.facts, called)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _typed(key: str, text: str) -> Any:
    """*text* as the file has it: a number if the key wants one and it is one."""
    if key in ("folder", "notation"):
        return text
    whole, number = whole_number(text), decimal_number(text.replace(",", "."))
    return whole if whole is not None else number if number is not None else text


def split_words(text: str) -> list[str]:
    """The arguments in *text*: apart by spaces, except within quotes.

    >>> split_words('--mode gtp "two words"')
    ['--mode', 'gtp', 'two words']
    """
    return [_QUOTED.sub(lambda found: found[1] or found[2] or "", word) for word in _WORD.findall(text)]


def joined_words(words: Sequence[str]) -> str:
    """A text that ``split_words`` takes apart into *words*, if no word has both kinds of quotes."""
    return " ".join(word if word and not re.search(r"""[\s"']""", word) else _in_quotes(word) for word in words)


def _in_quotes(word: str) -> str:
    quote = "'" if '"' in word else '"'
    return f"{quote}{word}{quote}"


def free_name(told: str, taken: Sequence[str]) -> str:
    """A name for an entry after what a program calls itself, and none of those *taken*.

    >>> free_name("Fairy-Stockfish 14 LB", ["fairy"]), free_name("中", ["program"])
    ('fairy-stockfish-14-lb', 'program-2')
    """
    name = _NO_NAME.sub("-", told).strip("-._").lower()[:LONGEST_NAME].strip("-._") or "program"
    number, free = 1, name
    while free in taken:
        number += 1
        ending = f"-{number}"
        free = f"{name[: LONGEST_NAME - len(ending)]}{ending}"
    return free
