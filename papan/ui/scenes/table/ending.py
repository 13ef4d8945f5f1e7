"""The end of a match at the table: result, key moments, rematch, and replay of the last turn."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

import pygame

from papan.ai.limits import Limit
from papan.ai.reviews.marks import MOST_MOMENTS, KeyMoment, key_moments
from papan.ai.thinking.thinker import Worker
from papan.game.match import Match
from papan.game.rules import score_of
from papan.ui.boards import Picture, board_of
from papan.ui.drawing.theme import GAP
from papan.ui.play.inquiry import ReviewTask
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes.review.words import ReviewWords
from papan.ui.scenes.table.actions import TableActions, swapped_seats
from papan.ui.scenes.table.model import Part, TableModel
from papan.ui.scenes.table.showing import Replay
from papan.ui.texts import _, in_figures
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.cards import CAPTION_HEIGHT, MomentCard

if TYPE_CHECKING:
    from papan.ai.reviews.reviewer import Review

log = logging.getLogger(__name__)

_PADDING = 16
_TITLE = 30
_LINE = 20
_HEADING = 28
_MOST_LINES = 2
"""Lines of the second sentence, at most."""
_LEAST_PICTURE = 40
"""The least height of a moment's board; with less, no moments are shown."""
_NODES_A_MATCH = 3_000_000
"""Search nodes for the review that finds the key moments."""
_LEAST_NODES, _MOST_NODES = 500, 20_000
"""The bounds of search nodes per position."""


class KeyMoments:
    """The key moments of a finished match: those of a quick review on a worker's thread until the whole one is done."""

    def __init__(self, match: Match, worker: Worker, viewer: int) -> None:
        self.reviewed = ReviewedMatch(match, viewer)
        nodes = min(_MOST_NODES, max(_LEAST_NODES, _NODES_A_MATCH // max(1, self.reviewed.turns)))
        self.task = ReviewTask(self.reviewed.match, worker, Limit(nodes=nodes), has_conspiracy=False)
        self.whole: ReviewTask | None = None
        """The whole review of the match, if it has been opened."""
        self._found: tuple[Review, list[KeyMoment]] | None = None
        self.task.start()

    @property
    def review(self) -> Review | None:
        """The review that tells the moments; None while none is complete."""
        for task in (self.whole, self.task):
            review = task.review if task is not None else None
            if review is not None and review.is_complete:
                return review
        return None

    @property
    def is_first_look(self) -> bool:
        """Whether the whole review may tell other moments."""
        return self.review is self.task.review

    def found(self) -> list[KeyMoment]:
        """Return the moments in the order of the match; none before the first review is complete."""
        review = self.review
        if review is None:
            return []
        if self._found is None or self._found[0] is not review:
            self._found = review, key_moments(review)
        return self._found[1]


class TableEnding(Part):
    """The panel of the result, hidden until the match is over."""

    def __init__(self, model: TableModel, actions: TableActions) -> None:
        super().__init__(model)
        self._actions = actions
        self._moments: KeyMoments | None = None
        self._cards: list[MomentCard] = []
        self._shown: object = None
        self._was_over = self._match.ending is not None
        self._is_new_best = False
        self._had_cards = False
        self._note_height = 0
        self._is_visible = True
        self._has_card_room = True
        self.replay: Replay | None = None
        """The replay of the last turn, while it runs."""
        self.panel = pygame.Rect(0, 0, 0, 0)

    @property
    def _has_cards(self) -> bool:
        """Whether there are moments to show, or may be soon."""
        return self._moments is not None and (self._moments.task.is_working or bool(self._moments.found()))

    def build(self) -> None:
        self._cards = []
        for number in range(MOST_MOMENTS):
            view = board_of(self._match.game, self._stage.paint)
            view.is_still = view.shows_all_hands = True
            card = MomentCard(view, partial(self._open_moment, number), name=f"moment {number + 1}")
            self._cards.append(self._add(card))
        tooltip = _("Again, with sides swapped")
        self._again = self._add(Button(_("Rematch"), self._rematch, icon="swap", name="rematch", tooltip=tooltip))
        self._home = self._add(Button(_("Home"), self._stage.pop, name="home"))
        self._shown = None
        self._show()

    def _rematch(self) -> None:
        self._actions.begin_again(swapped_seats(self._match.seats))

    def natural_height(self, side: pygame.Rect) -> int:
        """Return the height of the panel in the column *side*, in real pixels."""
        around, card = self._heights(side.w, side.h)
        return around + card

    def _heights(self, width: int, room: int) -> tuple[int, int]:
        """Return the height of the panel without cards, and that of a card (0 without *room* for any)."""
        px = self._px
        around = 2 * px(_PADDING) + px(_TITLE + 40 + 12) + self._measure_note(width - 2 * px(_PADDING))
        if not self._has_cards or room - around - px(_HEADING) < px(CAPTION_HEIGHT + _LEAST_PICTURE):
            return around, 0
        around += px(_HEADING)
        return around, min(self._card_width(width) + px(CAPTION_HEIGHT), room - around)

    def _card_width(self, width: int) -> int:
        px = self._px
        return (width - 2 * px(_PADDING) - (MOST_MOMENTS - 1) * px(8)) // MOST_MOMENTS

    def place(self, side: pygame.Rect) -> pygame.Rect:
        """Place the panel at the bottom of *side*; return the rest above."""
        px = self._px
        width = side.w - 2 * px(_PADDING)
        around, card_height = self._heights(side.w, side.h)
        card_width = self._card_width(side.w)
        self._note_height = self._measure_note(width)
        self._has_card_room = card_height > 0
        height = around + card_height
        self.panel = pygame.Rect(side.x, side.bottom - height, side.w, height)
        top = self.panel.y + px(_PADDING + _TITLE + _HEADING) + self._note_height
        left = self.panel.x + px(_PADDING)
        for number, card in enumerate(self._cards):
            card.place(pygame.Rect(left + number * (card_width + px(8)), top, card_width, card_height))
        bottom = self.panel.bottom - px(_PADDING) - px(40)
        home = self._home.natural_size[0]
        self._home.place(pygame.Rect(self.panel.right - px(_PADDING) - home, bottom, home, px(40)))
        self._again.place(pygame.Rect(left, bottom, min(self._again.natural_size[0], width - home - px(8)), px(40)))
        return pygame.Rect(side.x, side.y, side.w, side.h - height - px(GAP))

    def set_visible(self, is_visible: bool) -> None:
        self._is_visible = is_visible
        self._shown = None
        self._show()

    def _measure_note(self, width: int) -> int:
        height = self._stage.paint.paragraph_height(self.result()[1], width, "small", _MOST_LINES)
        return max(height, self._px(_LINE))

    def update(self, seconds: float) -> bool:
        """Let time pass; return whether the table must be laid out anew."""
        has_changed = self._model.is_over != self._was_over
        if has_changed:
            self._was_over = self._model.is_over
            if self._model.is_over:
                self._begin()
            else:
                self.stop()
        if self.replay is not None:
            self.replay.advance(seconds, self._stage.animation_speed)
            if self.replay.is_over:
                self.replay = None
            self._stage.invalidate()
        if self._moments is not None:
            self._moments.whole = self._actions.review
        self._show()
        had_cards, self._had_cards = self._had_cards, self._has_cards
        return has_changed or had_cards != self._has_cards

    def _begin(self) -> None:
        """Save the score of a solo game if it is the best, look for key moments, and replay the last turn."""
        ending = self._match.ending
        log.info("The end of %s is shown: %s", self._match.game.name, ending.reason if ending else "")
        if ending is not None and len(ending.payoffs) == 1:
            self._is_new_best = self._model.save_score(ending.payoffs[0])
        self._services.count_milestones()
        if self._services.advises and self._match.steps:
            self._moments = KeyMoments(self._match, self._services.reviewer, self._session.viewer)
        if ending is not None and ending.winners and self._match.conclusion is None:
            self.play_again()

    def play_again(self) -> None:
        if self._stage.animation_speed and self._match.steps:
            self.replay = Replay(self._model)

    def skip(self) -> bool:
        had_replay, self.replay = self.replay is not None, None
        return had_replay

    def stop(self) -> None:
        self.replay = self._actions.review = None
        if self._moments is not None:
            self._moments.task.stop()
            self._moments = None

    def _show(self) -> None:
        found = self._moments.found() if self._moments else []
        is_shown = self._model.is_over and self._is_visible
        seen = is_shown, self._has_card_room, tuple(found)
        if seen == self._shown:
            return
        self._shown = seen
        seats = self._match.seats
        self._home.show(is_shown)
        can_swap = self._services.start_match is not None and swapped_seats(seats) != list(seats)
        self._again.show(is_shown and can_swap and not self._session.is_online)  # the status line asks the others
        for number, card in enumerate(self._cards):
            card.show(is_shown and self._has_card_room and number < len(found))
            if card.is_visible and self._moments is not None:
                reviewed, moment = self._moments.reviewed, found[number]
                stop = reviewed.stops[moment.turn]
                state = reviewed.visible_state(stop.end)
                turn = _("Turn {number}").format(number=moment.turn)
                name, numbers = reviewed.turn_name(moment.turn), (turn, f"{moment.turn}.")
                names = dict.fromkeys((name.brief, name.notation))
                captions = [f"{number}\n{words} {moment.mark}".strip() for words in names for number in numbers]
                card.show_moment(Picture(state, last=reviewed.last_cells(moment.turn)), *captions)
                in_words = f"{reviewed.turn_in_words(moment.turn)} {moment.mark}".strip()
                card.tooltip = f"{in_words}\n{self._why(moment.turn)}"

    def _why(self, turn: int) -> str:
        assert self._moments is not None
        words = ReviewWords(self._moments.reviewed)
        words.review = self._moments.review
        return words.advice(turn).heading

    def result(self) -> tuple[str, str]:
        """Return the result with the final score, and a second sentence."""
        match = self._match
        ending = match.ending
        if ending is None:
            return "", ""
        title, reason = self._model.words.result(ending)
        points = [score_of(match.rules, match.state, seat) for seat in range(len(match.seats))]
        if len(ending.payoffs) == 1:
            return title, _("A new best score") if self._is_new_best else self._model.best_in_words(ending.payoffs[0])
        scores = [in_figures(score) for score in points if score is not None]
        if len(scores) == 2:
            own = self._session.viewer
            title += " " + "–".join(scores if own != 1 else scores[::-1])
        return title, reason

    def draw(self, surface: pygame.Surface) -> None:
        if not self._model.is_over or not self._is_visible or not self.panel.w:
            return
        paint, px, panel, theme = self._stage.paint, self._px, self.panel, self._stage.paint.theme
        paint.panel(surface, panel)
        title, note = self.result()
        left, width = panel.x + px(_PADDING), panel.w - 2 * px(_PADDING)
        top = panel.y + px(_PADDING)
        paint.text(
            surface, title, (left, top + px(_TITLE) // 2 - px(2)), "title", anchor="midleft", width=width, shrinks=True
        )
        lines = pygame.Rect(left, top + px(_TITLE), width, self._note_height)
        paint.paragraph(surface, note, lines, "small", theme.second, most_lines=_MOST_LINES)
        if not self._has_card_room:
            return
        heading = top + px(_TITLE) + self._note_height + px(_HEADING) // 2
        if self._moments is not None and self._moments.found():
            title = _("Turning points at first sight") if self._moments.is_first_look else _("Turning points")
            paint.text(surface, title, (left, heading), "strong", anchor="midleft", width=width, shrinks=True)
        elif self._moments is not None and self._moments.task.is_working:
            waiting = _("Looking for the turns that decided it …")
            paint.text(surface, waiting, (left, heading), "small", theme.second, anchor="midleft", width=width)

    def _open_moment(self, number: int) -> None:
        found = self._moments.found() if self._moments else []
        if number < len(found):
            self._actions.open_review(found[number].turn)
