"""A match by letter in the window: two persons, each with a program of their own, and a clipboard between them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pygame
import pytest

from papan.ai.players import HUMAN, LETTER
from papan.game.catalogue import GAMES
from papan.game.match import Conclusion
from papan.ui.play import letter_session
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.join import JoinScene
from papan.ui.scenes.library.scene import LibraryScene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.table import TableScene
from papan.ui.window import system
from papan.ui.window.program import Program
from tests.ui.hands import Hands
from tests.ui.window.test_program import ended

FOUR = GAMES["connect-four"]


class AtProgram(Hands):
    """Hands at the whole program."""

    def __init__(self, program: Program) -> None:
        self.app = program.app
        self.program = program
        self.app.settings.animation = "off"
        self.frames(2)

    @property
    def table(self) -> TableScene:
        return self.scene_as(TableScene)

    @property
    def steps(self) -> list[int]:
        return list(self.table.match.steps)

    def click_column(self, column: int) -> None:
        cell = FOUR.rules.cells(self.table.match.state, column)[0]
        self.click(self.table.view.cell_rect(cell).center)

    def send(self) -> str:
        """Press the button that sends; return what is on the clipboard."""
        self.until(lambda: self.table.session.has_unsent)
        self.frames(2)
        self.click("main")
        self.scene_as(Message).back()
        self.frames(2)
        return system.clipboard_text()

    def paste(self) -> None:
        self.press(pygame.K_v, pygame.KMOD_CTRL)

    def until_table(self, steps: int) -> None:
        self.until(
            lambda: (
                isinstance(self.app.scene, TableScene) and len(self.steps) == steps and not self.table.session.showing
            ),
            "the table",
        )
        self.frames(2)

    def say_nothing_more(self) -> str:
        """The text of the message that is shown, once there is one."""
        self.until(lambda: isinstance(self.app.scene, Message), "the message")
        return self.scene_as(Message).text


@pytest.fixture
def clipboard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was copied, the last text at the end."""
    copied = [""]

    def copy(text: str) -> bool:
        copied.append(text)
        return True

    monkeypatch.setattr(system, "copy_to_clipboard", copy)
    monkeypatch.setattr(system, "clipboard_text", lambda: copied[-1])
    return copied


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    return {name: tmp_path / name for name in ("ana", "bo")}


@contextmanager
def program_of(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AtProgram]:
    monkeypatch.setenv("PAPAN_HOME", str(home))
    with ended(Program(size=(1280, 800))) as program:
        yield AtProgram(program)


def test_two_persons_play_by_the_clipboard(
    homes: dict[str, Path], clipboard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with program_of(homes["ana"], monkeypatch) as ana:
        form = ana.show(NewGameScene(ana.app, FOUR, ana.program.services))
        form.options_panel.turn(is_open=False)
        ana.click("seat 2")
        ana.click("more opponents")
        ana.click(f"card {LETTER}")
        form.choices.options["first"] = "1"
        ana.click("start")
        ana.until_table(0)
        assert ana.table.match.seats == [HUMAN, LETTER]
        ana.click_column(3)
        first = ana.send()

    with program_of(homes["bo"], monkeypatch) as bo:
        bo.paste()
        bo.until_table(1)
        assert bo.table.match.seats == [LETTER, HUMAN]
        bo.click_column(4)
        answer = bo.send()
        clipboard.append(first)
        bo.paste()
        bo.until(lambda: "answered already" in bo.app.notice, "the notice")
        assert bo.steps == [3, 4]

    with program_of(homes["ana"], monkeypatch) as ana:
        clipboard.append(answer)
        ana.paste()
        ana.until_table(2)
        assert ana.table.session.turn.due == "choosing"
        assert not ana.table.session.turn.can_undo
        ana.click_column(3)
        ana.until(lambda: ana.table.session.has_unsent)
        ana.app.pop()
        ana.frames(2)
        assert ana.program.writer.flush(30)
        past = ana.program.services.past_matches
        assert past is not None and [one.standing for one in past.unfinished(5)] == ["your move is not sent yet"]
        [waiting] = ana.program.library.unfinished()
        ana.program.open_match(waiting, None)
        ana.until_table(3)
        assert clipboard[-1] != ana.send()
        changes = past.changes
        ana.app.pop()
        assert ana.program.writer.flush(30) and past.changes >= changes
        [told] = past.unfinished(5)
        assert "sent" not in told.standing and "to move" in told.standing


def test_a_deleted_matchs_letters_go_a_day_later(
    homes: dict[str, Path], clipboard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    letter_of(homes["ana"], 3, monkeypatch)
    [file] = (homes["ana"] / "data" / "letters").iterdir()
    os.utime(file, (1e9, 1e9))
    with program_of(homes["ana"], monkeypatch) as ana:
        tidied: list[bool] = []
        ana.program.services.replayer.submit(lambda: tidied.append(True))
        ana.until(lambda: tidied, "the tidying")
        assert file.exists()
        [match] = ana.program.library.unfinished()
        ana.program.library_reader.delete([match.id])
    with program_of(homes["ana"], monkeypatch) as ana:
        ana.until(lambda: not file.exists(), "the tidying")


def test_a_file_is_dropped_and_a_link_comes_from_the_system(
    homes: dict[str, Path], clipboard: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with program_of(homes["ana"], monkeypatch) as ana:
        ana.program.start_match(FOUR, [HUMAN, LETTER], {"first": "1"})
        ana.frames(2)
        ana.click_column(2)
        ana.until(lambda: ana.table.session.has_unsent)
        ana.frames(2)
        ana.click("main")
        ana.scene_as(Message)._answer_with(ana.scene_as(Message).replies[0])
        [file] = (homes["ana"] / "documents").glob("*.papan-letter")
        assert file.read_text() == clipboard[-1]
    named, unnamed = tmp_path / "a.papan-letter", tmp_path / "mail.txt"
    named.write_text(clipboard[-1])
    unnamed.write_text(f"Hi Bo,\n{clipboard[-1]}\n")

    with program_of(homes["bo"], monkeypatch) as bo:
        for dropped in (str(named), str(unnamed), clipboard[-1]):
            if dropped != str(unnamed):  # where records are imported, only what says by its name that it is a letter
                bo.app.push(LibraryScene(bo.app, bo.program.services, bo.program.library_reader))
            bo.event(pygame.DROPFILE, file=dropped)
            bo.until_table(1)
            assert bo.table.session.turn.due == "choosing"
            bo.app.pop()
        bo.app.push(LibraryScene(bo.app, bo.program.services, bo.program.library_reader))
        bo.paste()
        bo.until_table(1)
        bo.app.pop()

        clipboard.append("papan:AQ")
        bo.paste()
        assert "cut off" in bo.say_nothing_more()
        bo.app.pop()
        named.write_text("nothing")
        bo.event(pygame.DROPFILE, file=str(named))
        assert "There is no letter here" in bo.say_nothing_more()


def test_games_that_dont_suit_say_why_in_the_form(
    homes: dict[str, Path], clipboard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with program_of(homes["ana"], monkeypatch) as ana:
        form = ana.show(NewGameScene(ana.app, GAMES["catur-jawa"], ana.program.services))
        form.choices.seats = 2
        form.choices.players[:2] = [HUMAN, LETTER]
        ana.click("start")
        assert "hidden cards" in form.error
        offered = [choice.name for choice in ana.program.services.player_choices(GAMES["2048"])]
        assert LETTER not in offered


def test_a_branch_is_played_at_this_screen(
    homes: dict[str, Path], clipboard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with program_of(homes["ana"], monkeypatch) as ana:
        ana.program.start_match(FOUR, [HUMAN, LETTER], {"first": "1"})
        ana.frames(2)
        ana.click_column(2)
        ana.until(lambda: ana.table.session.has_unsent)
        ana.table.actions.branch()
        assert ana.table.match.seats == [HUMAN, HUMAN] and not ana.table.session.is_remote
        assert isinstance(ana.app.scenes[0], HomeScene)


def test_a_draw_is_offered_and_accepted_by_keys_and_names_are_shown(
    homes: dict[str, Path], clipboard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_session, "person_name", lambda: "Ana")
    with program_of(homes["ana"], monkeypatch) as ana:
        ana.program.start_match(FOUR, [HUMAN, LETTER], {"first": "1"})
        ana.frames(2)
        ana.press(pygame.K_d, pygame.KMOD_CTRL)
        assert "will offer a draw" in ana.app.notice
        ana.click_column(2)
        ana.until(lambda: ana.table.session.has_unsent)
        ana.frames(2)
        ana.press(pygame.K_l, pygame.KMOD_CTRL)
        assert "characters" in ana.scene_as(Message).text
        ana.app.pop()
        ana.press(pygame.K_g, pygame.KMOD_CTRL)  # nothing can be resigned before the answer
        assert isinstance(ana.app.scene, TableScene)

    with program_of(homes["bo"], monkeypatch) as bo:
        bo.paste()
        bo.until_table(1)
        assert bo.table.words.names[0] == "Ana"
        assert bo.table.foot.view().request == "A draw is offered to you"
        assert "Accept the draw" in [item.label for item in bo.table.actions.items()]
        bo.press(pygame.K_d, pygame.KMOD_CTRL)
        assert bo.table.match.conclusion == Conclusion("agreed")
        assert bo.send() != clipboard[1]


def letter_of(home: Path, column: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """The first letter of somebody whose folder is *home*."""
    with program_of(home, monkeypatch) as other:
        other.program.start_match(FOUR, [HUMAN, LETTER], {"first": "1"})
        other.frames(2)
        other.click_column(column)
        return other.send()


def test_a_letter_does_not_take_a_match_away_unasked(
    homes: dict[str, Path], clipboard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who stays finds the letter's match at home, with its turn."""
    letter_of(homes["ana"], 3, monkeypatch)
    with program_of(homes["bo"], monkeypatch) as bo:
        bo.program.start_match(FOUR, [HUMAN, HUMAN], {"first": "1"})
        bo.frames(2)
        bo.click_column(5)
        table = bo.table
        bo.paste()
        assert "kept" in bo.say_nothing_more()
        bo.press(pygame.K_RETURN)  # Stay
        bo.frames(2)
        assert bo.table is table and bo.steps == [5]
        assert bo.program.writer.flush(30)
        past = bo.program.services.past_matches
        assert past is not None and "your move" in [one.standing for one in past.unfinished(5)]
        bo.paste()
        bo.say_nothing_more()
        bo.click("Leave")
        bo.until_table(1)
        assert bo.steps == [3] and bo.table.session.turn.due == "choosing"
        bo.app.pop()
        assert bo.program.writer.flush(30)
        waiting = bo.program.library.unfinished()
        assert sorted(one.seats for one in waiting) == [(HUMAN, HUMAN), (LETTER, HUMAN)]


def test_a_letter_of_a_match_at_home_asks_too(
    homes: dict[str, Path], clipboard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    letter_of(homes["ana"], 3, monkeypatch)
    with program_of(homes["bo"], monkeypatch) as bo:
        bo.paste()
        bo.until_table(1)
        bo.program.start_match(FOUR, [HUMAN, HUMAN], {"first": "1"})
        bo.frames(2)
        bo.paste()  # nothing is played here yet
        bo.until_table(1)
        assert bo.table.match.seats == [LETTER, HUMAN]
        bo.program.start_match(FOUR, [HUMAN, HUMAN], {"first": "1"})
        bo.frames(2)
        bo.click_column(5)
        bo.paste()
        bo.say_nothing_more()
        bo.click("Leave")
        bo.until(lambda: bo.table.match.seats == [LETTER, HUMAN] if isinstance(bo.app.scene, TableScene) else False)


def test_an_invitation_does_not_take_a_match_away_unasked(
    homes: dict[str, Path], clipboard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with program_of(homes["bo"], monkeypatch) as bo:
        bo.program.start_match(FOUR, [HUMAN, HUMAN], {"first": "1"})
        bo.frames(2)
        bo.click_column(5)
        bo.event(pygame.DROPFILE, file="papan:join/000000000-000000000-000000000")
        bo.say_nothing_more()
        bo.click("Leave")
        assert isinstance(bo.app.scene, JoinScene)
