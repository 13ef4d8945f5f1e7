"""The laboratory: thousands of games between computer players, counted while a person watches."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pygame

from papan.game.base.sentences import say
from papan.game.game import Game
from papan.ui.drawing.theme import GAP, MARGIN
from papan.ui.play.import_export import CopyError, save_text
from papan.ui.play.laboratory import Experiment, Replayed
from papan.ui.scenes import HEADER_HEIGHT, HeaderScene, Stage, strip
from papan.ui.scenes.laboratory.findings import Findings
from papan.ui.scenes.laboratory.form import LaboratoryForm
from papan.ui.scenes.laboratory.games import OPEN, WATCH, GameList, Watch, board_height
from papan.ui.scenes.saving import PictureError, PictureSaving, save_picture
from papan.ui.scenes.services import ALONE, Services
from papan.ui.texts import _, translated
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.shortcuts import Shortcut

_SIDE_SHARES = 0.25, 0.235
"""The widths of the form and the games, as shares of the window's."""
_SIDE_BOUNDS = (244, 330), (232, 470)
_NARROW_FORM, _NARROW_FINDINGS = 520, 552
"""The heights of the form and of the results on a narrow page."""
_FRAME_SECONDS = 1 / 60
"""Between two updates while an experiment runs."""
_REFRESH_SECONDS = 0.1
"""Between two updates of the results."""


class LaboratoryScene(HeaderScene):
    def __init__(self, stage: Stage, services: Services = ALONE) -> None:
        super().__init__(stage)
        self._services = services
        self.experiment: Experiment | None = None
        saved = stage.settings.laboratory
        self.form = LaboratoryForm(self, saved, self._game_changed)
        self.findings = Findings(self, self.form)
        self.watch = Watch(self, self.form)
        self.list = GameList(self, self.form, self._ask_for)
        self._trouble = ""
        """What is wrong with the question, as a sentence."""
        self._saving: PictureSaving | None = None
        self._since_refresh = 0.0
        self._seen: object = None
        if saved.get("begun"):
            self._begin(only_looks=True)

    def build(self) -> None:
        super().build()
        self.title, self.pill = _("Laboratory"), _("thousands of games, counted as you watch")
        self.game = self.form.game
        tooltip = _("All figures, and a picture of them")
        self._save = self.widgets.add(Button(_("Save"), self._save_found, sign="save", name="save", tooltip=tooltip))
        tooltip = _("Another experiment")
        self._new = self.widgets.add(Button(_("New"), self._begin_anew, icon="plus", name="new", tooltip=tooltip))
        self.form.build(self.go)
        self._run = self.widgets.add(Button("", self.go, kind="primary", name="run"))
        self.findings.build()
        self.watch.build()
        self.list.build()
        if self.widgets.focused is None:
            self.widgets.focus(self._run)
        self._refresh()

    def _game_changed(self) -> None:
        self._trouble = ""
        self.stage.rebuild(self)

    def narrow_height(self, width: int) -> int:
        return self.px(HEADER_HEIGHT + _NARROW_FORM + GAP + _NARROW_FINDINGS + MARGIN)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px, gap = self.px, self.px(GAP)
        self.place_in_header(area, (self._new, self._save))
        body = self.body(area)
        widths = [self.share(area.w, share, bounds) for share, bounds in zip(_SIDE_SHARES, _SIDE_BOUNDS, strict=True)]
        if self.is_narrow(area.w):  # the results go below
            upper, found = strip(body, "top", px(_NARROW_FORM), gap)
            form, _rest = strip(upper, "left", (body.w - gap) // 2)
            games, _rest = strip(upper, "right", form.w)
        else:
            form, rest = strip(body, "left", widths[0], gap)
            games, found = strip(rest, "right", widths[1], gap)
        self.form.place(form)
        self._run.place(self.form.foot)
        self.findings.place(found)
        watched, listed = strip(games, "top", board_height(games, self), gap)
        self.watch.place(watched)
        self.list.place(listed)
        self._refresh()

    def leave(self) -> None:
        if self._saving is not None:
            self._saving.draw_now()
        if self.experiment is not None:
            self.experiment.close()

    def dismantle(self) -> None:
        for part in (self.form, self.findings, self.watch, self.list):
            vars(part).clear()  # breaks their reference cycles with the scene
        super().dismantle()

    @property
    def is_animating(self) -> bool:
        return self.watch.is_animating

    @property
    def idle_seconds(self) -> float:
        if self.experiment is None:
            return super().idle_seconds
        return _FRAME_SECONDS if self.experiment.is_playing else _REFRESH_SECONDS

    def update(self, seconds: float) -> None:
        self.watch.update(seconds, self.experiment)
        if self.experiment is None:
            return
        while not self.experiment.replayed.empty():
            self._take(self.experiment.replayed.get())
        self._since_refresh += seconds
        if self._since_refresh >= _REFRESH_SECONDS:
            self._since_refresh = 0.0
            self._refresh()

    def _refresh(self) -> None:
        experiment = self.experiment
        self.findings.show_curve(experiment.standing if experiment else None)
        self.list.show(experiment)
        label, icon = _("Start"), "play"
        if experiment is not None and experiment.is_playing:
            label, icon = _("Stop"), "stop"
        elif experiment is not None:
            label, icon = (_("New experiment"), "plus") if experiment.is_done else (_("Continue"), "play")
        self._run.relabel(label, icon)
        self._new.enable(experiment is not None)
        self._save.enable(experiment is not None and experiment.standing.counts.games > 0)
        self.form.enable(experiment is None)
        seen = experiment and (experiment.standing, experiment.is_working, experiment.trouble, len(experiment.notes))
        if seen != self._seen:
            self._seen = seen
            self.invalidate()

    def _take(self, replayed: Replayed) -> None:
        if replayed.purpose == WATCH:
            self.watch.take(replayed)
            return
        self.list.opened()
        if replayed.match is None:
            self.stage.notify(say("This game can't be replayed: {reason}", reason=replayed.trouble))
            return
        from papan.ui.scenes.review.scene import ReviewScene

        self.stage.push(ReviewScene(self.stage, replayed.match.match, services=self._services))

    def go(self) -> None:
        """Do the large button's action: start, stop, resume, or begin a new experiment."""
        experiment = self.experiment
        if experiment is None:
            self._begin()
        elif experiment.is_playing:
            experiment.stop()
        elif experiment.is_done:
            self._begin_anew()
        else:
            experiment.start()
        self._refresh()
        self.invalidate()

    def _begin(self, *, only_looks: bool = False) -> None:
        """Begin the experiment of the form, or show what is wrong with the form."""
        self._trouble = ""
        try:
            question = self.form.question()
        except ValueError as error:
            self._trouble = str(error)
            return
        self.stage.settings.laboratory = {**question.as_data(), "begun": 1}
        self.experiment = Experiment(question, self._services.experimenter, self._services.replayer)
        self.experiment.start(only_looks=only_looks)

    def _begin_anew(self) -> None:
        if self.experiment is not None:
            self.stage.settings.laboratory = self.experiment.question.as_data()
            self.experiment.forget()
        self.experiment = None
        self.watch.reset()
        self.list.reset()
        self.findings.reset()
        self._refresh()
        self.widgets.focus(self._run, by_keyboard=self.widgets.shows_focus)
        self.invalidate()

    def _ask_for(self, number: int) -> None:
        if self.experiment is not None:
            self.experiment.replay(number, OPEN)

    def _save_found(self) -> None:
        experiment = self.experiment
        answer = experiment.answer() if experiment is not None else None
        if answer is not None and (self._saving is None or self._saving.is_over):
            draw = partial(self.findings.picture, self.area.size, experiment)
            self._saving = PictureSaving(self.paint, draw, partial(save_found, self.form.game, answer))
            self._saving.begin(self.stage)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and event.y and self.list.is_hovered:
            self.list.turn(-1 if event.y > 0 else 1)
            return True
        return super().handle(event)

    def shortcuts(self) -> Sequence[Shortcut]:
        return (
            Shortcut("Enter", _("start, stop, or open the selected game")),
            Shortcut("PgUp", _("earlier games"), partial(self.list.turn, -1)),
            Shortcut("PgDn", _("later games"), partial(self.list.turn, 1)),
            Shortcut("Ctrl+S", _("save all numbers"), self._save_found),
        )

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        self.form.draw(surface)
        trouble = self._trouble or self.form.trouble or (self.experiment.trouble if self.experiment else "")
        self.findings.draw(surface, self.experiment, translated(trouble))
        self.watch.draw(surface)
        self.list.draw(surface)


def save_found(game: Game, answer: Mapping[str, Any], picture: pygame.Surface) -> str:
    """Save the figures *answer* as JSON, and their *picture*; return a sentence that says where, or why not."""
    try:
        path = save_text(f"papan-{game.name}-experiment", ".json", json.dumps(answer, indent=2) + "\n")
        picture_path = save_picture(picture, game)
    except (CopyError, PictureError) as error:
        return _("The numbers can't be saved: {reason}.").format(reason=str(error).rstrip("."))
    return _("Saved as {path} and {picture}").format(path=path, picture=picture_path)
