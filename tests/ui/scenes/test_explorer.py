"""The explorer: turns played by mouse and keys, filters, own matches, games opened, collections imported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event

import pygame
import pytest

from papan.ai.players import HUMAN, PlayerChoice
from papan.game.catalogue import BUILT_IN
from papan.game.explorer import Collection, importing, open_collections
from papan.game.explorer.collection import folder_of
from papan.game.explorer.importing import new_name
from papan.game.formats import Replay, Transcript, match_of
from papan.game.formats.importing import ImportProgress
from papan.game.match import Match
from papan.game.match.library import Library
from papan.game.match.notation import parse_turn
from papan.game.match.record import write
from papan.ui.boards.bases import pieces as pieces_base
from papan.ui.play import explorer as explorer_module
from papan.ui.play.explorer import OWN, Wanted, can_explore
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.encoding import EncodingDialog
from papan.ui.scenes.explorer.scene import ExplorerScene, added_in_words, start_of
from papan.ui.scenes.explorer.search import FoundScene, PatternScene
from papan.ui.scenes.library.scene import LibraryScene
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.services import Services
from papan.ui.texts import translated
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.explorer_lists import ExploredGames, ExploredTurns
from papan.ui.widgets.text_field import TextField
from tests.ui.hands import Hands
from tests.ui.matches import played
from tests.ui.scenes.conftest import LOOKS
from tests.ui.scenes.test_library import Reader
from tests.waiting import PATIENCE

FOUR = BUILT_IN["connect-four"]


def told(columns: str, payoff: float | None, players: Sequence[str], year: int) -> Transcript:
    replay = Replay(FOUR)
    for column in columns:
        replay.play(replay.legal()[int(column) - 1])
    payoffs = None if payoff is None else (payoff, -payoff)
    return replay.transcript(players=players, payoffs=payoffs, date=f"{year}.??.??", tags={"Event": "Cup"})


GAMES = [
    told("4444", 1.0, ("Ann", "Bob"), 2001),
    told("4433", 1.0, ("Ann", "Cleo"), 2002),
    told("4455", 0.0, ("Bob", "Ann"), 2003),
    told("4355", -1.0, ("Cleo", "Bob"), 2004),
    told("3333", None, ("Dan", "Ann"), 2005),
]


class Exploring(Reader):
    """A window with the explorer, a library of its own, and perhaps a collection."""

    matches: list[Match]

    def begin(self) -> None:
        super().begin()
        self.matches = []
        self.services = Services(
            library_reader=self.library_reader,
            review_match=self.review_stored,
            go_on_with=self.matches.append,
            show_match=self.review,
        )

    def review(self, match: Match, turns: int) -> None:
        scene = ReviewScene(self.app, match, services=self.services)
        self.app.push(scene)
        scene.go_to(turns)

    def collect(self, name: str = "masters", games: Sequence[Transcript] = GAMES) -> None:
        with closing(Collection(FOUR, name)) as collection:
            list(collection.add(games))

    def explore(self, match: Match | None = None, wanted: Wanted | None = None) -> ExplorerScene:
        scene = self.show(ExplorerScene(self.app, match or start_of(FOUR), self.services, wanted=wanted))
        self.until_answered()
        return scene

    @property
    def explorer(self) -> ExplorerScene:
        return self.scene_as(ExplorerScene)

    def until_answered(self) -> None:
        self.until(lambda: self.explorer.explorer.showing is None and self.explorer.explorer.is_up_to_date)
        self.frames(2)

    @property
    def turns(self) -> list[tuple[str, int]]:
        """Each turn in the list with its number of games."""
        return [(row.name.notation, row.results.games) for row in self.widget_as("turns", ExploredTurns).entries]

    def turn(self, index: int) -> tuple[int, int]:
        return self.widget_as("turns", ExploredTurns)._row_rect(index).center

    @property
    def told_games(self) -> list[str]:
        return [row.players for row in self.widget_as("games", ExploredGames).entries]


@pytest.fixture
def window(home: Path) -> Iterator[Exploring]:
    window = Exploring(home)
    yield window
    window.app.close()
    window.end()


def test_turns_are_played_and_taken_back_by_mouse_and_keys(window: Exploring) -> None:
    window.collect()
    scene = window.explore()
    assert window.turns == [("4", 4), ("3", 1)]
    window.click(window.turn(0))
    window.until_answered()
    assert window.turns == [("4", 3), ("3", 1)]
    assert scene.explorer.turns == 1
    window.keys(pygame.K_DOWN, pygame.K_RETURN)
    window.until_answered()
    assert scene.explorer.turns == 2 and window.turns == [("5", 1)]
    window.press(pygame.K_LEFT)
    window.until_answered()
    assert scene.explorer.turns == 1
    window.press(pygame.K_RIGHT)  # what was taken back, not the most frequent turn
    window.until_answered()
    assert [name.notation for name in scene.explorer.line] == ["4", "3"]
    window.press(pygame.K_RIGHT)
    window.until_answered()
    assert [name.notation for name in scene.explorer.line] == ["4", "3", "5"]
    window.press(pygame.K_HOME)
    window.until_answered()
    assert scene.explorer.turns == 0 and window.turns == [("4", 4), ("3", 1)]


def test_the_board_takes_turns_and_its_own_arrows(window: Exploring) -> None:
    window.collect()
    scene = window.explore()
    cell = next(iter(scene.explorer.turn.targets()))
    window.click(scene.view.cell_rect(cell).center)
    window.until_answered()
    assert scene.explorer.turns == 1
    window.press(pygame.K_LEFT)  # moves the board's cursor
    window.frames(2)
    assert scene.explorer.turns == 1
    window.press(pygame.K_z, pygame.KMOD_CTRL)
    assert scene.explorer.turns == 0


def test_a_click_on_a_list_that_is_out_of_date_plays_nothing(window: Exploring) -> None:
    window.collect()
    scene = window.explore()
    scene.play(0)
    scene.play(0)  # the list still has the turns of the start
    window.until_answered()
    assert scene.explorer.turns == 1


def test_filters(window: Exploring) -> None:
    window.collect()
    window.collect("club", [told("1122", 1.0, ("Eve", "Finn"), 1999)])
    scene = window.explore()
    assert scene.explorer.answer is not None and scene.explorer.answer.players[0] == "Ann"
    assert dict(window.turns) == {"4": 4, "3": 1, "1": 1}
    window.widget_as("source", Dropdown).choose("club")
    window.until_answered()
    assert window.turns == [("1", 1)]
    window.widget_as("source", Dropdown).choose("")
    window.widget_as("player", TextField).write("cleo")
    window.until_answered()
    assert window.turns == [("4", 2)]
    assert window.told_games == ["Cleo against Bob", "Ann against Cleo"]
    window.widget_as("player", TextField).write("")
    window.widget_as("since", TextField).write("2003")
    window.widget_as("until", TextField).write("200")  # not a year yet
    window.until_answered()
    assert window.turns == [("3", 1), ("4", 2)] or window.turns == [("4", 2), ("3", 1)]
    window.widget_as("result", Dropdown).choose("second")
    window.until_answered()
    assert window.told_games == ["Cleo against Bob"]
    window.widget_as("since", TextField).write("2010")
    window.until_answered()
    assert window.turns == [] and window.widget_as("turns", ExploredTurns).empty_words.startswith("No game with")


def test_own_matches_follow_the_library(window: Exploring) -> None:
    window.add(played("connect-four", HUMAN, "minimax:easy", steps=100), played("othello", steps=200))
    window.collect()
    scene = window.explore(wanted=Wanted(OWN))
    assert len(window.told_games) == 1
    assert scene.explorer.answer is not None and scene.explorer.answer.own is not None
    own = scene.explorer.answer.own
    assert own.games == 1
    ended = played("connect-four", HUMAN, "minimax:easy", steps=100).ending
    assert ended is not None and (own.won, own.lost) == ((1, 0) if 0 in ended.winners else (0, 1))
    assert scene._summary_in_words()[1] == f"You won {own.won} of 1 from here."
    window.add(played("connect-four", "minimax:easy", HUMAN, seed=3, steps=100))
    window.until(lambda: len(window.told_games) == 2)
    window.focus("games")
    window.keys(pygame.K_DOWN, pygame.K_RETURN)
    window.until(lambda: window.reviewed)
    with closing(Library(window.path)) as library:
        kept = {one.id: one for page in library.all() for one in page}
    number, turns = window.reviewed[0]
    chosen = kept[number]
    assert turns == 0, "at the position that was explored"
    told = window.told_games[1]
    assert chosen.game == "connect-four" and told == " against ".join(
        "You" if name == HUMAN else "Easy" for name in chosen.seats
    )


def test_a_game_opens_at_the_position(window: Exploring) -> None:
    window.collect()
    window.explore()
    window.click(window.turn(0))
    window.until_answered()
    window.focus("games")
    window.press(pygame.K_RETURN)
    window.until(lambda: isinstance(window.app.scene, ReviewScene))
    review = window.scene_as(ReviewScene)
    assert review.turn == 1
    assert review.reviewed.names == ["Cleo", "Bob"]
    review.explore()
    window.frames(2)
    assert window.explorer.explorer.turns == 1


def test_unknown_players_are_called_by_their_sides(window: Exploring) -> None:
    window.collect(games=[told("4444", 1.0, ("", "Ann"), 2001), told("44", None, ("?", ""), 0)])
    window.explore()
    assert sorted(window.told_games) == ["Red against Ann", "Red against Yellow"]


def test_playing_on(window: Exploring) -> None:
    """Players who can't play here are replaced: the person has the turn."""
    window.collect()
    window.app.settings.opponent = "minimax:easy"
    offered = [PlayerChoice(HUMAN, "You", ""), PlayerChoice("minimax:easy", "Easy", ""), PlayerChoice("random", "", "")]
    window.services = Services(
        library_reader=window.library_reader, go_on_with=window.matches.append, player_choices=lambda game: offered
    )
    match = match_of(GAMES[0])
    scene = window.explore(match)
    scene.take_back()
    window.until_answered()
    scene.play_on()
    [begun] = window.matches
    assert begun.seats == ["minimax:easy", HUMAN] and len(begun.steps) == 3 and begun.ending is None
    assert not begun.tags


def test_import_of_a_file(window: Exploring, tmp_path: Path) -> None:
    scene = window.explore()
    assert "no collection" in scene._empty_words.replace("There is", "")
    assert window.widget("import").rect.y > scene.px(100)
    file = tmp_path / "My games.txt"
    file.write_text("\n4444\n443352\n99\n1212121\n")
    window.click("import")
    window.app.pop()
    scene.import_file(file)
    window.until(lambda: isinstance(window.app.scene, Message))
    assert scene._import is None
    window.app.pop()
    window.until_answered()
    assert dict(window.turns) == {"4": 2, "1": 1}
    assert window.widget("import").rect.y < scene.px(60)
    with closing(open_collections(FOUR)[0]) as made:
        assert made.name == "My games" and len(made) == 3


def held_reading(monkeypatch: pytest.MonkeyPatch, number: int) -> tuple[Event, Event]:
    """Have an import read *number* games, set the first event, and wait for the second one before the rest."""
    reached, may_go_on = Event(), Event()

    def read(*_: object) -> Iterator[Transcript]:
        yield from GAMES[:number]
        reached.set()
        assert may_go_on.wait(PATIENCE)
        yield from GAMES[number:]

    monkeypatch.setattr(importing, "read_transcripts", read)
    return reached, may_go_on


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (3, "3 games are in the new collection Cup. The rest was not read."),
        (0, "No game was imported. The rest was not read."),
    ],
)
def test_a_stopped_import_keeps_whole_games(
    window: Exploring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    """Games read before Stop are in the collection, each whole and found by position and pattern, and no others."""
    told = list[str]()
    monkeypatch.setattr(window.app, "notify", told.append)
    file = tmp_path / "Cup.txt"
    file.write_text("4444\n")
    reached, may_go_on = held_reading(monkeypatch, number)
    scene = window.explore()
    scene.import_file(file)
    window.until(reached.is_set)
    window.frames(2)
    assert window.widget("stop").is_visible and not window.widget("import").is_enabled
    window.click("stop")
    assert scene._import is not None
    may_go_on.set()
    window.until(lambda: scene._import is None)
    window.until_answered()
    assert [translated(words) for words in told] == [said]
    assert not window.widget("stop").is_visible and window.widget("import").is_enabled
    names = [path.name for path in folder_of(FOUR).iterdir()] if folder_of(FOUR).is_dir() else []
    assert names == (["Cup"] if number else [])
    if number:
        with closing(open_collections(FOUR)[0]) as made:
            assert [list(made.transcript(game).steps) for game in range(len(made))] == [
                list(one.steps) for one in GAMES[:number]
            ]
            assert made.positions == sum(len(one.steps) + 1 for one in GAMES[:number])
            assert sorted(path.name for path in made.path.glob("*.npy")) == [
                "changes-0001.npy", "ends-0001.npy", "games-0001.npy", "places-0001.npy",
            ]  # fmt: skip
        assert dict(window.turns) == {"4": number}


class TestSearch:
    def patterns(self, window: Exploring) -> PatternScene:
        window.click("search position")
        return window.scene_as(PatternScene)

    def found(self, window: Exploring) -> FoundScene:
        scene = window.scene_as(FoundScene)
        window.until(lambda: scene._has_answer and (scene.state is not None or not scene.games.entries))
        return scene

    def test_stones_and_anything_else(self, window: Exploring) -> None:
        """Two discs put by the mouse; the games are listed, and Enter opens one at its position."""
        window.collect()
        window.explore()
        scene = self.patterns(window)
        window.click(scene.view.cell_rect(3).center)
        window.click(scene.view.cell_rect(2).center)
        assert scene.editor.text == "?/?/?/?/?/??XX???"
        window.click("play")
        found = self.found(window)
        assert found._heading() == ("3 games with such a position", "The latest come first.")
        assert [row.players for row in found.games.entries] == [
            "Cleo against Bob",
            "Bob against Ann",
            "Ann against Cleo",
        ]
        assert found.games.entries[0].event == "Cup · after 3 turns"
        assert found.state == match_of(GAMES[3]).states[3]  # a mirror image
        window.press(pygame.K_DOWN)
        window.press(pygame.K_DOWN)
        window.until(lambda: found.state == match_of(GAMES[1]).states[3])
        window.press(pygame.K_RETURN)
        window.until(lambda: isinstance(window.app.scene, ReviewScene))
        review = window.scene_as(ReviewScene)
        assert review.turn == 3 and review.reviewed.names == ["Ann", "Cleo"]
        window.app.pop()
        window.press(pygame.K_ESCAPE)
        assert window.scene_as(PatternScene) is scene and scene.editor.text == "?/?/?/?/?/??XX???"

    def test_brushes_anything_and_empty(self, window: Exploring) -> None:
        window.collect()
        window.explore().play(0)
        window.until_answered()
        scene = self.patterns(window)
        window.click("start")
        assert scene.editor.text == "7/7/7/7/7/3X3"
        window.press(pygame.K_3)  # anything
        window.click(scene.view.cell_rect(0).center)
        assert scene.editor.text == "?6/?6/?6/?6/?6/?2X3"
        window.press(pygame.K_z, pygame.KMOD_CTRL)
        assert scene.editor.text == "7/7/7/7/7/3X3"
        window.click("clear")
        window.press(pygame.K_0)  # nothing
        window.click(scene.view.cell_rect(6).center)
        assert scene.editor.text == "/".join(["??????1"] * 6)
        scene._take(6)
        assert scene.picture().marks == dict.fromkeys(range(6), "?")

    def test_the_text_and_the_filters_count(self, window: Exploring) -> None:
        window.collect()
        scene = window.explore(wanted=Wanted(player="dan"))
        patterns = self.patterns(window)
        window.widget_as("text", TextField).write("9?")
        assert not window.widget("play").is_enabled
        window.widget_as("text", TextField).write("?")
        window.click("play")
        found = self.found(window)
        assert [row.players for row in found.games.entries] == ["Dan against Ann"]
        window.press(pygame.K_ESCAPE)
        patterns.editor.read("77?")
        patterns.play()
        found = self.found(window)
        assert found.games.entries == [] and found.games.empty_words == "No game has such a position."
        assert scene.explorer.searched is not None

    def test_own_matches_are_found(self, window: Exploring) -> None:
        window.add(played("connect-four", HUMAN, "minimax:easy", steps=100))
        window.explore(wanted=Wanted(OWN))
        patterns = self.patterns(window)
        patterns.play()
        found = self.found(window)
        assert [row.players for row in found.games.entries] == ["You against Easy"]
        window.press(pygame.K_RETURN)
        window.until(lambda: window.reviewed)

    def test_games_without_a_search_offer_none(self, window: Exploring) -> None:
        game = BUILT_IN["santorini"]
        replay = Replay(game)
        replay.play(replay.legal()[0])
        with closing(Collection(game, "one")) as collection:
            list(collection.add([replay.transcript()]))
        window.explore(start_of(game))
        assert not window.widget("search position").is_visible
        window.press(pygame.K_f, pygame.KMOD_CTRL)
        assert isinstance(window.app.scene, ExplorerScene)

    def test_a_collection_that_can_not_be_read_is_told(
        self, window: Exploring, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        window.collect()
        window.explore()
        patterns = self.patterns(window)

        def fails(*_: object) -> None:
            raise OSError("the disk is gone")

        monkeypatch.setattr(explorer_module, "search", fails)
        patterns.play()
        assert self.found(window).games.empty_words == "The collections can't be read: the disk is gone."

    def test_two_marked_cells_are_no_turn(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two cannons that fit are marked; no arrow joins them."""
        game = BUILT_IN["xiangqi"]
        replay = Replay(game)
        replay.play(*parse_turn(game.rules, replay.state, "h2e2"))
        with closing(Collection(game, "one")) as collection:
            list(collection.add([replay.transcript()]))
        arrows = list[object]()
        monkeypatch.setattr(pieces_base, "arrow", lambda *where: arrows.append(where))
        hands = Hands()
        scene = hands.show(ExplorerScene(hands.app, start_of(game)))
        hands.until(lambda: scene.explorer.is_up_to_date)
        scene.search()
        patterns = hands.scene_as(PatternScene)
        patterns.editor.read("?/?/?/?/?/?/?/1C2C4/?/?")
        patterns.play()
        found = hands.scene_as(FoundScene)
        hands.until(lambda: found.state is not None)
        hands.frames(2)
        picture = found._picture()
        assert len(picture.hint) == 2 and not arrows
        found.view.draw(hands.app.surface, replace(picture, hint_is_step=True))
        assert len(arrows) == 1
        hands.app.close()

    @LOOKS
    @pytest.mark.parametrize("name", ["connect-four", "xiangqi"])
    def test_nothing_is_cut_off(self, home: Path, size: tuple[int, int], scale: float, name: str) -> None:
        game = BUILT_IN[name]
        replay = Replay(game)
        replay.play(replay.legal()[0])
        with closing(Collection(game, "one")) as collection:
            list(collection.add([replay.transcript(players=("Somebody with a very long name", "Another"))] * 20))
        hands = Hands(size, scale=scale)
        scene = hands.show(ExplorerScene(hands.app, start_of(game)))
        hands.until(lambda: scene.explorer.is_up_to_date)
        hands.frames(2)
        scene.search()
        hands.frames(2)
        hands.check_layout()
        hands.scene_as(PatternScene).play()
        found = hands.scene_as(FoundScene)
        hands.until(lambda: found.state is not None)
        hands.check_layout()
        board = found.widgets.named("board")
        assert board is not None and min(board.rect.size) > scene.px(60)
        hands.app.close()


def test_the_opening_is_named(window: Exploring) -> None:
    match = start_of(BUILT_IN["othello"])
    scene = window.explore(match)
    window.until(lambda: scene.explorer.opening == "" and scene.explorer._opening.is_read)
    for cell in ("f5", "d6"):
        scene.explorer.play(parse_turn(match.rules, scene.explorer.state, cell))
        scene.explorer.settle()
        window.until_answered()
    assert scene._summary_in_words()[0] == "Perpendicular · 0 games with this position"
    scene.take_back()
    assert scene.explorer.opening == ""


def test_a_guess_of_the_encoding_is_asked_about(window: Exploring, tmp_path: Path) -> None:
    scene = window.explore(start_of(BUILT_IN["othello"]))
    file = tmp_path / "games.ggf"
    file.write_bytes("(;GM[Othello]PB[Jérôme]PW[Ann]TY[8]B[f5]W[d6];)".encode("cp1252"))
    scene.import_file(file)
    window.until(lambda: isinstance(window.app.scene, EncodingDialog))
    dialog = window.scene_as(EncodingDialog)
    assert dialog.names == "Jérôme · Ann" and dialog.encoding == "cp1252"
    window.check_layout()
    window.app.pop(dialog)
    assert scene._import is None, "cancelled"
    scene.import_file(file)
    window.until(lambda: isinstance(window.app.scene, EncodingDialog))
    window.press(pygame.K_RETURN)
    window.press(pygame.K_ESCAPE)
    dialog = window.scene_as(EncodingDialog)
    window.widget_as("encoding", Dropdown).choose("cp1251")
    assert dialog.names == "Jйrфme · Ann"
    window.click(dialog._buttons[-1].rect.center)
    window.until(lambda: window.told_games == ["Jйrфme against Ann"])


def test_reports_on_imports() -> None:
    progress = ImportProgress(stored=1, is_stopped=True)
    assert translated(added_in_words("a", progress)) == "1 game is in the new collection a. The rest was not read."
    repeated = ImportProgress(stored=2, known=1)
    assert translated(added_in_words("a", repeated)).endswith("the new collection a. 1 repeated game counts once.")
    refused = ImportProgress()
    refused.refused.add("Bad.", "x")
    assert translated(added_in_words("a", refused)) == "No game was imported. 1 was not imported:\nx: Bad."


def test_names_of_collections() -> None:
    assert new_name(Path("a/b*c?.sgf"), []) == "b c"
    assert new_name(Path("Cup.pgn"), ["cup", "Cup 2"]) == "Cup 3"
    assert new_name(Path("x" * 300), []) == "x" * 40


def test_entries(window: Exploring) -> None:
    """Only games that suit; the library opens the chosen match's game."""
    assert can_explore(played("othello")) and not can_explore(played("2048")) and not can_explore(played("catur-jawa"))
    window.add(played("othello"))
    window.show(LibraryScene(window.app, window.services, window.library_reader))
    window.until(lambda: len(window.titles) == 1)
    window.press(pygame.K_b, pygame.KMOD_CTRL)
    window.until(lambda: isinstance(window.app.scene, ExplorerScene))
    assert window.explorer.game.name == "othello"
    window.widget_as("explored game", Dropdown).choose("connect-four")
    window.until_answered()
    assert window.explorer.game is FOUR


def test_leaving_ends_the_work(window: Exploring) -> None:
    window.collect()
    window.show(LibraryScene(window.app, window.services, window.library_reader))
    scene = window.explore()
    worker = scene.worker
    window.press(pygame.K_ESCAPE)
    assert not isinstance(window.app.scene, ExplorerScene)
    assert worker.close(PATIENCE)


@LOOKS
@pytest.mark.parametrize("name", ["connect-four", "santorini"])
@pytest.mark.parametrize("has_games", [True, False])
def test_nothing_is_cut_off(home: Path, size: tuple[int, int], scale: float, name: str, has_games: bool) -> None:
    game, random = BUILT_IN[name], Random(1)
    if has_games:
        games = []
        for number in range(30):
            replay = Replay(game)
            while not replay.is_over and len(replay.steps) < 12:
                replay.play(random.choice(replay.legal()))
            names = "Somebody with a very long name indeed", "Another person"
            games.append(replay.transcript(players=names, payoffs=(1.0, -1.0), date=f"{1970 + number}.12.31"))
        with closing(Collection(game, "a collection with a rather long name")) as collection:
            list(collection.add(games))
    hands = Hands(size, scale=scale)
    scene = hands.show(ExplorerScene(hands.app, start_of(game)))
    hands.until(lambda: scene.explorer.is_up_to_date)
    hands.frames(2)
    hands.check_layout()
    assert scene._is_empty != has_games
    board = scene.widgets.named("board")
    assert board is not None and min(board.rect.size) > scene.px(60)
    hands.app.close()


def test_records_come_and_go(window: Exploring) -> None:
    """The line is copied as a record."""
    window.collect()
    scene = window.explore(match_of(GAMES[0]))
    copied: list[str] = []
    window.app.copy_text = copied.append  # type: ignore[method-assign, assignment]
    scene._copy_record()
    window.until(lambda: copied)
    assert copied == [write(scene.explorer.branch())]
