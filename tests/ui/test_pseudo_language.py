"""Whatever the games say and the window shows was looked up in the catalogue: seen in a language made for that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pygame
import pytest

from papan.ai.engines.dialect import PROTOCOLS
from papan.ai.engines.drafts import Draft
from papan.ai.engines.entries import entries_file
from papan.ai.engines.options import read_options
from papan.ai.engines.saving import facts_of
from papan.ai.limits import Limit
from papan.ai.reviews.reviewer import Reviewer
from papan.game.base.logfile import log_file
from papan.game.base.places import cache_folder, data_folder
from papan.game.catalogue import BUILT_IN, GALLERY, GAMES
from papan.game.formats.importing import new_match
from papan.game.lessons import lesson_of
from papan.game.match import Match
from papan.game.match.library import Library, LibraryWriter
from papan.game.opening_names import openings_of
from papan.game.presentation import motifs_of, turn_in_words
from papan.game.rules import CHANCE, PositionError, play
from papan.ui.play import folders
from papan.ui.play.inquiry import ReviewTask
from papan.ui.play.library_reader import LibraryReader, StoredMatches
from papan.ui.scenes import about
from papan.ui.scenes.about import AboutScene
from papan.ui.scenes.engine_form import EngineForm
from papan.ui.scenes.engines import EnginesScene
from papan.ui.scenes.file_chooser import FileChooser
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.keys_message import KeysMessage
from papan.ui.scenes.laboratory.scene import LaboratoryScene
from papan.ui.scenes.lesson import LessonScene
from papan.ui.scenes.library.scene import LibraryScene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.review.exercise import ExerciseScene
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.rules_page import RulesScene
from papan.ui.scenes.services import Services
from papan.ui.scenes.settings import SettingsScene
from papan.ui.scenes.statistics.scene import StatisticsScene
from papan.ui.texts import translated
from papan.ui.window.program import player_choices
from tests.ai.engines.programs import OPTIONS, entry, program_file, write_entries
from tests.ui import pseudo
from tests.ui.at_table import AtTable
from tests.ui.pseudo import Shown, english_in
from tests.ui.scenes.test_statistics import PLAYED
from tests.waiting import PATIENCE

KEYS = {"Tab", "Shift", "Alt", "Esc", "Enter", "Ctrl", "Space", "Del"}
NAMES = {"Papan", *KEYS}
"""What is called the same in every language."""


@pytest.fixture(autouse=True)
def spoken(tmp_path: Path, home: Path) -> Iterator[None]:
    with pseudo.spoken(tmp_path / "assets"):
        yield


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    return Shown(monkeypatch)


@pytest.fixture
def window() -> Iterator[AtTable]:
    window = AtTable(services=Services(player_choices=lambda game: player_choices(game, 3.0)))
    window.app.settings.language, window.app.settings.animation = pseudo.LANGUAGE, "off"
    window.app.apply_settings()
    yield window
    window.close()


@contextmanager
def library_of(window: AtTable, home: Path) -> Iterator[Services]:
    """Services with a library of two matches and a variation."""
    with closing(Library(home / "library.sqlite3")) as library:
        writer = LibraryWriter(library.path)
        library_reader = LibraryReader(writer, window.app.call_soon)
        kept = writer.begin(random_match("othello", 1, 6))
        kept.open()
        for _ in range(3):
            kept.match.undo()
            kept.keep()
        kept.match.play(kept.match.legal_steps()[-1])
        kept.keep()
        kept.close()
        writer.add([new_match(random_match("connect-four", 2))])
        assert writer.flush(PATIENCE)

        past = StoredMatches(library, library_reader, lambda *_match: None, lambda _text: None)
        yield Services(past, player_choices=window.services.player_choices, library_reader=library_reader)
        for scene in window.app.scenes:
            scene.leave()
        assert library_reader.close(PATIENCE) and writer.close(PATIENCE)


def random_match(game: str, seed: int, steps: int = 400) -> Match:
    match, random = Match.new(BUILT_IN[game], ["human"] * BUILT_IN[game].seats[0], {"first": "1"}, seed), Random(seed)
    while not match.ending and len(match.steps) < steps:
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    return match


def notations(match: Match) -> set[str]:
    """The notations in *match*, which are no words."""
    found = {turn.notation for turn in match.turns()}
    for state in match.states[-3:]:
        for step in match.legal_steps() if state == match.state else ():
            found.add(match.rules.notation(state, step))
    return found


class TestGames:
    """The words of the rules."""

    @pytest.mark.parametrize("name", BUILT_IN)
    def test_of_a_random_match(self, name: str) -> None:
        match, random, said = random_match(name, seed=5), Random(5), set[str]()
        rules = match.rules
        known = notations(match) | ({"MIN", "MAX"} if name == "p-tree" else set())
        states = [match.states[index] for index in sorted({0, 1, 2, *random.choices(range(len(match.states)), k=40)})
                  if index < len(match.states)]  # fmt: skip
        for state in states:
            said.add(rules.phase(state))
            said.update(rules.prompt(state, None))
            said.update(text for seat in range(len(match.seats)) for text in rules.seat_note(state, seat))
            said.update(
                rules.refusal(state, step) for step in random.sample(range(rules.MOST_STEPS), 30 % rules.MOST_STEPS)
            )
            said.update(rules.refusal_at(state, (random.randrange(50), random.randrange(25))) for _ in range(10))
        own_words = motifs_of(BUILT_IN[name])
        for state, step in zip(match.states, match.steps, strict=False):
            if own_words is not None and rules.phase(state) != "tile":
                after = play(state, step)
                said.update(text for motif in own_words.motifs((state, after), (step,), "⟦One⟧") for text in motif[1:4])
            known.add(rules.notation(state, step))
            said.update(rules.describe(state, step))
        for turn in match.turns() if name in GALLERY else ():
            steps = range(turn.first_step, turn.end_step)
            played = match.states[turn.first_step : turn.end_step + 1]
            said.add(turn_in_words(BUILT_IN[name], played, [match.steps[step] for step in steps]))
        assert match.ending is not None or len(match.steps) == 400
        said.add(match.ending.reason if match.ending else "")
        assert {text: words for text in said if (words := english_in(translated(text), known))} == {}

    @pytest.mark.parametrize("name", BUILT_IN)
    def test_of_spoilt_positions(self, name: str) -> None:
        match, random = random_match(name, seed=6, steps=3), Random(6)
        try:
            whole = match.rules.text(match.state)
        except PositionError:
            whole = match.rules.text(match.states[0])
        refused = {}
        for _ in range(200):
            at = random.randrange(len(whole) + 1)
            spoilt = (
                whole[:at]
                + random.choice(["", "x", "9", "/", " 1", ",2", "w", "~"])
                + whole[at + random.randrange(3) :]
            )
            try:
                match.rules.parse(spoilt, match.options)
            except PositionError as error:
                refused[str(error)] = spoilt
        quoted = {whole, *refused.values(), *"".join(refused.values()).split("/")}
        assert refused
        for text in refused:
            said = translated(text)
            assert said.startswith("⟦") and said.endswith("⟧"), (said, quoted)

    @pytest.mark.parametrize("name", BUILT_IN)
    def test_of_the_catalogue(self, name: str) -> None:
        game = BUILT_IN[name]
        said = [game.title, game.tagline]
        for option in game.options.values():
            said += [option.title, *(words for value, words in option.values.items() if words != value)]
        for choice in player_choices(game, 3.0):
            said += [choice.note]
        assert [text for text in said if english_in(translated(text))] == []


class TestScenes:
    def check(self, shown: Shown, names: set[str] | None = None) -> None:
        assert len(shown.texts) > 3
        assert shown.english(NAMES | (names or set())) == {}

    def test_home(self, window: AtTable, shown: Shown) -> None:
        window.show(HomeScene(window.app))
        self.check(shown)

    def test_home_with_matches(self, window: AtTable, shown: Shown, home: Path) -> None:
        with library_of(window, home) as services:
            window.show(HomeScene(window.app, services))
            self.check(shown)

    def test_library(self, window: AtTable, shown: Shown, home: Path) -> None:
        with library_of(window, home) as services:
            assert services.library_reader is not None
            scene = window.show(LibraryScene(window.app, services, services.library_reader))
            window.until(lambda: scene.listing is not None)
            window.press(1073741903)  # right: variations
            window.frames(5)
            window.press(32)
            window.press(127)
            window.until(lambda: not scene.listing or scene.listing.total == 1)
            window.frames(2)
            window.show(KeysMessage(window.app, scene))
            self.check(shown)

    @pytest.mark.parametrize("file_name", [None, "x"])
    def test_file_chooser(self, window: AtTable, shown: Shown, home: Path, file_name: str | None) -> None:
        (home / "documents").mkdir()
        (home / "documents" / "some.txt").write_text("x", encoding="utf-8")
        chooser = window.show(
            FileChooser(window.app, translated("Import records"), lambda paths: None, file_name=file_name)
        )
        window.until(lambda: chooser._job is None)
        window.frames(2)
        places = {place.name for place in folders.places()}
        self.check(shown, {"some.txt", str(home / "documents"), "x", *places})

    def test_settings(self, window: AtTable, shown: Shown) -> None:
        window.show(SettingsScene(window.app))
        self.check(shown, {"Bahasa Indonesia"})

    def test_engines(self, window: AtTable, shown: Shown) -> None:
        window.show(EnginesScene(window.app))
        self.check(shown, {str(entries_file())})

    def settle(self, window: AtTable, form: EngineForm) -> None:
        window.until(lambda: window.app.scene is not form or not form.is_working)
        window.frames(2)

    def test_the_form_of_an_engine(self, window: AtTable, shown: Shown, home: Path, tmp_path: Path) -> None:
        file = program_file(tmp_path, "time.sleep(600)")
        write_entries(home, replace(entry((str(file),), "xiangqi", "uci"), name="mine"))
        (own,) = read_options([OPTIONS[0]])
        facts = facts_of("mine")
        assert facts is not None
        for draft in (Draft(program=str(file)), Draft("x", "", "gomocup", str(file)), Draft.of("mine", facts)):
            form = window.show(EngineForm(window.app, draft))
            window.click("stop")
            self.settle(window, form)
            draft.offers = (own,)
            window.app.rebuild(form)
            window.frames(2)
            window.click("save")
            self.settle(window, form)
        self.check(shown, {"mine", *PROTOCOLS, own.name, str(file), file.name})

    def test_about(self, window: AtTable, shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(about, "licensed_works", list)  # licences are in English
        window.show(AboutScene(window.app))
        folders = {str(data_folder()), str(log_file()), str(cache_folder())}
        self.check(shown, {"MIT", *folders})

    @pytest.mark.parametrize("game", ["othello", "2048"])
    def test_statistics(self, window: AtTable, shown: Shown, game: str) -> None:
        scene = window.show(StatisticsScene(window.app, Services(read_sums=lambda: PLAYED)))
        for name, is_there in (("", "game"), (game, "weeks")):
            scene.choose_game(name)
            window.until(lambda wanted=is_there: scene.widgets.named(wanted) is not None)  # type: ignore[misc]
        for grouping in ("games", "opponents", "seats"):
            scene.choose_grouping(grouping)
            window.frames(2)
        self.check(shown)

    def test_laboratory(self, window: AtTable, shown: Shown) -> None:
        window.show(LaboratoryScene(window.app, window.services))
        self.check(shown)

    @pytest.mark.parametrize("name", GALLERY)
    def test_form(self, window: AtTable, shown: Shown, name: str) -> None:
        form = window.show(NewGameScene(window.app, GAMES[name], window.services))
        window.click("more opponents")
        window.click("more players")
        window.frames(2)
        window.press(pygame.K_ESCAPE)
        window.click("options")
        window.frames(2)
        own = {choice.label for choice in form.choices.offered} | {*form.choices.options.values()}
        self.check(shown, own - {label for label in own if "⟦" in label})

    @pytest.mark.parametrize("name", GALLERY)
    def test_rules(self, window: AtTable, shown: Shown, name: str) -> None:
        window.show(RulesScene(window.app, GAMES[name]))
        for _ in range(6):
            window.press(1073741902)  # page down
        self.check(shown)

    @pytest.mark.parametrize("name", GALLERY)
    def test_table(self, window: AtTable, shown: Shown, name: str) -> None:
        table = window.sit_down(name, *["human"] * GAMES[name].seats[0])
        random, known = Random(4), set[str]()
        for _ in range(8):
            window.settle()
            if table.session.passes_to is not None:
                table.session.take_screen()
            if table.session.turn.due not in ("choosing", "completing"):
                break
            known |= {table.match.rules.notation(table.match.state, step) for step in table.match.legal_steps()}
            table.session.choose(random.choice(table.match.legal_steps()))
            window.frames(3)
        known |= {turn.notation for turn in table.match.turns()}
        openings = openings_of(table.match.game, table.match.options)  # proper names
        known |= {opening.name for opening in openings.by_key.values()} if openings is not None else set()
        window.show(KeysMessage(window.app, table))
        self.check(shown, known)

    @pytest.mark.parametrize("name", GALLERY)
    def test_lesson(self, window: AtTable, shown: Shown, name: str) -> None:
        lesson = lesson_of(GAMES[name])
        scene = window.show(LessonScene(window.app, lesson, 0, window.services))
        said = set[str]()
        for _step in lesson.steps:
            window.frames(2)
            said |= {scene.practice.say, scene.practice.done}
            scene.show_answer()
            window.frames(4)
            scene._go_on()
        window.frames(2)
        self.check(shown, {text for text in said if text})

    def test_refusal(self, window: AtTable, shown: Shown) -> None:
        window.sit_down("xiangqi", "human", "human")
        window.click_cell(40)
        window.frames(2)
        self.check(shown)
        assert any("There is no piece on" in text for text in shown.texts)

    def test_end(self, window: AtTable, shown: Shown) -> None:
        window.sit_down("connect-four", "human", "human")
        for column in (0, 1, 0, 1, 0, 1, 0):
            window.click_cell(column)
            window.settle()
        window.frames(2)
        self.check(shown)
        assert any("four in a row" in text for text in shown.texts)

    def test_form_that_refuses(self, window: AtTable, shown: Shown) -> None:
        services = Services(
            player_choices=lambda game: player_choices(game, 3.0),
            start_match=lambda game, players, options, seed: Match.new(game, players, options, seed),
        )
        form = window.show(NewGameScene(window.app, GAMES["santorini"], services))
        form.choices.options["teams"] = "yes"
        form.start()
        window.frames(2)
        assert any("Teams are for four players" in text for text in shown.texts)
        self.check(shown)

    @pytest.mark.parametrize("name", ["connect-four", "2048", "santorini"])
    def test_review(self, window: AtTable, shown: Shown, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        match = random_match(name, seed=2, steps=24)
        found = Reviewer(match, Limit(nodes=1000), conspiracy_turns=1).run()
        known = notations(match) | {turn for moment in found.moments for turn in moment.line}
        known |= {turn for moment in found.moments if moment.best for turn in moment.best.line}
        monkeypatch.setattr(ReviewTask, "start", lambda task: setattr(task, "is_working", True))
        scene = window.show(ReviewScene(window.app, match))
        scene.task.answer, scene.task.is_working = found, False
        window.frames(30)
        for turn in range(scene.reviewed.turns + 1):
            scene.go_to(turn)
            window.frames()
        for key in (pygame.K_m, pygame.K_m, pygame.K_n, pygame.K_l, pygame.K_t):
            window.press(key)
            window.frames()
        exercise = window.app.scene
        if isinstance(exercise, ExerciseScene):
            exercise.show_answer()
            window.frames(10)
        assert isinstance(exercise, ExerciseScene) or name == "2048"
        self.check(shown, known)
