"""The languages that the program speaks: gettext, with English where a translation is missing.

The window and the command line show what they say by ``translated``; see ``docs/translating.md``.
"""

from __future__ import annotations

import gettext
import logging
from collections.abc import Mapping
from pathlib import Path

from papan.game.base.assets import ASSETS
from papan.game.base.sentences import Sentence

log = logging.getLogger(__name__)

DOMAIN = "papan"
ENGLISH = "en"
NAMES = {"en": "English", "id": "Bahasa Indonesia", "pt": "Português"}
"""The name of each language, in that language."""

FOLDER = "translations"
"""Of the compiled catalogues, among the assets."""

VARIABLE = "PAPAN_LANGUAGE"
"""Environment variable: the language of the command line, before all others."""
SYSTEM_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where systems keep a person's language, what counts most first."""
_NO_LANGUAGE = ("C", "POSIX")


class _Current:
    language = ENGLISH
    translations: gettext.NullTranslations = gettext.NullTranslations()


def languages() -> list[str]:
    """The codes of the languages that can be shown, English first."""
    files = (ASSETS.folder / FOLDER).glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    translated = sorted(path.parent.parent.name for path in files)
    return [ENGLISH, *(code for code in translated if code != ENGLISH)]


def use(language: str) -> None:
    """Speak *language* from now on; English if there is no translation, or a damaged one."""
    _Current.language = language
    _Current.translations = _translations(language) or gettext.NullTranslations()


def current_language() -> str:
    return _Current.language


def catalogues() -> Path | None:
    """The folder in which gettext finds the translations into the current language; None where there are none."""
    return ASSETS.folder / FOLDER if isinstance(_Current.translations, gettext.GNUTranslations) else None


def language_named(name: str) -> str | None:
    """The code of the language of the locale *name*; None for one that can't be spoken.

    >>> language_named("pt_BR.UTF-8"), language_named("C"), language_named("tlh")
    ('pt', 'en', None)
    """
    code = name.partition(".")[0].partition("@")[0].replace("-", "_").partition("_")[0]
    if code in _NO_LANGUAGE:
        return ENGLISH
    return code.lower() if code.lower() in languages() else None


def language_of_system(environment: Mapping[str, str]) -> str:
    """The language that the variables of *environment* ask for, as gettext reads them; English if it is not known.

    >>> language_of_system({"LANG": "id_ID.UTF-8"}), language_of_system({"LANGUAGE": "tlh:pt", "LANG": "C"})
    ('id', 'pt')
    """
    asked = next((environment[name] for name in SYSTEM_VARIABLES if environment.get(name)), "")
    return next((known for name in asked.split(":") if (known := language_named(name))), ENGLISH)


def _translations(language: str) -> gettext.GNUTranslations | None:
    name = f"{FOLDER}/{language}/LC_MESSAGES/{DOMAIN}.mo"
    if name in ASSETS.digests:
        return ASSETS.open(name, _read_translations)
    if language != ENGLISH:
        log.warning("There is no translation for '%s': English it is.", language)
    return None


def _read_translations(path: Path) -> gettext.GNUTranslations:
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


def N_(text: str) -> str:  # noqa: N802 - gettext's own name
    """Marks *text* for translation; ``translated`` looks it up where it is shown."""
    return text


def N_number(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - as above
    """Marks a text that goes with a number, which other code looks up."""
    return one, many


def look_up(text: str) -> str:
    """The plain *text* in the current language."""
    return _Current.translations.gettext(text) if text else ""


def translated(text: str) -> str:
    """*text*, made elsewhere, in the current language: a sentence by its template, any other as it is."""
    return text.in_language(_Current.translations) if isinstance(text, Sentence) else look_up(text)


def said(text: str) -> str:
    """*text* in the current language, if it is a sentence; any other text, such as a name, stays as it is."""
    return translated(text) if isinstance(text, Sentence) else text
