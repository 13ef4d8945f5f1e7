"""The review of a match, turn by turn, with marks, a coach, and lines that were not played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from papan.game.formats import written_date
from papan.game.match import Match
from papan.game.match.library import Origin
from papan.game.presentation import cells_in_words
from papan.ui.boards import Picture
from papan.ui.drawing.theme import SeatStyle
from papan.ui.play.explorer import can_explore
from papan.ui.play.inquiry import ReviewTask
from papan.ui.play.opening import MatchOpening
from papan.ui.play.playback import Playback, Walk
from papan.ui.play.reasons import can_explain, decisions_seen
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes import PILL_GAP, TITLE_LEFT, HeaderScene, News, Stage, turn_button
from papan.ui.scenes.playing import reviewed_board
from papan.ui.scenes.review.charts import Content, ReviewCharts, ReviewPicture
from papan.ui.scenes.review.numbers import NumbersPanel
from papan.ui.scenes.review.panels import CoachPanel, ReviewLayout
from papan.ui.scenes.review.walking import ReviewBoard, Transport
from papan.ui.scenes.review.words import ReviewWords
from papan.ui.scenes.saving import PictureSaving, copy_record, save_in_words
from papan.ui.scenes.services import ALONE, Services
from papan.ui.texts import _, translated
from papan.ui.texts.manner import tells_details
from papan.ui.widgets.board import StillBoard
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.chart import Chart
from papan.ui.widgets.readouts import AccuracyBoxes, PlayerAccuracy
from papan.ui.widgets.shortcuts import Shortcut
from papan.ui.widgets.turn_lists import JudgedTurn, JudgedTurns, draw_opening

_PADDING = 16
_WORKING_SECONDS = 0.1
_REFRESH_SECONDS = 0.25
_REFRESH_A_TURN = 0.0008
"""Seconds per turn of the match between two updates of the charts: long matches update less often."""
_CHARTS = 3


class ReviewScene(HeaderScene):
    def __init__(
        self,
        stage: Stage,
        match: Match,
        viewer: int | None = None,
        services: Services = ALONE,
        number: int | None = None,
    ) -> None:
        """:param viewer: the seat whose cards are shown while the match is unfinished; default: none.
        :param number: the match's number in the library, if known.

        :raises papan.ui.boards.BoardError: the game's board can't be shown.
        """
        super().__init__(stage)
        self._services = services
        self._number = number
        self.game = match.game
        self.reviewed = ReviewedMatch(match, viewer)
        self.view = reviewed_board(self.reviewed, self.paint)
        self.walk = Walk(self.reviewed, self.view.duration, lambda: stage.animation_speed)
        self.walk.go_to(self.reviewed.turns)
        self._place: object = None
        """``walk.place`` when it was last shown."""
        self.shows_numbers = False
        """Whether the numbers for researchers replace the coach."""
        self.words = ReviewWords(self.reviewed)
        self.shown_board = ReviewBoard(self.words, self.walk)
        self.review_charts = ReviewCharts(self.reviewed, self.words, self.view)
        self.task = ReviewTask(self.reviewed.match, services.reviewer)
        self._numbers = NumbersPanel(self.reviewed, self.words, self.review_charts, services.replayer)
        self._opening = MatchOpening(self.reviewed.match, services.replayer)
        self._shown_opening = ""
        self.places = ReviewLayout()
        self._since_refresh = 0.0
        self._was_working = True
        self._stale: list[int] = []
        """The indices of the charts to update."""

    def build(self) -> None:
        super().build()
        self.title = _("Review")
        self.words.forget_language()
        self._turn_names = [self.reviewed.turn_name(number + 1) for number in range(self.reviewed.turns)]
        add = self.widgets.add
        in_words = partial(cells_in_words, self.reviewed.match.game)
        self._board = add(StillBoard(self.view, self.picture, self.walk.turn_by, in_words))
        tooltip = _(
            "How good the turns were: 100 % means that no turn lost any winning chance (formula from lichess.org)."
        )
        self._accuracy = add(AccuracyBoxes(tooltip))
        self._turns = add(JudgedTurns(len(self.reviewed.names), self.walk.go_to, self._style))
        acts = self.walk_line, self._try_it, self._exercise, self._switch_numbers
        self._coach = CoachPanel(self.paint, self.widgets, *acts)
        self._numbers.build(self.paint, self.widgets, self.walk.go_to, self._switch_numbers, self.tell_by_proof)
        self._numbers.show_measure(is_by_proof=self._is_by_proof)
        self.shows_numbers = self.shows_numbers and tells_details()
        self._better = add(Chart("better", self.walk.go_to))
        self._better.beside = _("Who is better")
        self._transport = Transport(self.paint, self.widgets, self.walk, self.words)
        self._turn = add(turn_button(self.view, self._turn_board))
        self._why = add(Button(_("Why?"), self.explain, icon="bars", name="why", tooltip=_("Why this move?")))
        self._why.enable(bool(decisions_seen(self.reviewed)))
        self._why.show(can_explain(self.reviewed.match.game, self.reviewed.states[0]))
        tooltip = _("What was played here in collections of games")
        self._explore = add(Button(_("Explore"), self.explore, icon="library", name="explore", tooltip=tooltip))
        self._explore.show(can_explore(self.reviewed.match))
        self._save = add(Button(_("Save picture"), self._save_picture, sign="save", name="save"))
        self._copy = add(Button(_("Copy record"), self._copy_record, sign="copy", name="copy"))
        self._branch = add(Button(_("Play on from here"), self._play_on, sign="play", kind="primary", name="branch"))
        self.widgets.focus(self._transport.slider)
        self._show_marks()
        self._show_turn()
        for index in range(_CHARTS):
            self._show_chart(index)

    def page_height(self, width: int) -> int:
        return self.places.page_height(self.paint, width)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        places = self.places
        places.lay_out(self.paint, area)
        self.place_in_header(area, (self._branch, self._why, self._explore, self._copy, self._save, self._turn))
        room = self.header_right - self.px(TITLE_LEFT + PILL_GAP + 24) - self.paint.width(self.title, "title")
        full = self.reviewed.subtitle()
        fits = self.paint.width(full, "small strong") <= room
        self.pill = full if fits else self.reviewed.short_subtitle()
        self._board.place(places.board_inside(self.paint))
        boxes = self._accuracy.height_for(len(self.reviewed.names))
        places.divide_turns(self.paint, boxes)
        self._accuracy.place(places.accuracy)
        self._turns.place(places.list)
        self._coach.place(places.coach)
        self._numbers.place(places.numbers)
        self._better.place(places.chart)
        self._transport.place(places.bar)
        self._show_panels()

    @property
    def _shows_coach(self) -> bool:
        return not self.shows_numbers or self.places.is_narrow

    def _show_panels(self) -> None:
        for widget in (self._accuracy, self._turns):
            widget.show(not self.shows_numbers)
        self._coach.set_visible(self._shows_coach)
        self._numbers.set_visible(self.shows_numbers)
        self.invalidate()

    def enter(self) -> None:
        if not self.task.has_begun:
            self.task.start()
            self._numbers.tell_by_proof(self._is_by_proof)

    @property
    def _is_by_proof(self) -> bool:
        """Whether winning chances come from proof numbers."""
        return self._numbers.has_proof and tells_details() and self.stage.settings.chance_by_proof

    def leave(self) -> None:
        self.task.stop()
        self._numbers.instruments.stop()

    @property
    def is_animating(self) -> bool:
        return self.playback.showing is not None

    @property
    def idle_seconds(self) -> float:
        if self.playback.is_playing:
            return min(self.playback.pause, _WORKING_SECONDS)
        return _WORKING_SECONDS if self._was_working or self._numbers.is_working else super().idle_seconds

    def update(self, seconds: float) -> None:
        if self.playback.update(seconds):
            self.invalidate()
        if self._place != self.walk.place:
            self._show_turn()
        if self._shown_opening != self._opening.name:
            self._shown_opening = self._opening.name
            self.invalidate()
        self._since_refresh += seconds
        is_due = self._since_refresh >= max(_REFRESH_SECONDS, _REFRESH_A_TURN * self.reviewed.turns)
        if self._was_working and (is_due or not self.task.is_working):
            self._since_refresh = 0.0
            self._was_working = self.task.is_working
            self.words.review, self.words.trouble = self.task.review, self.task.trouble
            self._stale = list(range(_CHARTS))
            self._show_marks()
            self._show_turn()
        if self._numbers.update(seconds, self.turn):
            self._stale = list(range(_CHARTS))
            self._show_turn()
        if self._stale and self.playback.showing is None:
            self._show_chart(self._stale.pop(0))  # one per frame, as drawing takes long

    @property
    def turn(self) -> int:
        """The turn of the match; while a line is shown, the turn that it replaces."""
        return self.walk.turn

    @property
    def playback(self) -> Playback:
        return self.walk.playback

    def _show_chart(self, index: int) -> None:
        progress = self.words.progress(self._was_working) if index == 0 else ""
        chart = self._numbers.charts[index - 1] if index else self._better
        chart.show_graph(self.review_charts.graph(index, progress))

    def _show_marks(self) -> None:
        theme = self.theme
        amber = theme.seats[2].ink
        inks = {"!": theme.good_ink, "!!": theme.good_ink, "??": theme.bad_ink, "?": amber, "?!": amber}
        stops, moments = self.reviewed.stops[1:], self.words.review.moments[1:] if self.words.review else ()
        marks = [moment.mark for moment in moments] + [""] * (len(stops) - len(moments))
        turns = zip(stops, self._turn_names, marks, strict=False)
        self._turns.show_turns([JudgedTurn(stop.seat or 0, name, mark, inks.get(mark)) for stop, name, mark in turns])
        state, players = self.reviewed.states[-1], []
        for seat, name in enumerate(self.reviewed.names):
            emblem = self.view.seat_emblem(state, seat)
            note = translated(self.reviewed.match.rules.seat_note(state, seat)[0])
            if note.casefold() == name.casefold():
                note = ""  # an unknown player is called by the seat's name
            players.append(PlayerAccuracy(self._style(seat), name, self.words.accuracy(seat), emblem, note))
        self._accuracy.change(players=players)

    def _style(self, seat: int) -> SeatStyle:
        """Return the style of *seat* at the end, as in some games it is chosen during the match."""
        return self.view.seat_style(self.reviewed.states[-1], seat)

    def _show_turn(self) -> None:
        turn = self.turn
        self._place = self.walk.place
        self._transport.show_turn()
        self._turns.choose(turn)
        self._better.show_turn(turn)
        self._numbers.show_turn(turn, self.words.values(turn))
        self._coach.show(
            self.words.advice(turn), len(self.words.first_exercises()), is_in_line=self.walk.line is not None
        )
        self._coach.set_visible(self._shows_coach)
        can_branch = self.walk.line is None and self.reviewed.can_branch(turn)
        self._branch.enable(can_branch and self._services.go_on_with is not None)
        self.invalidate()

    def picture(self) -> Picture:
        return self.shown_board.picture(self.view)

    def draw(self, surface: pygame.Surface) -> None:
        paint, places = self.paint, self.places
        super().draw(surface)
        paint.panel(surface, places.board)
        if not self.shows_numbers:
            paint.panel(surface, places.turns)
            at = (places.turns.x + self.px(_PADDING), places.turns.y + self.px(24))
            heading = paint.text(surface, _("Turns"), at, "strong", anchor="midleft")
            draw_opening(paint, surface, self._opening.name, heading, places.turns.right - self.px(_PADDING))
        self._coach.draw(surface)
        self._numbers.draw(surface)
        self.shown_board.draw_head(paint, surface, places.board)
        self._transport.draw(surface)

    def go_to(self, turn: int) -> None:
        """Show the match after *turn*; leave a line."""
        self.walk.go_to(turn)
        self._show_turn()

    def walk_line(self) -> None:
        """Show the better line from before the turn, or return to the match."""
        line = self.shown_board.better_line()
        if self.walk.line is not None:
            self.walk.leave()
        elif line is not None:
            self.walk.enter(line)

    def back(self) -> None:
        if self.walk.line is not None:
            self.walk.leave()
        elif self.shows_numbers:
            self._switch_numbers()
        else:
            super().back()

    def _switch_numbers(self) -> None:
        """Show the numbers for researchers or the coach again; the first time, switch engine details on."""
        if not tells_details():
            self.stage.settings.engine_details = True
            self.stage.apply_settings()
        self.shows_numbers = not self.shows_numbers
        self._show_panels()
        self.widgets.focus(
            self.widgets.named("less" if self.shows_numbers else "more"), by_keyboard=self.widgets.shows_focus
        )

    def show_numbers(self, tab: str) -> None:
        """Show the numbers for researchers, with *tab* in front."""
        if not self.shows_numbers:
            self._switch_numbers()
        self._numbers.show_tab(tab)

    def tell_by_proof(self, is_on: bool) -> None:
        """Use proof numbers for winning chances, or the search, and remember that."""
        self.stage.settings.chance_by_proof = is_on
        self._numbers.tell_by_proof(is_on)
        self._stale = list(range(_CHARTS))
        self._show_turn()

    def _try_it(self) -> None:
        if self.words.advice(self.turn).better is not None:
            self._open_exercise([self.turn])

    def _exercise(self) -> None:
        if self.words.exercises():
            self._open_exercise(self.words.exercises())

    def explain(self) -> None:
        """Show why the turn was chosen, or at the start, what could be."""
        from papan.ui.scenes.why.scene import WhyScene

        if self._why.is_visible and self._why.is_enabled:
            self.walk.stop()
            stop = self.reviewed.stops[self.turn]
            index = stop.end if stop.seat is None else stop.first_step
            self.stage.push(WhyScene(self.stage, self.reviewed, self._services, index))

    def explore(self) -> None:
        """Show what was played in the position on the board, in collections of games."""
        from papan.ui.scenes.explorer.scene import explore_match

        self.walk.stop()
        shown = self.walk.shown
        match = shown.match.up_to(shown.stops[self.playback.turn].end)
        explore_match(self.stage, match, self._services, self.view.seat_in_front)

    def _open_exercise(self, turns: Sequence[int]) -> None:
        from papan.ui.scenes.review.exercise import ExerciseScene

        self.walk.leave()
        self.walk.stop()
        assert self.words.review is not None
        self.stage.push(
            ExerciseScene(self.stage, self.reviewed, self.words.review, turns, self.words.seat, self._services)
        )

    def _space(self) -> bool:
        """Start or stop autoplay; return False if a button has the focus, which Space presses."""
        if self.widgets.shows_focus and isinstance(self.widgets.focused, Button):
            return False
        self.walk.play_or_stop()
        return True

    def _walking(self, action: Callable[[], object]) -> bool:
        """Do *action*; return False if a widget of the numbers has the focus, which uses the same keys."""
        if self._numbers.takes_arrows(self.widgets.focused):
            return False
        action()
        return True

    def _save_picture(self) -> None:
        """Begin to save a picture of board and charts; a notice will say where."""
        reviewed, turn = self.reviewed, self.turn
        graphs = [self.review_charts.graph(index) for index in range(_CHARTS)]
        note = self.words.title(turn), self.words.sentence(turn)
        shown = Picture(reviewed.visible_state(reviewed.stops[turn].end), last=reviewed.last_cells(turn))
        date = written_date(reviewed.match)
        played = [_("played on {date}").format(date=date)] if date else []
        title = _("Papan review"), " · ".join([reviewed.subtitle(), *played])
        content = Content(reviewed_board(self.reviewed, self.paint), shown, graphs, turn, title, note)
        picture = ReviewPicture(self.paint, content)
        save = partial(save_in_words, reviewed.match.game)
        PictureSaving(self.paint, picture.draw, save).begin(self.stage)

    def _turn_board(self) -> None:
        self.view.outlook = (self.view.outlook + 1) % self.view.outlooks
        self._board.place(self._board.rect)

    def _copy_record(self) -> None:
        copy_record(self.stage, self.reviewed.match)

    def _play_on(self) -> None:
        """Begin a new match of the same seats from the turn shown."""
        services = self._services
        if self._number is not None and services.branch_off is not None:
            services.branch_off(self.reviewed.branch(self.turn), Origin(self._number, self.reviewed.common(self.turn)))
        elif services.go_on_with is not None:
            services.go_on_with(self.reviewed.branch(self.turn))

    def news(self) -> Sequence[News]:
        told = f"{self.words.title(self.turn)}. {self.words.sentence(self.turn, is_spoken=True)}"
        return *super().news(), News("" if self.playback.is_playing else told)

    def shortcuts(self) -> Sequence[Shortcut]:
        understanding, match = _("Explanations"), _("The match")
        explore = Shortcut("Ctrl+B", _("explore what others played"), self.explore, understanding)
        return [
            *self._transport.shortcuts(self._walking, self._space),
            Shortcut("N", _("next mistake"), self._transport.go_to_mistake, understanding),
            Shortcut("L", _("show the better line, or back to the match"), self.walk_line, understanding),
            Shortcut("T", _("try it yourself"), self._try_it, understanding),
            Shortcut("E", _("find the better move"), self._exercise, understanding),
            *([Shortcut("F3", _("why this move?"), self.explain, understanding)] if self._why.is_visible else []),
            *([explore] if self._explore.is_visible else []),
            Shortcut("M", _("engine details: the numbers for researchers"), self._switch_numbers, understanding),
            Shortcut("Ctrl+S", _("save a picture"), self._save_picture, match),
            Shortcut("Ctrl+C", _("copy the record"), self._copy_record, match),
            Shortcut("Ctrl+T", _("flip the board"), self._turn_board, match),
        ]
