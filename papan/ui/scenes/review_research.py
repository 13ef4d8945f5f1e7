"""What is behind the numbers for researchers: a threshold of one's own, and the position shown at each depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papan.ai.thinking.thinker import Worker
from papan.ui.play.instruments import FACTORS, Instruments
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes.review_charts import ReviewCharts
from papan.ui.scenes.review_numbers import DEPTH, NumbersPanel
from papan.ui.scenes.review_words import ReviewWords
from papan.ui.texts import _, in_figures

if TYPE_CHECKING:
    from papan.ai.indicators.conspiracy import AtDepth
    from papan.ai.indicators.course import Course

_SETTLED_SECONDS = 0.4
"""How long a turn is shown before its position is looked at: who walks through a match waits for none of them."""


class Research:
    """Keeps the panel of the numbers in line with what was asked and found."""

    def __init__(self, reviewed: ReviewedMatch, words: ReviewWords, charts: ReviewCharts, worker: Worker) -> None:
        self._reviewed, self._words, self._charts = reviewed, words, charts
        self.instruments = Instruments(reviewed.match, worker)
        self._turn = -1
        self._seconds = 0.0
        self._shown: tuple[list[AtDepth] | None, bool] | None = None
        self._panel: NumbersPanel | None = None

    def attach(self, panel: NumbersPanel) -> None:
        """Show everything on *panel* from now on, with the tab in front that was there before."""
        tab = self._panel.tab if self._panel is not None else panel.tab
        self._panel, self._shown = panel, None
        panel.show_tab(tab)

    def stop(self) -> None:
        """Ask for nothing any more."""
        self.instruments.stop()

    @property
    def is_working(self) -> bool:
        """Whether there is something to come that the window should look for."""
        asked = self.instruments
        waits = self._is_deepening and self._seconds < _SETTLED_SECONDS
        return asked.course.is_working or asked.depths.is_working or asked.proof.is_working or waits

    @property
    def _is_deepening(self) -> bool:
        return self._panel is not None and self._panel.is_visible and self._panel.tab == DEPTH

    def tell_by_proof(self, is_on: bool) -> None:
        """Tell winning chances by proof numbers, or by the search again."""
        self._words.proof_chances = () if is_on else None
        if is_on:
            self.instruments.prove([stop.end for stop in self._reviewed.stops])

    def choose(self, place: int) -> None:
        """Take the threshold at *place* of the slider."""
        self.instruments.choose(place)
        self._shown = None
        self._show()

    def update(self, seconds: float, turn: int) -> bool:
        """Go on *seconds* later, with this *turn* shown; returns whether the charts are to be shown anew."""
        self._seconds = 0.0 if turn != self._turn else self._seconds + seconds
        self._turn = turn
        if self._is_deepening:
            if self._seconds >= _SETTLED_SECONDS:
                self.instruments.look(self._reviewed.stops[turn].end)
            self._show()
        words, has_news = self._words, False
        course: Course | None = self.instruments.course.answer
        if course is not None and course is not words.own_course:
            words.own_course, has_news = course, True
        proof = self.instruments.proof.answer
        if words.proof_chances is not None and proof is not None and proof is not words.proof_chances:
            words.proof_chances, has_news = proof, True
        return has_news

    def _show(self) -> None:
        """Bring the tab of the depths in line with what is known."""
        depths = self.instruments.depths
        if self._panel is None or self._shown == (depths.answer, depths.is_working):
            return
        self._shown = depths.answer, depths.is_working
        note = _("The game is over here.") if depths.answer == [] else _("looking deeper …")
        progress = _("looking deeper …") if depths.is_working and depths.answer else ""
        graph = self._charts.deeper(depths.answer or [], note, progress)
        self._panel.show_depths(graph, self.instruments.place, self._threshold_in_words())

    def _threshold_in_words(self) -> str:
        place = self.instruments.place
        if place == len(FACTORS):
            return _("T is a win: these are proof numbers.")
        threshold = in_figures(self.instruments.threshold(), ",.6g")
        return _("T = {threshold}, {factor} × the game's own").format(
            threshold=threshold, factor=in_figures(FACTORS[place], "g")
        )
