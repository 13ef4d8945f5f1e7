"""The new-game form: players and options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import pygame

from papan.game.base.sentences import say
from papan.game.game import Game, PartError
from papan.game.lessons import has_lesson
from papan.ui.boards import Picture, board_of
from papan.ui.drawing.theme import GAP, MARGIN
from papan.ui.play.lesson import DONE
from papan.ui.play.match_choices import MatchChoices
from papan.ui.play.online import ELSEWHERE
from papan.ui.scenes import HEADER_HEIGHT, HeaderScene, Stage
from papan.ui.scenes.new_game.panels import LINE_HEIGHT, OptionsPanel, PlayersPanel
from papan.ui.scenes.rules_page import RulesScene
from papan.ui.scenes.services import ALONE, Services
from papan.ui.texts import _, translated
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.shortcuts import Shortcut

if TYPE_CHECKING:
    from papan.ui.scenes.position_editor import PositionScene

_WIDEST = 1560
_PICTURE_SHARE = 0.36
_LEAST_FORM = 700
"""The least width of the form next to the picture."""
_NARROW, _NARROW_HEIGHT = 980, 860
"""A page narrower than this has no picture, and this height."""
_START_HEIGHT = 48
_LEAST_START = 168


class NewGameScene(HeaderScene):
    game: Game

    def __init__(
        self,
        stage: Stage,
        game: Game,
        services: Services = ALONE,
        position: str | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        """
        :param position: the text of the position to begin with; default: the start position.
        :param options: the options of *position*.
        :raises papan.ui.boards.BoardError: the game has no board.
        :raises papan.game.rules.PositionError: *position* is invalid.
        """
        super().__init__(stage)
        self._services = services
        self.game = game
        self._position = position
        self._take_up_settings()
        saved = stage.settings.game_choices(game.name)
        offered = services.player_choices(game)
        self.choices = MatchChoices(game, offered, saved, stage.settings.opponent, position, options)
        self.error = ""
        self.players_panel = PlayersPanel(
            self, self.choices, lambda: self.options_panel.turn(is_open=False), self._chosen
        )
        self.options_panel = OptionsPanel(self, self.choices, self.start)

    def _take_up_settings(self) -> None:
        self.title = translated(self.game.title)
        self.pill = translated(self.game.tagline) if self._position is None else _("from a position of your own")
        self.board = board_of(self.game, self.stage.paint)
        self.board.is_still = True

    def start(self) -> None:
        """Begin the match, or show the reason in the form."""
        self.error = ""
        self.invalidate()
        choices = self.choices
        try:
            complete = choices.complete_options()
            self.game.check_seats(choices.seats)
            if self.has_friends:
                from papan.ui.scenes.invite import invite

                invite(self.stage, self._services, self.choices)
                return
            if self._services.start_match is None:
                raise ValueError(say("There is no table to play on."))
            self.stage.settings.save_game_choices(self.game.name, choices.to_settings())
            seed = int(choices.seed) if choices.seed else None
            more = {"time_control": choices.time_control} if choices.time_control else {}
            if choices.position is not None:
                self.game.rules.parse(choices.position, complete)  # the options may have changed
                more["position"] = choices.position
            self._services.start_match(self.game, choices.players[: choices.seats], complete, seed, **more)
        except ValueError as error:  # an invalid option, player or position
            self.error = str(error)

    @property
    def has_friends(self) -> bool:
        """Whether a friend at another screen has a seat."""
        return self._services.online is not None and ELSEWHERE in self.choices.players[: self.choices.seats]

    def _chosen(self) -> None:
        label, icon = (_("Invite"), "person") if self.has_friends else (_("Play"), "play")
        self._start.relabel(label, icon)
        self.expect_match()

    def expect_match(self) -> None:
        """Have the chosen players compiled while the person looks at the form."""
        with suppress(ValueError):  # an option that "Play" will refuse
            players = self.choices.players[: self.choices.seats]
            self._services.expect_match(self.game, players, self.choices.complete_options())

    def set_up(self) -> None:
        self.error = ""
        self.invalidate()
        if self.choices.position is not None:  # the editor is below
            self.stage.pop(self)
            return
        try:
            set_up_position(self.stage, self.game, self.choices.complete_options(), None, self._services)
        except (ValueError, PartError) as error:
            self.error = str(error)

    def enter(self) -> None:
        if self._learn.label != self._label_of_lesson:  # the lesson was finished since
            self.stage.rebuild(self)

    @property
    def _label_of_lesson(self) -> str:
        """Return "Learn"; more for who has neither begun a match of the game nor finished its lesson."""
        settings, name = self.stage.settings, self.game.name
        is_new = settings.lessons.get(name) != DONE and not settings.game_choices(name)
        return _("New here? Learn it") if is_new else _("Learn")

    def _open_lesson(self) -> None:
        if self._learn.is_visible:
            from papan.ui.scenes.lesson import push_lesson

            push_lesson(self.stage, self._services, self.game)

    def _show_rules(self) -> None:
        self.stage.push(RulesScene(self.stage, self.game))

    def build(self) -> None:
        super().build()
        self._take_up_settings()
        self.choices.offer(self._services.player_choices(self.game))  # in the language chosen
        self.players_panel.build()
        self.options_panel.build()
        self._start = self.widgets.add(Button(_("Play"), self.start, icon="play", kind="primary", name="start"))
        tooltip = _("A short lesson at the board")
        self._learn = Button(self._label_of_lesson, self._open_lesson, icon="hint", name="lesson", tooltip=tooltip)
        self.widgets.add(self._learn)
        self._learn.show(has_lesson(self.game) and self.choices.position is None)
        self._rules = self.widgets.add(Button(_("Rules"), self._show_rules, icon="help", name="rules"))
        tooltip = _("Begin with a position of your own, or one on the clipboard")
        self._setup = self.widgets.add(Button(_("Set up"), self.set_up, icon="board", name="set up", tooltip=tooltip))
        if self.widgets.focused is None:
            self.widgets.focus(self._start)
        self._chosen()

    def page_height(self, width: int) -> int:
        return self.px(_NARROW_HEIGHT) if width < self.px(_NARROW) else super().page_height(width)

    def page_foot(self, width: int) -> int:
        return self.px(_START_HEIGHT + MARGIN + GAP) if width < self.px(_NARROW) else 0

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        self.place_in_header(area, (self._rules, self._setup))
        top, margin, gap = px(HEADER_HEIGHT), px(MARGIN), px(GAP)
        body = pygame.Rect(margin, top, min(area.w - 2 * margin, px(_WIDEST)), area.bottom - top - margin)
        body.centerx = area.centerx
        if area.w < px(_NARROW):
            self._place_narrow(body, gap)
            return
        width = min(round(body.w * _PICTURE_SHARE), body.w - px(_LEAST_FORM + GAP + 4))
        right = pygame.Rect(body.x + width + px(GAP + 4), body.y, body.w - width - px(GAP + 4), body.h)
        right.h -= px(_START_HEIGHT) + gap
        bottom = self._place_panels(right, gap, fills_room=True)
        self._place_start(right.right, bottom + gap)
        self._picture_panel = pygame.Rect(body.x, body.y, width, bottom - body.y)
        picture = self._picture_panel.inflate(-px(40), -px(40))
        if self._learn.is_visible:
            size = self._learn.natural_size
            picture.h -= size[1] + gap
            self._learn.place(pygame.Rect(picture.centerx - size[0] // 2, picture.bottom + gap, *size))
        self.board.layout(picture)

    def _place_narrow(self, body: pygame.Rect, gap: int) -> None:
        px = self.px
        self._picture_panel = pygame.Rect(0, 0, 0, 0)
        form = body.copy()
        form.h -= px(_START_HEIGHT) + gap
        top = self._place_panels(form, gap, fills_room=False) + gap
        if self.widgets.page.foot:  # Play stays in sight while the form scrolls
            top = form.bottom + gap
        self._place_start(body.right, top)
        size = self._learn.natural_size
        self._learn.place(pygame.Rect(self._start.rect.x - px(10) - size[0], top + px(4), *size))

    def _place_start(self, right: int, top: int) -> None:
        wide = max(self._start.natural_size[0], self.px(_LEAST_START))
        self._start.place(pygame.Rect(right - wide, top, wide, self.px(_START_HEIGHT)))

    def _place_panels(self, room: pygame.Rect, gap: int, *, fills_room: bool) -> int:
        """Stack the panels in *room*, one of them open; return their bottom."""
        is_open = not self.options_panel.is_open
        players = room.copy()
        players.h -= self.px(LINE_HEIGHT) + gap
        below = self.players_panel.place(players, is_open=is_open) + gap
        self.players_panel.show()
        return self.options_panel.place(pygame.Rect(room.x, below, room.w, room.bottom - below), fills_room=fills_room)

    def draw(self, surface: pygame.Surface) -> None:
        choices = self.choices
        super().draw(surface)
        if self._picture_panel.w:
            self.paint.panel(surface, self._picture_panel)
            state = self.board.sample() if choices.start_state is None else choices.start_state
            self.board.draw(surface, Picture(state))
        page = self.widgets.page
        if page.foot:
            surface.fill(self.theme.line, (0, page.foot_top, page.area.w, max(1, self.px(1))))
        self.players_panel.draw(surface)
        self.options_panel.draw(surface)
        if self.error:
            px, paint, theme, middle = self.px, self.paint, self.theme, self._start.rect.centery
            left = self.options_panel.rect.x
            width = self._start.rect.x - left - px(16 + 30)
            height = paint.paragraph_height(translated(self.error), width, "small strong", 3)
            paint.icon(surface, "warning", (left + px(10), middle), theme.bad_ink)
            inner = pygame.Rect(left + px(30), middle - height // 2, width, height)
            paint.paragraph(surface, translated(self.error), inner, "small strong", theme.bad_ink, most_lines=3)

    def shortcuts(self) -> Sequence[Shortcut]:
        return (
            Shortcut("Enter", _("choose the selected control, or play")),
            Shortcut("F2", _("the rules"), self._show_rules),
            Shortcut("F3", _("the lesson"), self._open_lesson),
            Shortcut("Ctrl+U", _("set up a position"), self.set_up),
        )


def set_up_position(
    stage: Stage, game: Game, options: Mapping[str, str], position: str | None, services: Services
) -> PositionScene:
    """Open the position editor, which leads on to the form for a match from that position.

    Parameters and errors as for ``PositionScene``.
    """
    from papan.ui.scenes.position_editor import PositionScene

    def play(text: str) -> None:
        stage.push(NewGameScene(stage, game, services, text, options))

    scene = PositionScene(stage, game, options, position, services, play)
    stage.push(scene)
    return scene
