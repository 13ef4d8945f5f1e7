"""The catalogues of the program's languages, brought in line with the program's texts.

``python -m dev.translations`` writes the template ``translations/papan.pot`` and takes its texts over into the
catalogue of each language, ``translations/<code>.po``, which translators fill in. A language of which most is
translated is compiled into the assets; the others are not offered yet.
"""

from __future__ import annotations

import ast
import datetime
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeGuard

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from dev.digests import FILE as DIGESTS
from dev.digests import source as source_of_digests
from papan.commands.speaking import paragraphs
from papan.game.base.languages import DOMAIN, ENGLISH, FOLDER, NAMES
from papan.game.base.places import CHECKOUT, ROOT, bundled_file
from papan.lab.printing import show

SOURCES = CHECKOUT / "translations"
"""What translators work on; the program itself opens only what is compiled from it."""
TEMPLATE = SOURCES / f"{DOMAIN}.pot"
LANGUAGES = tuple(code for code in NAMES if code != ENGLISH)
_PLURALS = {"id": "nplurals=1; plural=0;", "pt": "nplurals=2; plural=(n > 1);"}
"""The plural rules of the Unicode CLDR, as gettext writes them."""
LEAST_SHARE = 0.5
"""The share of texts that a language must have translated to be offered: else English would come through everywhere."""

_SAYING = {"say": 1, "say_number": 2, "show_said": 1, "refusal": 1, "failure": 1}
_MARKS = {"_": 1, "N_": 1, "plural": 2, "N_number": 2, **_SAYING}
"""The functions that mark a text, by their names, and how many of their arguments are texts; those that are given its
values, too, are among ``_SAYING``."""
_COMMANDS = ("papan/main.py", "papan/commands/")
"""Where what click shows is shown in other languages; developers' tools speak English."""
_HOME = "papan.game.base.sentences"
_COMMON = "papan.commands.common"
_MARKERS = (_HOME, _COMMON, "papan.game.base.languages", "papan.ui.texts", "papan.lab.printing")
"""The modules that these functions are imported from; the first two say something themselves."""
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)([:!][^{}]*)?\}")
_CAPITALS = re.compile(r"(?<![\w.])[A-Z]{3,}(?!\w|\.\w)")
"""What stands for a value on the command line."""
_COUNT = "count"
"""The placeholder that a form for one number may leave out."""
_DAY = datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)
"""The template's date: not the day on which it was written, so that the same texts give the same file."""
_WIDTH = 120


class Marked(NamedTuple):
    """A text that is marked for translation, and where."""

    path: str
    line: int
    texts: tuple[str, ...]
    """The text, or the singular and the plural."""
    values: frozenset[str] | None
    """The names of the values that are put into it; None where that is done elsewhere."""


class MarkError(Exception):
    """A text that is marked, but can't be extracted; the message says where."""


def marked_texts() -> Iterator[Marked]:
    """All texts of the program that are marked, file by file.

    :raises MarkError: a text is put together where it is marked, instead of being written out.
    """
    for path in sorted(ROOT.rglob("*.py")):
        yield from marked_in(path.read_text(encoding="utf-8"), path.relative_to(CHECKOUT).as_posix())


def marked_in(source: str, name: str) -> Iterator[Marked]:
    """The texts that are marked in the module *source*, in the file *name*, and what click shows of a command.

    >>> lines = ["from papan.ui.texts import _", "_('Undo')", "say('of another kind')"]
    >>> [found.texts for found in marked_in("\\n".join(lines), "scene.py")]
    [('Undo',)]

    :raises MarkError: see ``marked_texts``.
    """
    nodes = list(ast.walk(ast.parse(source)))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module in _MARKERS]
    marks = {alias.name for node in imports for alias in node.names} & {*_MARKS}
    if name in (f"{module.replace('.', '/')}.py" for module in (_HOME, _COMMON)):
        marks = {*_MARKS}
    if name.startswith(_COMMANDS):
        yield from _shown_by_click(nodes, name)
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in marks):
            continue
        texts = []
        for argument in node.args[: _MARKS[node.func.id]]:
            if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                raise MarkError(f"{name}, line {node.lineno}: '{node.func.id}' marks texts that are written out there.")
            texts.append(argument.value)
        values = frozenset(keyword.arg for keyword in node.keywords if keyword.arg) if node.func.id in _SAYING else None
        yield Marked(name, node.lineno, tuple(texts), values)


def _shown_by_click(nodes: Iterable[ast.AST], name: str) -> Iterator[Marked]:
    """The help of the commands, options and arguments that *nodes* declare: what nobody is shown is left out.

    :raises MarkError: a help is put together.
    """
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            declared = [call for call in node.decorator_list if _click_call(call, "command", "group")]
            if any(not _keyword(call, "hidden") for call in declared):
                for paragraph in paragraphs(ast.get_docstring(node) or ""):
                    yield Marked(name, node.lineno, (paragraph,), None)
        elif _click_call(node, "option", "argument") and not _keyword(node, "hidden"):
            is_described = isinstance(node.func, ast.Name) and node.func.id == "option"  # whose first argument is help
            texts = (node.args[0] if is_described else _keyword(node, "help"), _keyword(node, "metavar"))
            for text in filter(None, texts):
                if not (isinstance(text, ast.Constant) and isinstance(text.value, str)):
                    raise MarkError(f"{name}, line {text.lineno}: help is written out where it is declared.")
                if text.value:
                    yield Marked(name, text.lineno, (text.value,), None)


def _click_call(node: ast.AST, *names: str) -> TypeGuard[ast.Call]:
    """Whether *node* declares a command or a parameter, by a description, with click or a group of it."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in names
    return isinstance(node.func, ast.Attribute) and node.func.attr in names and isinstance(node.func.value, ast.Name)


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def placeholders(text: str) -> set[str]:
    """The placeholders of *text*, with how they are to be written out.

    >>> sorted(placeholders("{score:,.0f} points for {name}, as { Threads = 2 }"))
    ['{name}', '{score:,.0f}']
    """
    return {found[0] for found in _PLACEHOLDER.finditer(text)}


def template() -> Catalog:
    """The catalogue of all texts, without translations."""
    catalog = Catalog(project="Papan", version="", copyright_holder="Papan contributors", creation_date=_DAY)
    catalog.header_comment = "# The texts of Papan, as python -m dev.translations writes them."
    catalog.revision_date = _DAY
    for found in marked_texts():
        text = found.texts[0] if len(found.texts) == 1 else (found.texts[0], found.texts[1])
        catalog.add(text, locations=[(found.path, found.line)])
    return catalog


def forms(message: Message) -> Sequence[str]:
    """The translation of *message*, in each of its forms."""
    return message.string if isinstance(message.string, list | tuple) else (message.string or "",)


def originals(message: Message) -> Sequence[str]:
    """The English of *message*: one text, or its singular and plural."""
    return message.id if isinstance(message.id, list | tuple) else (message.id,)


def is_translated(message: Message) -> bool:
    """Whether a translator has translated *message* and stands by it."""
    return bool(message.id) and any(forms(message)) and not message.fuzzy


def faults_of(catalog: Catalog) -> list[str]:
    """What is wrong with the translations in *catalog*, a sentence each."""
    found = []
    names = _names_in_help(catalog)
    for message in catalog:
        if not is_translated(message):
            continue
        allowed = set().union(*map(placeholders, originals(message)))
        of_number = {f"{{{_COUNT}}}"} if message.pluralizable else set()
        for form in forms(message):
            what = f"{catalog.locale}: {originals(message)[0]!r}"
            if not form or len(forms(message)) != (catalog.num_plurals if message.pluralizable else 1):
                found.append(f"{what} lacks a plural form.")
            elif missing := min(
                (placeholders(one) - of_number - placeholders(form) for one in originals(message)), key=len
            ):
                found.append(f"{what} lacks {', '.join(sorted(missing))} in its translation.")
            elif unknown := placeholders(form) - allowed:
                found.append(f"{what} has {', '.join(sorted(unknown))} only in its translation.")
            elif english := names & set(_CAPITALS.findall(form)):
                found.append(f"{what} has {', '.join(sorted(english))} in English.")
    return found


def _names_in_help(catalog: Catalog) -> set[str]:
    """What stands for a value in a command's help, such as GAME, as far as *catalog* calls it otherwise."""
    texts = (message for message in catalog if isinstance(message.id, str) and _CAPITALS.fullmatch(message.id))
    return {str(message.id) for message in texts if is_translated(message) and message.string != message.id}


class Standing(NamedTuple):
    """How far a language has come."""

    texts: int
    translated: int
    fuzzy: int
    """Those whose English has changed since."""
    obsolete: int
    """Translations of texts that the program has no more."""

    @property
    def is_offered(self) -> bool:
        """Whether so much is translated that people can choose the language."""
        return self.translated >= LEAST_SHARE * self.texts


def standing_of(catalog: Catalog) -> Standing:
    """How far *catalog* has come."""
    messages = [message for message in catalog if message.id]
    translated = sum(map(is_translated, messages))
    fuzzy = sum(message.fuzzy for message in messages)
    return Standing(len(messages), translated, fuzzy, len(catalog.obsolete))


def source_of(language: str) -> Path:
    """The catalogue that translators into *language* fill in."""
    return SOURCES / f"{language}.po"


def empty_catalog(language: str) -> Catalog:
    """A catalogue of *language* without any texts."""
    catalog = Catalog(locale=language, project="Papan", version="", copyright_holder="Papan contributors")
    catalog.mime_headers = [("Plural-Forms", _PLURALS[language])]
    return catalog


def read_catalog(path: Path, language: str | None = None) -> Catalog:
    """The catalogue in the file *path*; an empty one of *language* where there is none.

    :raises FileNotFoundError: there is none, and no *language* is given.
    """
    if language is not None and not path.exists():
        return empty_catalog(language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def write_catalog(path: Path, catalog: Catalog) -> None:
    """Write *catalog* to the file *path*."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=_WIDTH, sort_by_file=True, include_lineno=False)


def compiled_file(language: str) -> Path:
    """Where the program finds the translations into *language*."""
    return bundled_file("assets", FOLDER, language, "LC_MESSAGES", f"{DOMAIN}.mo")


def bring_up_to_date(language: str, texts: Catalog) -> Catalog:
    """Take *texts* over into the catalogue of *language*, and compile it if it is to be offered; returns it."""
    catalog = read_catalog(source_of(language), language)
    catalog.update(texts)
    write_catalog(source_of(language), catalog)
    target = compiled_file(language)
    if standing_of(catalog).is_offered:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            write_mo(file, catalog)
    else:
        target.unlink(missing_ok=True)
    return catalog


def main() -> int:
    """Bring everything up to date and print how far each language has come; 1 where translations have faults."""
    texts = template()
    write_catalog(TEMPLATE, texts)
    faults = []
    for language in LANGUAGES:
        catalog = bring_up_to_date(language, texts)
        standing = standing_of(catalog)
        missing = standing.texts - standing.translated - standing.fuzzy
        show(
            f"{NAMES[language]}: {standing.translated} of {standing.texts} texts are translated, {missing} are missing,"
            f" {standing.fuzzy} fuzzy, {standing.obsolete} obsolete"
            + ("." if standing.is_offered else "; it is offered once half of them are translated.")
        )
        faults += faults_of(catalog)
    DIGESTS.write_text(source_of_digests(bundled_file("assets")), encoding="utf-8", newline="\n")
    for fault in faults:
        show(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
