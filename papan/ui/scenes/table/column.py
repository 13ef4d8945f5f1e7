"""The column next to a table's board: seats, result, turns and analysis, with tabs if it is too low."""

from __future__ import annotations

from collections.abc import Mapping

import pygame

from papan.ai.players import HUMAN, in_plain_words
from papan.game.match import Turn
from papan.game.match.clock import clock_words
from papan.game.rules import CHANCE, State, mover, observe, power_of, score_of
from papan.ui.drawing.faces import COMPUTER, face_of
from papan.ui.drawing.theme import GAP
from papan.ui.play.turn_names import TurnName, name_of_played
from papan.ui.scenes import News
from papan.ui.scenes.table.actions import TableActions
from papan.ui.scenes.table.ending import TableEnding
from papan.ui.scenes.table.model import Part, TableModel
from papan.ui.texts import _, in_figures, translated
from papan.ui.texts.manner import person_face
from papan.ui.texts.wording import only_person
from papan.ui.widgets.analysis import AnalysisPanel, EvaluationBar
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Item
from papan.ui.widgets.player_cards import SeatCard, SeatView, seat_explanation
from papan.ui.widgets.turn_lists import Entry, TurnList

PLAYERS, RESULT, TURNS, ANALYSIS = "players", "result", "turns", "analysis"
_LEAST_TURNS = 136
"""The least height of the list of turns above the analysis; with less, both become tabs."""
_LEAST_TAB = 100
"""The least height of a tab's content; with less, more of the column becomes tabs."""
_TABS_HEIGHT, _BELOW_TABS = 40, 8

_SEAT_HEIGHT = 84
_MANY_SEATS_HEIGHT = 62
_SHORT_SECONDS = 20.0
"""A clock with less time than this is shown as short."""

_LOOK_SECONDS = 0.1
"""Between two updates of the analysis."""
_WHY, _ABOVE = 36, 8
"""The height of the button below the analysis, and the gap above it."""


class TableSeats(Part):
    def build(self) -> None:
        self._cards = [self._add(SeatCard(seat, self._view(seat))) for seat in range(len(self._match.seats))]

    def natural_height(self) -> int:
        return len(self._cards) * (self._card_height + self._gap) - self._gap

    @property
    def _card_height(self) -> int:
        return self._px(_SEAT_HEIGHT if len(self._cards) <= 2 else _MANY_SEATS_HEIGHT)

    @property
    def _gap(self) -> int:
        return self._px(GAP if len(self._cards) <= 2 else GAP - 4)

    def place(self, left: int, top: int, width: int, most: int | None = None) -> int:
        """Stack the cards, at *most* so high in all; return their bottom."""
        height, gap, number = self._card_height, self._gap, len(self._cards)
        if most is not None:
            height = min(height, (most + gap) // number - gap)
        for card in self._cards:
            card.place(pygame.Rect(left, top, width, height))
            top += height + gap
        return top - gap

    def set_visible(self, is_visible: bool) -> None:
        for card in self._cards:
            card.show(is_visible)

    def show(self) -> None:
        for seat, card in enumerate(self._cards):
            card.show_view(self._view(seat))

    def _view(self, seat: int) -> SeatView:
        session, match, rules, words = self._session, self._match, self._match.rules, self._model.words
        state = session.visible_state(session.showing.before if session.showing else match.state)
        fact, fact_note = (translated(text) for text in rules.seat_note(state, seat))
        is_due = not match.ending and int(mover(state)) == seat
        points = score_of(rules, state, seat)
        if points is not None and str(points) in fact_note.split():
            fact_note = ""  # shown in large figures already
        if points is not None and len(match.seats) == 1:
            fact_note = self._model.best_in_words(points)
        left = session.clock.left[seat] if session.clock else None
        is_away = self._model.online is not None and seat in self._model.online.away
        waits_for_letter = session.is_remote and not session.is_online
        is_busy = session.turn.due == "thinking" or session.is_hinting
        title = in_figures(points) if points is not None else ""
        return SeatView(
            self._model.style(seat),
            words.names[seat],
            words.note(seat, fact_note, len(match.seats) <= 2),
            "" if fact == title else fact,
            self._model.view.seat_emblem(state, seat),
            self._face(seat),
            match.ending.outcome(seat) if match.ending and self._model.is_over else None,
            clock_words(left) if left is not None else "",
            left is not None and left <= _SHORT_SECONDS,
            title,
            self._explanation(seat, fact, fact_note),
            is_active=is_due,
            is_thinking=is_due and not (is_away or waits_for_letter) and is_busy,
        )

    def _face(self, seat: int) -> str:
        """Return the face of the player of *seat*; "" for one of several persons, or one without a chosen face."""
        seats, online = self._match.seats, self._model.online
        if online is not None and seat != online.seat:
            return "" if online.begun.here[seat] else COMPUTER
        return person_face() if seat == only_person(seats) else "" if seats[seat] == HUMAN else face_of(seats[seat])

    def _explanation(self, seat: int, fact: str, fact_note: str) -> str:
        match, player = self._match, f"**{self._model.words.names[seat]}**"
        if self._model.words.online is not None:
            who = self._model.words.online.who(seat)
            player += f": {who}" if who else ""
        elif match.seats[seat] != HUMAN:
            player += f": {translated(in_plain_words(match.seats[seat], match.game))}"
        power = power_of(match.rules, observe(match.state, self._session.viewer), seat)
        return seat_explanation(player, fact, translated(power) or fact_note)


class TableTurns(Part):
    def __init__(self, model: TableModel) -> None:
        super().__init__(model)
        self._turns: list[Turn] = []

    def build(self) -> None:
        self._names: dict[tuple[Turn, State], TurnName] = {}
        self.list = self._add(TurnList(len(self._match.seats), self._model.player))

    @property
    def _goes_on(self) -> bool:
        """Whether the last turn is incomplete."""
        match = self._match
        return bool(self._turns) and not match.ending and match.mover == self._turns[-1].seat != CHANCE

    def show(self) -> None:
        match, turn = self._match, self._session.turn
        self._turns = match.turns()
        entries = [Entry(played.seat, self._name_of(played)) for played in self._turns if played.seat != CHANCE]
        complete = len(entries)
        if self._goes_on:
            complete -= 1
            last = entries.pop()
            begun = TurnName(*(f"{name} …" if name else "" for name in last.name))
            entries.append(Entry(last.seat, begun, self._model.style(last.seat).ink))
        elif turn.pointed and turn.due == "completing":
            entries.append(Entry(match.mover, TurnName("…", "…"), self._model.style(match.mover).ink))
        self.list.show_turns(entries, complete, self._model.opening.name)

    def news(self) -> News:
        turns = [turn for turn in self._turns if turn.seat != CHANCE]
        if self._goes_on or not turns:
            return News("", max(0, len(turns) - 1))
        name, turn = self._model.words.names[turns[-1].seat], self._name_of(turns[-1]).words
        return News(_("{name} played {turn}.").format(name=name, turn=turn), len(turns))

    def _name_of(self, turn: Turn) -> TurnName:
        """Return the names of *turn*, which are found once."""
        key = turn, self._match.states[turn.end_step]
        if key not in self._names:
            self._names[key] = name_of_played(self._match, turn)
        return self._names[key]


class TableAnalysis(Part):
    """The analysis panel, the button below it, and the bar next to the board; hidden while the analysis is off."""

    def __init__(self, model: TableModel, actions: TableActions) -> None:
        super().__init__(model)
        self.study = model.study
        self._actions = actions
        self._since_look = 0.0

    @property
    def is_on(self) -> bool:
        return self.study is not None and self.study.is_on

    def build(self) -> None:
        has_opinion = self.study is not None and self.study.has_opinion
        self.panel = self._add(AnalysisPanel(self._model.style, has_opinion=has_opinion))
        self.why = self._add(Button(_("Why this move?"), self._actions.explain, icon="bars", name="why"))
        self._has_room = False
        self.bar = self._add(EvaluationBar(self._model.style, lambda: self._stage.animation_speed))
        self._tell()
        self.show(is_shown=self.is_on)

    def natural_height(self, width: int) -> int:
        """Return the height that the panel needs in this *width*, in real pixels."""
        below = self._px(_WHY + _ABOVE) if self._actions.can_explain else 0
        return self.panel.natural_height(width) + below

    def place_panel(self, room: pygame.Rect) -> None:
        """Place the panel in *room*, and the button below it if both fit."""
        px = self._px
        below = px(_WHY + _ABOVE)
        self._has_room = self._actions.can_explain and room.h >= self.panel.natural_height(room.w) + below
        height = room.h - below if self._has_room else room.h
        self.panel.place(pygame.Rect(room.x, room.y, room.w, height))
        self.why.place(pygame.Rect(room.x, room.bottom - px(_WHY), room.w, px(_WHY)))

    def place_bar(self, area: pygame.Rect) -> pygame.Rect:
        """Place the bar at the left of *area*; return the rest for the board."""
        if not self._has_bar:
            return area
        width = self._px(self.bar.natural_width())
        self.bar.place(pygame.Rect(area.x, area.y + self._px(8), width, area.h - self._px(8)))
        return pygame.Rect(area.x + width, area.y, area.w - width, area.h)

    @property
    def _has_bar(self) -> bool:
        return self.study is not None and self.is_on and self.study.has_balance

    def show(self, *, is_shown: bool) -> None:
        """Show or hide panel and button; the bar is shown while the analysis is on."""
        self.panel.show(is_shown)
        self.why.show(is_shown and self._has_room)
        self.bar.show(self._has_bar)

    def switch(self) -> None:
        """Switch the analysis on or off, and remember it."""
        if self.study is not None:
            self.study.switch(not self.study.is_on)
            self._stage.settings.analysis = self.study.is_on
            self._since_look = _LOOK_SECONDS

    def update(self, seconds: float) -> None:
        """Let time pass, and show new results, including scores on the board."""
        if self.study is None or not self.study.is_on:
            return
        self._since_look += seconds
        if not self.study.is_due and self._since_look < _LOOK_SECONDS:
            return
        self._since_look = 0.0
        has_news = self.study.tick()
        self._tell()
        if has_news:
            self._stage.invalidate()

    def _tell(self) -> None:
        if self.study is not None:
            self.panel.show_view(self.study.view)
            self.bar.show_balance(self.study.view.balance)

    def cell_scores(self) -> Mapping[int, str]:
        return self.study.cell_scores() if self.study is not None else {}

    @property
    def is_busy(self) -> bool:
        return self.study is not None and self.study.is_busy


class TableColumn(Part):
    """The layout of the column: the stacked parts, and those behind tabs."""

    def __init__(
        self, model: TableModel, seats: TableSeats, turns: TableTurns, ending: TableEnding, analysis: TableAnalysis
    ) -> None:
        super().__init__(model)
        self._seats, self._turns, self._ending, self._analysis = seats, turns, ending, analysis
        self._tab = PLAYERS
        self._was_over = self._was_on = False
        self._tabbed: list[str] = []
        """The tabs, from left to right; empty if everything is stacked."""

    def build(self) -> None:
        self._tabs = self._add(Segments([Item(TURNS, "")], TURNS, self._turn_to, name="tabs"))
        self._tabs.show(False)

    def place(self, side: pygame.Rect) -> None:
        """Fill *side*: stack what fits, and put the rest behind tabs."""
        seats, ending, analysis, turn_list = self._seats, self._ending, self._analysis, self._turns.list
        is_over, gap = self._model.is_over, self._px(GAP)
        if analysis.is_on and not self._was_on:  # show the tab whose content has just appeared
            self._tab = ANALYSIS
        if is_over != self._was_over:
            self._tab = RESULT if is_over else PLAYERS
        self._was_over, self._was_on = is_over, analysis.is_on
        rest = side.copy()
        self._tabbed = self._what_is_tabbed(side)
        if PLAYERS not in self._tabbed:
            rest.y = seats.place(side.x, side.y, side.w) + gap
            rest.h = side.bottom - rest.y
        if is_over and RESULT not in self._tabbed:
            rest = ending.place(rest)
        if not self._tabbed:
            height = analysis.natural_height(side.w) + gap if analysis.is_on else 0
            turn_list.place(pygame.Rect(rest.x, rest.y, rest.w, rest.h - height))
            if analysis.is_on:
                top = turn_list.rect.bottom + gap
                analysis.place_panel(pygame.Rect(rest.x, top, rest.w, rest.bottom - top))
        else:
            self._place_tabs(rest)
        self._show()

    def _what_is_tabbed(self, side: pygame.Rect) -> list[str]:
        """Return the parts that must go behind tabs so that the rest fits into *side*."""
        is_over, is_on, px = self._model.is_over, self._analysis.is_on, self._px
        players = self._seats.natural_height() + px(GAP)
        result = self._ending.natural_height(side) + px(GAP) if is_over else 0
        study = self._analysis.natural_height(side.w) + px(GAP) if is_on else 0
        tabs = px(_TABS_HEIGHT + _BELOW_TABS)
        flexible = [TURNS, *([ANALYSIS] if is_on else [])]
        left = side.h - players - result
        if left - study >= px(_LEAST_TURNS if is_on else _LEAST_TAB):
            return []
        if is_on and left - tabs >= study:
            return flexible
        if is_over and side.h - players - tabs >= max(result, study):
            return [RESULT, *flexible]
        return [PLAYERS, *([RESULT] if is_over else []), *flexible]

    def _place_tabs(self, room: pygame.Rect) -> None:
        words = {PLAYERS: _("Players"), RESULT: _("Result"), TURNS: _("Turns"), ANALYSIS: _("Analysis")}
        self._tabs.items = tuple(Item(name, words[name]) for name in self._tabbed)
        if self._tab not in self._tabbed:
            self._tab = ANALYSIS if ANALYSIS in self._tabbed else self._tabbed[0]
        self._tabs.value = self._tab
        self._tabs.place(pygame.Rect(room.x, room.y, room.w, self._px(_TABS_HEIGHT)))
        top = self._tabs.rect.bottom + self._px(_BELOW_TABS)
        below = pygame.Rect(room.x, top, room.w, room.bottom - top)
        if PLAYERS in self._tabbed:
            self._seats.place(below.x, below.y, below.w, below.h)
        if RESULT in self._tabbed:
            self._ending.place(pygame.Rect(below.x, below.y, below.w, self._ending.natural_height(below)))
        self._turns.list.place(below)
        self._analysis.place_panel(below)

    def _turn_to(self, tab: str) -> None:
        self._tab = tab
        self._show()
        self._stage.invalidate()

    def _show(self) -> None:
        """Show the parts that are not behind another tab."""
        self._tabs.show(bool(self._tabbed))
        self._seats.set_visible(self._is_shown(PLAYERS))
        self._ending.set_visible(self._is_shown(RESULT))
        self._turns.list.show(self._is_shown(TURNS))
        self._analysis.show(is_shown=self._analysis.is_on and self._is_shown(ANALYSIS))

    def _is_shown(self, name: str) -> bool:
        return name not in self._tabbed or name == self._tab
