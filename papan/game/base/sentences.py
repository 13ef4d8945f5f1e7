"""Sentences that can be translated: texts in English that know what they were made of.

A sentence is made by ``say``, ``say_number`` or ``joined`` wherever something is to be told to people. It *is* its
English text, so it is compared, kept, written and sorted as any text; whoever shows it has it said in another language.
The extractor knows the first two by their names: their templates stand there as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Protocol

Value = str | int
"""What is put into a template: a sentence, which is translated too, or a name, a notation, a number, which is not."""

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_ENGLISH_SIGNS = ",."
_SIGNS = re.compile(r"1(\D)234(\D)5")


class Language(Protocol):
    """What looks templates up, such as a translation of ``gettext``'s; English for what it does not know."""

    def gettext(self, message: str, /) -> str:
        """The translation of *message*."""

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        """The translation of the singular *msgid1* or the plural *msgid2*, in the form that goes with *n*."""


class Sentence(str):
    """A text in English, with the template and the values that it was made of."""

    __slots__ = ("number", "templates", "values")

    templates: tuple[str, ...]
    """The template; where it goes with a number, those for one and for many."""
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
        """Itself: so it can be had from an error that was raised with it."""
        return self

    def in_language(self, language: Language) -> str:
        """The sentence as *language* says it, and the sentences among its values likewise."""
        one, *others = self.templates
        template = language.ngettext(one, others[0], self.number) if others else language.gettext(one)
        return _filled(template, {name: _said(value, language) for name, value in self.values.items()})


class _Figures(Sentence):
    """A number, with the signs between its digits that a language has."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        signs = _SIGNS.search(language.gettext(_EXAMPLE))
        return self.translate(str.maketrans(_ENGLISH_SIGNS, signs[1] + signs[2])) if signs else str(self)


class _Joined(Sentence):
    """Several texts one after the other: what is between them is the same in every language."""

    __slots__ = ("between", "parts")

    parts: tuple[str, ...]
    between: str

    def in_language(self, language: Language) -> str:
        return self.between.join(_said(part, language) for part in self.parts)


class _Capitalised(_Joined):
    """A text that stands at the beginning of a line."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        return _with_capital(super().in_language(language))


def _said(value: Value, language: Language) -> str:
    return value.in_language(language) if isinstance(value, Sentence) else str(value)


def _filled(template: str, values: Mapping[str, Value]) -> str:
    """*template* with its values, each put in as it is: nothing in them, or behind a name, is looked at."""
    if not values:
        return template
    return _PLACEHOLDER.sub(lambda found: str(values.get(found[1], found[0])), template)


def say(template: str, /, **values: Value) -> Sentence:
    """The sentence that *template* makes of *values*, each in place of its name in braces.

    >>> say("The {piece} stays in its palace.", piece=say("general"))
    'The general stays in its palace.'
    """
    return Sentence(_filled(template, values), (template,), values)


def say_number(one: str, many: str, number: int, /, **values: Value) -> Sentence:
    """The sentence for *number*, of the template for *one* or that for *many*, in which ``{count}`` stands for it.

    >>> [say_number("{count} disc", "{count} discs", number) for number in (0, 1, 2)]
    ['0 discs', '1 disc', '2 discs']

    :param values: as for ``say``; a ``count`` among them is shown instead of the plain number.
    """
    values = {"count": number, **values}
    return Sentence(_filled(one if number == 1 else many, values), (one, many), values, number)


def as_sentence(text: str) -> str:
    """The sentence without values whose English *text* was read in a file; any other text comes out as it is.

    >>> kept("four in a row")
    'four in a row'
    """
    return text if isinstance(text, Sentence) or not text else Sentence(text, (text,))


_EXAMPLE = say("1,234.5")
"""A number, from whose translation is taken how numbers are written."""


def figures(value: float, form: str = ",") -> Sentence:
    """The number *value* as ``format`` writes it by *form*, and as each language does: 12,345.6 or 12.345,6.

    >>> figures(12345.6, ",.1f")
    '12,345.6'
    """
    return _Figures(format(value, form))


def joined(parts: Iterable[str], between: str = " ") -> Sentence:
    """*parts* with the sign *between* each two: sentences are translated by themselves, other texts stay.

    >>> joined([say("Minimax"), say_number("{count} turn ahead", "{count} turns ahead", 3)], ", ")
    'Minimax, 3 turns ahead'
    """
    texts = tuple(parts)
    sentence = _Joined(between.join(texts))
    sentence.parts, sentence.between = texts, between
    return sentence


def alternatives(texts: Iterable[str]) -> str:
    """*texts*, of which there is at least one, to choose from.

    >>> alternatives(["b3", "c4", "d5"])
    'b3 or c4 or d5'
    """
    return reduce(lambda some, last: say("{some} or {last}", some=some, last=last), texts)


def capitalised(text: str) -> Sentence:
    """*text* with a capital at its beginning, in every language.

    >>> capitalised(say("red"))
    'Red'
    """
    sentence = _Capitalised(_with_capital(text))
    sentence.parts, sentence.between = (text,), ""
    return sentence


class _Unended(_Joined):
    """A sentence that goes on."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        return super().in_language(language).rstrip(".")


def unended(text: str) -> Sentence:
    """*text* without the full stop at its end, in every language: so that it can stand within another.

    >>> unended(say("It failed."))
    'It failed'
    """
    sentence = _Unended(text.rstrip("."))
    sentence.parts, sentence.between = (text,), ""
    return sentence


def _with_capital(text: str) -> str:
    return text[:1].upper() + text[1:]
