"""The catalogues of the window's languages, and the tool that keeps them."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from dev import translations
from dev import translations as tool
from papan.game.base.digests import DIGESTS

RUN = "run: python -m dev.translations"
IMPORTED = "from papan.game.base.sentences import say, say_number\n"


def texts_of(catalog: Catalog) -> set[object]:
    return {tuple(message.id) if isinstance(message.id, list) else message.id for message in catalog if message.id}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return tool.write_template(tmp_path_factory.mktemp("template") / "papan.pot")


@pytest.fixture(scope="module")
def wanted(template: Catalog) -> set[object]:
    return texts_of(template)


class TestCatalogues:
    """Those that are kept beside the program."""

    def test_the_template_is_up_to_date(self, wanted: set[object]) -> None:
        assert texts_of(tool.read_catalog(tool.TEMPLATE)) == wanted, RUN

    @pytest.mark.parametrize("language", tool.LANGUAGES)
    def test_each_language_has_all_texts(self, language: str, wanted: set[object]) -> None:
        assert texts_of(tool.read_catalog(tool.source_of(language), language)) == wanted, RUN

    @pytest.mark.parametrize("language", tool.LANGUAGES)
    def test_no_translation_has_faults(self, language: str) -> None:
        assert tool.faults_of(tool.read_catalog(tool.source_of(language), language)) == []

    @pytest.mark.parametrize("language", tool.LANGUAGES)
    def test_what_is_offered_is_compiled(self, language: str) -> None:
        offered = tool.is_offered(tool.read_catalog(tool.source_of(language), language))
        assert tool.compiled_file(language).exists() == offered, RUN
        assert any(name.startswith(f"translations/{language}/") for name in DIGESTS) == offered, RUN

    def test_a_text_is_singular_in_one_place_and_in_all(self, wanted: set[object]) -> None:
        """gettext knows a text and a plural that begins with it by one name."""
        assert {text for text in wanted if isinstance(text, tuple) and text[0] in wanted} == set()


class TestMarks:
    """What is marked in the sources."""

    def test_values_are_those_of_the_template(self) -> None:
        wrong = [
            (found.path, found.line)
            for found in tool.marked_texts()
            if found.values is not None
            and {name.strip("{}") for text in found.texts for name in tool.placeholders(text)} - {"count"}
            != found.values - {"count"}
        ]
        assert wrong == []

    def test_are_found_with_their_values(self) -> None:
        [found] = tool.marked_in(IMPORTED + 'say("The {piece} "\n    "stays.", piece=1)', "rules.py")
        assert found == ("rules.py", 2, ("The {piece} stays.",), frozenset({"piece"}))

    def test_plurals_have_two_texts(self) -> None:
        [found] = tool.marked_in(IMPORTED + 'say_number("{count} disc", "{count} discs", number)', "rules.py")
        assert found.texts == ("{count} disc", "{count} discs")

    def test_functions_of_the_same_name_are_none(self) -> None:
        assert list(tool.marked_in("say(f'{game}: the table')\nself.say('bestmove')", "bench.py")) == []

    @pytest.mark.parametrize(
        "marked", ["say(text)", 'say(f"The {piece} stays.")', 'say_number("{count} disc", many, 2)']
    )
    def test_a_text_that_is_not_written_out_is_told(self, marked: str) -> None:
        with pytest.raises(tool.MarkError, match=r"rules.py, line 2: "):
            list(tool.marked_in(IMPORTED + marked, "rules.py"))


class TestFaults:
    """What the tool says of translations."""

    @pytest.mark.parametrize(
        ("english", "translation", "fault"),
        [
            ("The {piece} stays.", "{piece} tinggal.", ""),
            ("The {piece} stays.", "Raja tinggal.", "lacks {piece} in its translation."),
            ("The {piece} stays.", "{piece} tinggal di {cell}.", "has {cell} only in its translation."),
            ("{score:,.0f} points", "{score} poin", "lacks {score:,.0f} in its translation."),
            ("100 %", "100 %", ""),
        ],
    )
    def test_of_placeholders(self, english: str, translation: str, fault: str) -> None:
        catalog = Catalog(locale="id")
        catalog.add(english, translation)
        assert [text.partition("' ")[2] for text in tool.faults_of(catalog)] == ([fault] if fault else [])

    @pytest.mark.parametrize(
        ("forms", "number"),
        [(("um disco", "{count} discos"), 0), (("{count} disco",), 1), (("{count} disco", ""), 1), (("{n} a", "b"), 1)],
    )
    def test_of_plural_forms(self, forms: tuple[str, ...], number: int) -> None:
        catalog = Catalog(locale="pt")
        catalog.mime_headers = [("Plural-Forms", "nplurals=2; plural=(n > 1);")]  # as the catalogue of today has it
        catalog.add(("{count} disc", "{count} discs"), forms)
        assert len(tool.faults_of(catalog)) == number

    def test_of_names_in_help(self) -> None:
        """What stands for a value is called the same in a command's usage and in its help."""
        catalog = Catalog(locale="pt")
        catalog.add("GAME", "JOGO")
        catalog.add("Open the window on GAME.", "Abre a janela em GAME.")
        catalog.add("Play GAME; see PPN and [engines.GAME].", "Joga JOGO; veja PPN e [engines.GAME].")
        assert tool.faults_of(catalog) == ["pt: 'Open the window on GAME.' has GAME in English."]

    def test_none_where_nothing_is_translated_yet(self, template: Catalog) -> None:
        catalog = Catalog(locale="pt")
        catalog.update(template)
        assert tool.faults_of(catalog) == [] and tool.translated(catalog) == 0


class TestUpdating:
    """A catalogue that is brought in line with the texts."""

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr(translations, "SOURCES", tmp_path)
        monkeypatch.setattr(translations, "bundled_file", lambda *parts: tmp_path.joinpath(*parts))
        return tmp_path

    def update(self, folder: Path, language: str, *english: str) -> Catalog:
        file = folder / "papan.pot"
        file.write_text("".join(f'msgid "{text}"\nmsgstr ""\n\n' for text in english), encoding="utf-8")
        return translations.bring_up_to_date(language, file)

    def translate(self, language: str, words: dict[str, str]) -> None:
        """Do a translator's work."""
        file = tool.source_of(language)
        written = file.read_text(encoding="utf-8")
        for english, translation in words.items():
            written = written.replace(f'msgid "{english}"\nmsgstr ""', f'msgid "{english}"\nmsgstr "{translation}"')
        file.write_text(written, encoding="utf-8")

    def test_keeps_what_was_translated(self, folder: Path) -> None:
        self.update(folder, "id", "Undo", "The board is full of stones.")
        self.translate("id", {"Undo": "Urungkan", "The board is full of stones.": "Papan penuh batu."})
        catalog = self.update(folder, "id", "Undo", "The board is full of discs.")
        [changed] = [message for message in catalog if message.id == "The board is full of discs."]
        assert (len(catalog), tool.translated(catalog), changed.fuzzy) == (2, 1, True), (
            "the text that has changed is fuzzy"
        )
        catalog = self.update(folder, "id", "Undo")
        assert len(catalog) == tool.translated(catalog) == 1

    def test_compiles_a_language_as_long_as_most_is_translated(self, folder: Path) -> None:
        self.update(folder, "pt", "Undo", "Redo")
        assert not tool.compiled_file("pt").exists()
        self.translate("pt", {"Undo": "Desfazer"})
        self.update(folder, "pt", "Undo", "Redo")
        assert tool.compiled_file("pt").exists()
        self.update(folder, "pt", "Undo", "Hint", "Pause")
        assert not tool.compiled_file("pt").exists()
