"""Updates the catalogues of the program's languages to the program's texts, with pybabel.

``python -m dev.translations`` extracts the template ``translations/papan.pot`` and updates the catalogue of each
language, ``translations/<code>.po``, for translators to fill in. It compiles catalogues that are at least half
translated into the assets.
"""

from __future__ import annotations

import ast
import contextlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeGuard

from babel.messages.catalog import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from dev.digests import FILE as DIGESTS
from dev.digests import source as source_of_digests
from papan.commands.speaking import paragraphs
from papan.game.base.languages import DOMAIN, ENGLISH, FOLDER, NAMES
from papan.game.base.places import CHECKOUT, ROOT, bundled_file
from papan.lab.printing import show

SOURCES = CHECKOUT / "translations"
"""The translators' files; the program itself opens only the compiled ones."""
TEMPLATE = SOURCES / f"{DOMAIN}.pot"
LANGUAGES = tuple(code for code in NAMES if code != ENGLISH)
LEAST_SHARE = 0.5
"""The least translated share of texts for a language to be offered, so that not everything remains English."""

_OF_ERRORS = "saying"
_SAYING = {"say": 1, "say_number": 2, "show_said": 1, "refusal": 1, "failure": 1, _OF_ERRORS: 1}
_MARKS = {"_": 1, "N_": 1, "plural": 2, "N_number": 2, **_SAYING}
"""The functions that mark texts, by name, with the number of their arguments that are texts. Those in ``_SAYING`` also
take the texts' values."""
_PAGE = {"Page": {0: "goal", 2: "history"}, "Section": {0: "title", 1: "text"}, "Example": {1: "caption"}}
"""The classes of pages of rules, with the names of their arguments that are texts, by position."""
_PAGES = "papan.game.presentation"
_COMMANDS = ("papan/main.py", "papan/commands/")
"""The modules whose click help is translated; developers' tools are in English only."""
_HOME = "papan.game.base.sentences"
_MARKERS = (_HOME, "papan.commands.errors", "papan.game.base.languages", "papan.ui.texts", "papan.lab.printing")
"""The modules that define these functions; the first also contains marked texts."""
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)([:!][^{}]*)?\}")
_CAPITALS = re.compile(r"(?<![\w.])[A-Z]{3,}(?!\w|\.\w)")  # a metavar of the command line
_DATES = re.compile(r"(POT-Creation|PO-Revision)-Date: [^\\]*")
_DAY = "2026-11-22 00:00+0000"
"""The template's date: constant, so that the same texts give the same file."""
_WIDTH = ("--width", "120")


class Marked(NamedTuple):
    """A text marked for translation, and its place."""

    path: str
    line: int
    texts: tuple[str, ...]
    """The text, or the singular and the plural."""
    values: frozenset[str] | None
    """The names of the values inserted into it; None if they are inserted elsewhere."""


class MarkError(Exception):
    """A marked text can't be extracted; the message says where."""


def marked_texts() -> Iterator[Marked]:
    """All marked texts of the program, file by file.

    :raises MarkError: a marked text is not a string literal.
    """
    for path in sorted(ROOT.rglob("*.py")):
        yield from marked_in(path.read_text(encoding="utf-8"), path.relative_to(CHECKOUT).as_posix())


@cache
def marked_in(source: str, name: str) -> Sequence[Marked]:
    """The marked texts in the module *source* of the file *name*, and those of click's help and of pages of rules.

    >>> lines = ["from papan.ui.texts import _", "_('Undo')", "say('of another kind')"]
    >>> [found.texts for found in marked_in("\\n".join(lines), "scene.py")]
    [('Undo',)]
    """
    return tuple(_marked_in(source, name))


def _marked_in(source: str, name: str) -> Iterator[Marked]:
    nodes = list(ast.walk(ast.parse(source)))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module in _MARKERS]
    marks = {alias.name for node in imports for alias in node.names} & {*_MARKS}
    if name == f"{_HOME.replace('.', '/')}.py":
        marks = {*_MARKS}
    if name.startswith(_COMMANDS):
        yield from _shown_by_click(nodes, name)
    if any(isinstance(node, ast.ImportFrom) and node.module == _PAGES for node in nodes):
        yield from _shown_on_pages(nodes, name)
    for node in nodes:
        mark = _mark_of(node, marks)
        if not (isinstance(node, ast.Call) and mark):
            continue
        texts = []
        for argument in node.args[: _MARKS[mark]]:
            if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                raise MarkError(f"{name}, line {node.lineno}: '{mark}' marks texts that are written out there.")
            texts.append(argument.value)
        values = frozenset(keyword.arg for keyword in node.keywords if keyword.arg) if mark in _SAYING else None
        yield Marked(name, node.lineno, tuple(texts), values)


def _mark_of(node: ast.AST, marks: set[str]) -> str:
    """The name of the marking function that *node* calls: one of *marks*, or an error's method ``saying``; else ""."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in marks:
        return node.func.id
    is_error = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == _OF_ERRORS
    return _OF_ERRORS if is_error else ""


def _shown_on_pages(nodes: Iterable[ast.AST], name: str) -> Iterator[Marked]:
    """The texts of pages of rules constructed in *nodes*, without explicitly marked ones."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _PAGE:
            for place, keyword in _PAGE[node.func.id].items():
                text = node.args[place] if place < len(node.args) else _keyword(node, keyword)
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield Marked(name, text.lineno, (text.value,), None)
                elif isinstance(text, ast.JoinedStr | ast.BinOp):
                    raise MarkError(f"{name}, line {text.lineno}: texts of a page are written out there.")


def _shown_by_click(nodes: Iterable[ast.AST], name: str) -> Iterator[Marked]:
    """The help of commands, options and arguments declared in *nodes*, without hidden ones."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            declared = [call for call in node.decorator_list if _click_call(call, "command", "group")]
            if any(not _keyword(call, "hidden") for call in declared):
                for paragraph in paragraphs(ast.get_docstring(node) or ""):
                    yield Marked(name, node.lineno, (paragraph,), None)
        elif _click_call(node, "option", "argument") and not _keyword(node, "hidden"):
            is_described = isinstance(node.func, ast.Name) and node.func.id == "option"  # its first argument is help
            texts = (node.args[0] if is_described else _keyword(node, "help"), _keyword(node, "metavar"))
            for text in filter(None, texts):
                if not (isinstance(text, ast.Constant) and isinstance(text.value, str)):
                    raise MarkError(f"{name}, line {text.lineno}: help is written out where it is declared.")
                if text.value:
                    yield Marked(name, text.lineno, (text.value,), None)


def _click_call(node: ast.AST, *names: str) -> TypeGuard[ast.Call]:
    """Whether *node* calls one of *names*, by itself or as a method, to declare a command or a parameter."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in names
    return isinstance(node.func, ast.Attribute) and node.func.attr in names and isinstance(node.func.value, ast.Name)


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def placeholders(text: str) -> set[str]:
    """The placeholders of *text*, with their formats.

    >>> sorted(placeholders("{score:,.0f} points for {name}, as { Threads = 2 }"))
    ['{name}', '{score:,.0f}']
    """
    return {found[0] for found in _PLACEHOLDER.finditer(text)}


def extract(
    file: IO[bytes], keywords: Mapping[str, Any], comment_tags: Sequence[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str | None, str | tuple[str, ...], list[str]]]:
    """The marked texts of *file*, in the format of pybabel's extractors; see ``translations/babel.cfg``."""
    name = Path(file.name).resolve().relative_to(CHECKOUT).as_posix()
    for found in marked_in(file.read().decode(), name):
        is_plural = len(found.texts) > 1
        yield found.line, "ngettext" if is_plural else None, found.texts if is_plural else found.texts[0], []


def pybabel(*words: str | Path) -> None:
    with contextlib.chdir(CHECKOUT):
        CommandLineInterface().run(["pybabel", "--quiet", *map(str, words)])  # type: ignore[no-untyped-call]


def write_template(file: Path) -> Catalog:
    """Extract all texts into *file*; return the untranslated catalogue."""
    pybabel(
        *("extract", "--mapping-file", SOURCES / "babel.cfg", "--output-file", file, *_WIDTH, "--sort-by-file"),
        *("--add-location", "file", "--project", "Papan", "--copyright-holder", "Papan contributors"),
        *("--header-comment", "# The texts of Papan, as python -m dev.translations writes them."),
        *sorted(path.relative_to(CHECKOUT) for path in ROOT.rglob("*.py")),
    )
    written = _DATES.sub(rf"\1-Date: {_DAY}", file.read_text(encoding="utf-8"))
    file.write_text(written, encoding="utf-8", newline="\n")
    return read_catalog(file)


def forms(message: Message) -> Sequence[str]:
    return message.string if isinstance(message.string, list | tuple) else (message.string or "",)


def originals(message: Message) -> Sequence[str]:
    """The English text of *message*, or its singular and plural."""
    return message.id if isinstance(message.id, list | tuple) else (message.id,)


def is_translated(message: Message) -> bool:
    return bool(message.id) and any(forms(message)) and not message.fuzzy


def faults_of(catalog: Catalog) -> list[str]:
    """The faults of the translations in *catalog*, as sentences."""
    found = []
    names_in_help = _names_in_help(catalog)
    for message in catalog:
        if not is_translated(message):
            continue
        named = [placeholders(one) for one in originals(message)]
        wanted = [names - {"{count}"} if message.pluralizable else names for names in named]
        for form in forms(message):
            what = f"{catalog.locale}: {originals(message)[0]!r}"
            if not form or len(forms(message)) != (catalog.num_plurals if message.pluralizable else 1):
                found.append(f"{what} lacks a plural form.")
            elif missing := min((needed - placeholders(form) for needed in wanted), key=len):
                found.append(f"{what} lacks {', '.join(sorted(missing))} in its translation.")
            elif unknown := placeholders(form) - set().union(*named):
                found.append(f"{what} has {', '.join(sorted(unknown))} only in its translation.")
            elif english := names_in_help & set(_CAPITALS.findall(form)):
                found.append(f"{what} has {', '.join(sorted(english))} in English.")
    return found


def _names_in_help(catalog: Catalog) -> set[str]:
    """The metavars, such as GAME, that *catalog* translates."""
    texts = (message for message in catalog if isinstance(message.id, str) and _CAPITALS.fullmatch(message.id))
    return {str(message.id) for message in texts if is_translated(message) and message.string != message.id}


def translated(catalog: Catalog) -> int:
    return sum(map(is_translated, catalog))


def is_offered(catalog: Catalog) -> bool:
    return translated(catalog) >= LEAST_SHARE * len(catalog)


def source_of(language: str) -> Path:
    return SOURCES / f"{language}.po"


def read_catalog(path: Path, language: str | None = None) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language)


def compiled_file(language: str) -> Path:
    return bundled_file("assets", FOLDER, language, "LC_MESSAGES", f"{DOMAIN}.mo")


def bring_up_to_date(language: str, texts: Path) -> Catalog:
    """Update the catalogue of *language* from the template *texts*, and compile it if it is offered; return it."""
    words = ("--init-missing", "--locale", language, "--input-file", texts, "--output-file", source_of(language))
    pybabel("update", *words, *_WIDTH)
    catalog, target = read_catalog(source_of(language), language), compiled_file(language)
    if is_offered(catalog):
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            write_mo(file, catalog)  # "pybabel compile" skips catalogues with a fuzzy header
    else:
        target.unlink(missing_ok=True)
    return catalog


def main() -> int:
    """Update everything, and print the progress of each language; return 1 if translations have faults, else 0."""
    write_template(TEMPLATE)
    faults = []
    for language in LANGUAGES:
        catalog = bring_up_to_date(language, TEMPLATE)
        fuzzy = sum(bool(message.id) and message.fuzzy for message in catalog)
        offer = "" if is_offered(catalog) else "; it is offered once half of them are translated"
        counts = f"{translated(catalog)} of {len(catalog)} texts are translated, {fuzzy} fuzzy"
        show(f"{NAMES[language]}: {counts}, {len(catalog.obsolete)} obsolete{offer}.")
        faults += faults_of(catalog)
    DIGESTS.write_text(source_of_digests(bundled_file("assets")), encoding="utf-8", newline="\n")
    for fault in faults:
        show(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
