"""The laboratory: games by the thousand between computer players, counted while one looks on."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pygame

from papan.ui.drawing.theme import GAP, MARGIN
from papan.ui.play.laboratory import Experiment, Replayed
from papan.ui.play.record_files import CopyError, save_text
from papan.ui.scenes import Stage
from papan.ui.scenes.header import HEADER_HEIGHT, HeaderScene
from papan.ui.scenes.laboratory_findings import Findings
from papan.ui.scenes.laboratory_form import LaboratoryForm
from papan.ui.scenes.laboratory_games import OPEN, WATCH, GameList, Watch, split
from papan.ui.scenes.services import ALONE, Services
from papan.ui.texts import _, translated
from papan.ui.widgets.buttons import Button

_SIDE_SHARES = 0.25, 0.235
"""The shares of the window's width that the form and the games have."""
_SIDE_BOUNDS = (244, 330), (232, 470)
_REFRESH_SECONDS = 0.1
"""Between two looks at what is found."""


class LaboratoryScene(HeaderScene):
    """The laboratory. It begins with the question that was asked last, and with what was found of it."""

    def __init__(self, stage: Stage, services: Services = ALONE) -> None:
        super().__init__(stage)
        self._services = services
        self.experiment: Experiment | None = None
        kept = stage.settings.laboratory
        self.form = LaboratoryForm(self, kept, self._game_changed)
        self.findings = Findings(self, self.form.label_of, lambda: self.form.seats)
        self.watch = Watch(self, self.form.label_of_name)
        self.list = GameList(self, self.form.label_of, self._ask_for)
        self._trouble = ""
        """What is wrong with the question, in a sentence."""
        self._since_refresh = 0.0
        self._seen: object = None
        if kept.get("begun"):
            self._begin(only_looks=True)

    # -------------------------------------------------------------------------------------- building

    def build(self) -> None:
        super().build()
        self.title = _("Laboratory")
        self.game = self.form.game
        self._save = self.widgets.add(
            Button(_("Save"), self._save_answer, name="save", tooltip=_("All figures as JSON, among your documents"))
        )
        self._new = self.widgets.add(
            Button(_("New"), self._begin_anew, icon="plus", name="new", tooltip=_("Another experiment"))
        )
        self.form.build(self._go)
        self._run = self.widgets.add(Button("", self._go, kind="primary", name="run"))
        self.findings.build()
        self.watch.build(self.form.game)
        self.list.build()
        if self.widgets.focused is None:
            self.widgets.focus(self._run, by_keyboard=False)
        self._refresh()

    def _game_changed(self) -> None:
        self._trouble = ""
        self.stage.rebuild(self)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px, gap = self.px, self.px(GAP)
        right = area.right - px(MARGIN)
        for button in (self._new, self._save):
            size = button.natural_size
            button.place(pygame.Rect(right - size[0], px(14), *size))
            right -= size[0] + px(8)
        top = px(HEADER_HEIGHT)
        body = pygame.Rect(px(MARGIN), top, area.w - 2 * px(MARGIN), area.bottom - px(MARGIN) - top)
        widths = [
            min(px(most), max(px(least), round(area.w * share)))
            for share, (least, most) in zip(_SIDE_SHARES, _SIDE_BOUNDS, strict=True)
        ]
        self.form.place(pygame.Rect(body.x, body.y, widths[0], body.h))
        self._run.place(self.form.foot)
        games = pygame.Rect(body.right - widths[1], body.y, widths[1], body.h)
        left = body.x + widths[0] + gap
        self.findings.place(pygame.Rect(left, body.y, games.x - gap - left, body.h))
        upper, lower = split(games, self)
        self.watch.place(upper, self.form.seats)
        self.list.place(lower)
        self._refresh()

    # ------------------------------------------------------------------------------------------ time

    def leave(self) -> None:
        super().leave()
        if self.experiment is not None:
            self.experiment.close()

    @property
    def is_animating(self) -> bool:
        return self.watch.is_animating

    @property
    def idle_seconds(self) -> float:
        return _REFRESH_SECONDS if self.experiment is not None else super().idle_seconds

    def update(self, seconds: float) -> None:
        super().update(seconds)
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
        """Bring the widgets in line with what is found."""
        experiment = self.experiment
        self.findings.show_curve(experiment.standing if experiment else None)
        self.list.show(experiment)
        label, icon = _("Start"), "play"
        if experiment is not None and experiment.is_working:
            label, icon = _("Stop"), "stop"
        elif experiment is not None:
            label, icon = (_("New experiment"), "plus") if experiment.is_done else (_("Go on"), "play")
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
            self.stage.notify(
                _("This game can't be played again: {reason}").format(reason=translated(replayed.trouble))
            )
            return
        from papan.ui.scenes.review import ReviewScene

        self.stage.push(ReviewScene(self.stage, replayed.match.match, services=self._services))

    # ---------------------------------------------------------------------------------------- acting

    def _go(self) -> None:
        experiment = self.experiment
        if experiment is None:
            self._begin()
        elif experiment.is_working:
            experiment.stop()
        elif experiment.is_done:
            self._begin_anew()
        else:
            experiment.start()
        self._refresh()
        self.invalidate()

    def _begin(self, *, only_looks: bool = False) -> None:
        """Begin the experiment that the form asks for, or say what is wrong with it."""
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
        """Forget the experiment; what was chosen for it stays, to be changed."""
        if self.experiment is not None:
            self.stage.settings.laboratory = self.experiment.question.as_data()
            self.experiment.forget()
        self.experiment = None
        self.watch.reset()
        self.list.reset()
        self._refresh()
        self.widgets.focus(self._run, by_keyboard=self.widgets.shows_focus)
        self.invalidate()

    def _ask_for(self, number: int) -> None:
        if self.experiment is not None:
            self.experiment.replay(number, OPEN)

    def _save_answer(self) -> None:
        answer = self.experiment.answer() if self.experiment is not None else None
        if answer is None:
            return
        try:
            path = save_text(f"papan-{self.form.game.name}-experiment", ".json", json.dumps(answer, indent=2) + "\n")
        except CopyError as error:
            self.stage.notify(_("The figures can't be saved: {reason}.").format(reason=error))
        else:
            self.stage.notify(_("Saved as {path}").format(path=path))

    def handle(self, event: pygame.event.Event) -> bool:
        is_save = event.type == pygame.KEYDOWN and event.key == pygame.K_s
        if is_save and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self._save_answer()
            return True
        return False

    def keys(self) -> Sequence[tuple[str, str]]:
        return (
            (_("Up  Down"), _("change the field with the ring")),
            ("Enter", _("start, stop, or open the game with the ring")),
            ("Ctrl+S", _("save all figures")),
        )

    # --------------------------------------------------------------------------------------- drawing

    def draw(self, surface: pygame.Surface) -> None:
        self.draw_header(surface, _("thousands of games, counted as you watch"), self._save.rect.x - self.px(14))
        self.form.draw(surface)
        trouble = translated(self._trouble or (self.experiment.trouble if self.experiment is not None else ""))
        self.findings.draw(surface, self.experiment, trouble)
        self.watch.draw(surface)
        self.list.draw(surface)
