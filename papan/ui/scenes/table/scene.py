"""The table's scene: the board and everything around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from papan.game.presentation import cells_in_words
from papan.ui.boards import Picture
from papan.ui.drawing.theme import GAP, MARGIN, SMALLEST_PAGE
from papan.ui.play.session import Session
from papan.ui.scenes import IDLE_SECONDS, News, Scene, Stage, strip
from papan.ui.scenes.dialogs import Message, Reply, confirm
from papan.ui.scenes.playing import ChoiceCards
from papan.ui.scenes.services import ALONE, Services
from papan.ui.scenes.table.actions import TableActions
from papan.ui.scenes.table.bars import TableFoot, TableHeader
from papan.ui.scenes.table.column import TableAnalysis, TableColumn, TableSeats, TableTurns
from papan.ui.scenes.table.ending import TableEnding
from papan.ui.scenes.table.model import TableClock, TableModel
from papan.ui.scenes.table.showing import TableAnimation, TableSounds
from papan.ui.scenes.table.tension import TensionRow
from papan.ui.texts import _, translated
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.shortcuts import DIGITS, Shortcut

_TOP = 66
_SIDE_WIDE, _SIDE_NARROW = 360, 296
_NARROW_BELOW = 1180
_COMPACT_BELOW = 900
"""Pages narrower than this have a compact layout."""
_SIDE_COMPACT, _COMPACT_TOP, _COMPACT_FOOT, _COMPACT_GAP = 240, 60, 62, 8
_FOOT_MOST_WIDTH = 820

_THINKING_FRAME = 1 / 60
_LIVE_SECONDS = 0.12
_STUDYING_SECONDS = 0.1
_ELSEWHERE_SECONDS = 0.05
"""Seconds between two looks at the connection."""
_CLOCK_SECONDS = 0.1
"""Seconds between two updates while a clock runs."""


class TableScene(Scene):
    def __init__(self, stage: Stage, session: Session, services: Services = ALONE) -> None:
        super().__init__(stage)
        self.session = session
        self.match = session.match
        self.game = self.match.game
        self.model = model = TableModel(stage, self.widgets, session, services)
        self.view, self.words = model.view, model.words
        self.clock = TableClock(stage.settings, session)
        self.sounds = TableSounds(model)
        self.animation = TableAnimation(model, self.sounds)
        self.actions = TableActions(model)
        self.header = TableHeader(model, self.actions)
        self.foot = TableFoot(model, self.actions)
        self.seats = TableSeats(model)
        self.turns = TableTurns(model)
        self.ending = TableEnding(model, self.actions)
        self.analysis = TableAnalysis(model, self.actions)
        self.tension = TensionRow(model)
        self.column = TableColumn(model, self.seats, self.turns, self.ending, self.analysis)
        self._live_seconds = 0.0
        self._advised: object = None

    def build(self) -> None:
        model = self.model
        model.renew()
        self.view, self.words = model.view, model.words
        if model.study is not None:
            model.study.rename(self.words.names)
        in_words = partial(cells_in_words, self.match.game)
        board = BoardWidget(self.view, self.picture, self._point, self._point_by_arrow, in_words=in_words)
        self._board = self.widgets.add(board)
        # The order of adding is the Tab order.
        self.foot.build()
        self.turns.build()
        self.seats.build()
        self.foot.build_for_end(self.ending.play_again)
        self.header.build(self.back, self.toggle_analysis, self.turn_board)
        self.ending.build()
        self.column.build()
        self.analysis.build()
        self.header.saving.build()
        self.tension.build()
        self._choices = ChoiceCards(self.widgets, self._board, self.view, self.session)
        self.widgets.focus(self._board)
        self._refresh()

    def page_height(self, width: int) -> int:
        return self.px(SMALLEST_PAGE[1])

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        self.header.place(area)
        if area.w < px(_COMPACT_BELOW):  # the status line in the full width
            gap = px(_COMPACT_GAP)
            width, height = area.w - 2 * px(MARGIN), area.bottom - gap - px(_COMPACT_TOP)
            room = pygame.Rect(px(MARGIN), px(_COMPACT_TOP), width, height)
            foot, room = strip(room, "bottom", px(_COMPACT_FOOT), gap)
            side, board = strip(room, "right", px(_SIDE_COMPACT), gap)
        else:
            gap = px(GAP)
            width, height = area.w - 2 * px(MARGIN), area.bottom - px(MARGIN) - px(_TOP)
            room = pygame.Rect(px(MARGIN), px(_TOP), width, height)
            side, room = strip(room, "right", px(_SIDE_NARROW if area.w < px(_NARROW_BELOW) else _SIDE_WIDE), gap)
            foot, board = strip(room, "bottom", px(68), gap)
            foot.w = min(room.w, px(_FOOT_MOST_WIDTH))
            foot.centerx = room.centerx
        self.column.place(side)
        self.foot.place(foot)
        self._choices.place(self.analysis.place_bar(self.tension.place(board)))

    def enter(self) -> None:
        if self.session.turn.due == "settling":
            self.session.begin()
        self._refresh()

    def leave(self) -> None:
        self.clock.save()
        self.ending.stop()
        self.model.advice.close()
        self.tension.close()
        if self.model.study is not None:
            self.model.study.close()
        self.session.close()

    def dismantle(self) -> None:
        for part in (self.analysis, self.model):  # they hold large objects
            vars(part).clear()
        super().dismantle()

    @property
    def is_animating(self) -> bool:
        return self.session.showing is not None or self.ending.replay is not None

    @property
    def _is_searching(self) -> bool:
        return (self.session.turn.due == "thinking" and not self.session.is_remote) or self.session.is_hinting

    @property
    def _clock_runs(self) -> bool:
        return self.session.clock is not None and self.session.clock.running is not None

    @property
    def idle_seconds(self) -> float:
        if self.session.is_online:
            return _ELSEWHERE_SECONDS
        if self._is_searching:
            return _THINKING_FRAME
        if self._clock_runs:
            return _CLOCK_SECONDS
        return _STUDYING_SECONDS if self.analysis.is_busy else IDLE_SECONDS

    def update(self, seconds: float) -> None:
        steps, online = len(self.match.steps), self.model.online
        was_asked = online is not None and online.is_asked
        self.session.tick(is_seen=self.stage.scene is self)
        if online is not None:
            if len(self.match.steps) < steps:
                self.stage.play_sound("taken back")
            elif online.is_asked and not was_asked:
                self.stage.play_sound("hint")
            for notice in online.take_notices():
                self.stage.notify(notice)
        self.animation.update(seconds)
        session, advice = self.session, self.model.advice
        advice.look(is_persons=session.turn.due in ("choosing", "completing"))
        advice.explain(session.hinted[0] if session.hinted else None)
        if advice.version != self._advised:
            self._advised = advice.version
            self.invalidate()
        self.clock.update()
        if self.ending.update(seconds):
            self.layout(self.area)
            self.invalidate()
        self.foot.pass_time(seconds)
        self._live_seconds += seconds
        if (self._is_searching or self._clock_runs) and self._live_seconds >= _LIVE_SECONDS:
            self._live_seconds = 0.0
            self.seats.show()
        self._refresh()
        self.sounds.update()
        self.header.update(self.area)
        self.analysis.update(seconds)
        self.tension.update()
        if self.session.passes_to is not None and self.stage.scene is self:
            name = self.words.names[self.session.passes_to]
            self.stage.push(HandOver(self.stage, name, self.session.take_screen, self.back))
        if self.session.trouble and self.stage.scene is self:
            trouble, self.session.trouble = self.session.trouble, None
            self.stage.push(Message(self.stage, _("Something went wrong"), translated(trouble), icon="warning"))

    def _refresh(self) -> None:
        if self.model.has_changed():
            self.view.shows_all_hands = self.model.online is not None and self.model.online.is_revealed
            self.turns.show()
            self.seats.show()
            self.foot.show()
            self.tension.show()
            self._choices.offer()
            self.invalidate()

    def picture(self) -> Picture:
        session, turn, replay = self.session, self.session.turn, self.ending.replay
        moving = self.animation.moving
        if moving is not None:
            return Picture(moving.before, moving=moving)
        if replay is not None and replay.picture is not None:
            return replay.picture
        hint = () if session.hint is None else self.match.rules.cells(self.match.state, session.hint)
        shows_targets = self.stage.settings.show_legal_steps and session.passes_to is None
        return Picture(
            session.visible_state(self.match.state),
            targets=turn.targets() if shows_targets else frozenset(),
            chosen=turn.pointed[0] if turn.pointed else None,
            last=session.last_cells,
            hint=hint,
            marks=self.analysis.cell_scores(),
        )

    def news(self) -> Sequence[News]:
        """The last turn, and what the status line asks of a person or says at the end."""
        due = self.session.turn.due
        is_told = self.session.showing is None and due not in ("thinking", "settling", "animating")
        is_told = is_told or self.session.told is not None
        view = self.foot.view()
        return (
            News(translated(self.match.game.title)),
            self.turns.news(),
            News(f"{view.request}. {view.detail}" if is_told else ""),
            self.tension.news() if is_told else News(""),
            *([self.words.online.news()] if self.words.online is not None else []),
        )

    def draw(self, surface: pygame.Surface) -> None:
        for part in (self.header, self.foot, self.ending, self.tension):
            part.draw(surface)

    def _point(self, cell: int) -> None:
        if self.animation.cut_short() or self.ending.skip():
            return
        refusal = self.session.point(cell)
        self.sounds.pointed(refusal)
        self.foot.refuse(refusal)
        self._refresh()
        self.invalidate()

    def _point_by_arrow(self, cell: int) -> None:
        """Point at *cell* by an arrow key that plays at once, without waiting for animations."""
        self.animation.skip_all()
        self._point(cell)

    def key_first(self, event: pygame.event.Event) -> bool:
        """End the replay of the last turn on any key that does not leave the table."""
        leaves = event.key in (pygame.K_ESCAPE, pygame.K_TAB)  # the scene, or the widget
        return super().key_first(event) or (not leaves and self.ending.skip())

    def _confirm(self) -> bool:
        """Confirm a waiting turn; return False if there is none, or the focus is not on the board."""
        if self.session.turn.due != "confirming" or self.widgets.focused not in (self._board, None):
            return False
        self.session.turn.confirm()
        return True

    def turn_board(self) -> None:
        self.session.outlook = (self.view.outlook + 1) % self.view.outlooks
        self._board.look(self.session.outlook)
        self.layout(self.area)

    def toggle_analysis(self) -> None:
        self.analysis.switch()
        self.layout(self.area)
        self.invalidate()

    @property
    def has_company(self) -> bool:
        return self.words.online is not None and bool(self.leaving)

    @property
    def leaving(self) -> str:
        if self.session.turn.due in ("over", "watching"):
            return ""
        if self.words.online is not None:
            return self.words.online.leaving()
        is_missed = bool(self.match.steps) and not self.session.is_remote
        return _("The match on the board is kept: go on with it from home.") if is_missed else ""

    def back(self) -> None:
        if self.session.turn.pointed:
            self.session.turn.let_go()
        elif self.has_company:
            leave = partial(self.stage.pop, self)
            confirm(self.stage, _("Leave the table?"), self.leaving, _("Leave"), leave, _("Stay"))
        else:
            self.stage.pop(self)

    def shortcuts(self) -> Sequence[Shortcut]:
        session, actions, reply = self.session, self.actions, self.foot.reply
        playing, looking, match = _("Playing"), _("Viewing"), _("The match")
        is_online, is_here = self.model.online is not None, self.model.online is None
        has_proof = self.model.has_proof and self.stage.settings.engine_details
        has_pause = session.clock is not None or not all(session.turn.is_person)
        no_help = _("hints and analysis: in Review, after the match")
        yes, no = partial(reply, agrees=True), partial(reply, agrees=False)
        keys = [
            (True, Shortcut("Enter", _("confirm the turn"), self._confirm, comes_first=True)),
            (True, Shortcut("Enter  Space", _("skip the animation"), self.animation.cut_short)),
            (True, Shortcut(DIGITS, _("choose an option by its number"), self._choices.choose_place)),
            (
                is_here and self.tension.is_on,
                Shortcut(DIGITS, _("say how tense the turn was, 1 to 5"), self.tension.answer),
            ),
            (is_here, Shortcut("Ctrl+Z", _("undo"), actions.take_back, playing)),
            (is_here, Shortcut("Ctrl+Y  Ctrl+Shift+Z", _("redo"), actions.play_again, playing)),
            (is_here, Shortcut("Ctrl+H", _("hint"), session.ask_hint, playing)),
            (is_online, Shortcut("Ctrl+Z", _("ask to take back a turn"), actions.take_back, playing)),
            (is_online, Shortcut("Ctrl+Enter", _("say Yes to what is asked"), yes, playing, comes_first=True)),
            (is_online, Shortcut("Ctrl+Del", _("say No to what is asked"), no, playing, comes_first=True)),
            (True, Shortcut("Ctrl+D", _("offer a draw"), actions.offer_draw, playing)),
            (is_here, Shortcut("Ctrl+X", _("swap sides"), actions.swap_sides, playing)),
            (is_here and session.is_remote, Shortcut("Ctrl+L", _("send my move"), actions.send, playing)),
            (True, Shortcut("Ctrl+G", _("resign"), actions.resign, playing)),
            (is_online, Shortcut("Ctrl+K", _("say something"), self.foot.open_phrases, playing)),
            (is_online, Shortcut("Ctrl+H  Ctrl+A  F3", no_help, session.ask_hint, looking)),
            (is_here, Shortcut("Ctrl+A", _("analysis on or off"), self.toggle_analysis, looking)),
            (
                is_here and has_proof,
                Shortcut("Ctrl+W", _("winning chance from proof numbers, on or off"), actions.toggle_proof, looking),
            ),
            (is_here and actions.can_explain, Shortcut("F3", _("why this move?"), actions.explain, looking)),
            (True, Shortcut("Ctrl+R", _("review what has been played"), actions.open_review, looking)),
            (True, Shortcut("Ctrl+T", _("flip the board"), self.turn_board, looking)),
            (actions.can_explore, Shortcut("Ctrl+B", _("explore what others played"), actions.explore, looking)),
            (True, Shortcut("F2", _("the rules"), actions.show_rules, looking)),
            (is_here, Shortcut("Ctrl+N", _("new game"), actions.new_game, match)),
            (is_here, Shortcut("Ctrl+E", _("new match from here"), actions.branch, match)),
            (is_here, Shortcut("Ctrl+U", _("set up a position from here"), actions.set_up, match)),
            (True, Shortcut("Ctrl+S", _("save a picture"), actions.save_picture, match)),
            (actions.can_copy, Shortcut("Ctrl+C", _("copy the record"), partial(actions.act, "copy"), match)),
            (True, Shortcut("F10", _("more: resign, draws, pictures …"), actions.open, match)),
            (is_here and has_pause, Shortcut("Ctrl+P", _("pause, or go on"), actions.pause_or_go_on, playing)),
        ]
        return [shortcut for applies, shortcut in keys if applies]


class HandOver(Message):
    """Hides all hands until the next person at a shared screen is ready; Esc leaves the table."""

    def __init__(self, stage: Stage, name: str, take: Callable[[], object], leave: Callable[[], object]) -> None:
        """:param name: the next person's.
        :param take: called once that person is ready.
        :param leave: called on Esc.
        """
        title = _("Pass the screen to {name}").format(name=name)
        text = _("The next hand is shown as soon as {name} is ready.").format(name=name)
        super().__init__(stage, title, text, [Reply(_("{name} is ready").format(name=name), take, kind="primary")])
        self._leave = leave

    def back(self) -> None:
        super().back()
        self._leave()
