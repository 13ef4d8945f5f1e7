"""Translatable sentences: English texts that remember their template and values.

``say``, ``say_number`` and ``joined`` make them. A sentence is a ``str`` with the English text, so it can be compared,
stored and sorted; the code that shows it translates it. The extractor of templates finds calls of ``say``,
``say_number`` and ``saying`` by name, so their templates are literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Protocol, Self

Value = str | int
"""Fills a placeholder: a sentence, which is translated too, or a name, notation or number, which is not."""

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_ENGLISH_SIGNS = ",."
_SIGNS = re.compile(r"1(\D)234(\D)5")


class Language(Protocol):
    """Looks up templates, as gettext's translations do; returns English for unknown ones."""

    def gettext(self, message: str, /) -> str:
        """The translation of *message*."""

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        """The translation of the singular *msgid1* or the plural *msgid2* in the form for *n*."""


class Sentence(str):
    """An English text with its template and values."""

    __slots__ = ("number", "templates", "values")

    templates: tuple[str, ...]
    """The template; with a number, those for one and for many."""
    values: Mapping[str, Value]
    number: int

    def __new__(
        cls,
        text: str,
        templates: tuple[str, ...] = (),
        values: Mapping[str, Value] | None = None,
        number: int = 0,
    ) -> Sentence:
        sentence = super().__new__(cls, text)
        sentence.templates, sentence.values, sentence.number = templates, values or {}, number
        return sentence

    def __str__(self) -> str:
        """Itself, so that ``str(error)`` returns the sentence that the error was raised with."""
        return self

    def in_language(self, language: Language) -> str:
        """The translation, with the sentences among the values translated."""
        one, *others = self.templates
        template = language.ngettext(one, others[0], self.number) if others else language.gettext(one)
        return _filled(template, {name: _said(value, language) for name, value in self.values.items()})


class _Figures(Sentence):
    """A number with the separators of the language."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        signs = _SIGNS.search(language.gettext(_EXAMPLE))
        return self.translate(str.maketrans(_ENGLISH_SIGNS, signs[1] + signs[2])) if signs else str(self)


class _Joined(Sentence):
    """Texts joined by a separator that is the same in every language."""

    __slots__ = ("between", "parts")

    parts: tuple[str, ...]
    between: str

    def in_language(self, language: Language) -> str:
        return self.between.join(_said(part, language) for part in self.parts)


class _Capitalised(_Joined):
    """A text with a capital first letter."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        return _with_capital(super().in_language(language))


def _said(value: Value, language: Language) -> str:
    return value.in_language(language) if isinstance(value, Sentence) else str(value)


def _filled(template: str, values: Mapping[str, Value]) -> str:
    """*template* with its values filled in; braces in values have no meaning, nor have format specifications."""
    if not values:
        return template
    return _PLACEHOLDER.sub(lambda found: str(values.get(found[1], found[0])), template)


def say(template: str, /, **values: Value) -> Sentence:
    """Make a sentence: *template* with each name in braces replaced by its value.

    >>> say("The {piece} stays in its palace.", piece=say("general"))
    'The general stays in its palace.'
    """
    return Sentence(_filled(template, values), (template,), values)


class SentenceError(Exception):
    """An error whose message is a sentence."""

    @classmethod
    def saying(cls, template: str, /, **values: Value) -> Self:
        """The error with the sentence ``say(template, **values)``."""
        return cls(Sentence(_filled(template, values), (template,), values))


def say_number(one: str, many: str, number: int, /, **values: Value) -> Sentence:
    """Make a sentence about *number* from the template for *one* or for *many*; ``{count}`` is the number.

    >>> [say_number("{count} disc", "{count} discs", number) for number in (0, 1, 2)]
    ['0 discs', '1 disc', '2 discs']

    :param values: as for ``say``; ``count`` among them replaces the plain number.
    """
    values = {"count": number, **values}
    return Sentence(_filled(one if number == 1 else many, values), (one, many), values, number)


def as_sentence(text: str) -> str:
    """A translatable sentence without values from an English *text* that was read from a file.

    >>> as_sentence("four in a row")
    'four in a row'
    """
    return text if isinstance(text, Sentence) or not text else Sentence(text, (text,))


_EXAMPLE = say("1,234.5")
"""Its translation shows how the language writes numbers."""


def figures(value: float, form: str = ",") -> Sentence:
    """Format the number *value* by *form*, with the separators of each language: 12,345.6 or 12.345,6.

    >>> figures(12345.6, ",.1f")
    '12,345.6'
    """
    return _Figures(format(value, form))


def joined(parts: Iterable[str], between: str = " ") -> Sentence:
    """Join *parts* by *between*; sentences among them are translated.

    >>> joined([say("Minimax"), say_number("{count} turn ahead", "{count} turns ahead", 3)], ", ")
    'Minimax, 3 turns ahead'
    """
    texts = tuple(parts)
    sentence = _Joined(between.join(texts))
    sentence.parts, sentence.between = texts, between
    return sentence


NO_WORDS = joined(())
"""The empty sentence."""


def alternatives(texts: Iterable[str]) -> str:
    """One or more *texts*, the last two joined by "or", the others by commas.

    >>> alternatives(["b3", "c4", "d5"])
    'b3, c4 or d5'
    """
    *some, last = texts
    return say("{some} or {last}", some=joined(some, ", "), last=last) if some else last


def together(texts: Iterable[str]) -> str:
    """*texts*, the last two joined by "and", the others by commas; "" for none.

    >>> together(["Ann", "Bob", "Cem"])
    'Ann, Bob and Cem'
    """
    *some, last = [*texts] or [NO_WORDS]
    return say("{some} and {last}", some=joined(some, ", "), last=last) if some else last


def capitalised(text: str) -> Sentence:
    """*text* with a capital first letter in every language.

    >>> capitalised(say("red"))
    'Red'
    """
    sentence = _Capitalised(_with_capital(text))
    sentence.parts, sentence.between = (text,), ""
    return sentence


class _Unended(_Joined):
    __slots__ = ()

    def in_language(self, language: Language) -> str:
        return super().in_language(language).rstrip(".")


def unended(text: str) -> Sentence:
    """*text* without its final full stop in every language, so that it can be part of another sentence.

    >>> unended(say("It failed."))
    'It failed'
    """
    sentence = _Unended(text.rstrip("."))
    sentence.parts, sentence.between = (text,), ""
    return sentence


def _with_capital(text: str) -> str:
    return text[:1].upper() + text[1:]
