"""The actions at a table besides playing: its menu, what keys and buttons do, other scenes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pygame

from papan.ai.players.situations import agrees_to_draw
from papan.game.base.sentences import SentenceError, say, together
from papan.game.game import PartError
from papan.game.match import Conclusion, Match
from papan.game.match.clock import TAG
from papan.game.rules import allied
from papan.ui.boards import Picture
from papan.ui.play.explorer import can_explore
from papan.ui.play.import_export import CopyError, save_text
from papan.ui.play.inquiry import ReviewTask
from papan.ui.play.position_editor import position_shown
from papan.ui.play.reasons import can_explain, decisions_seen
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes.dialogs import Message, Paused, Reply, confirm
from papan.ui.scenes.saving import PictureSaving, copy_record, save_in_words
from papan.ui.scenes.table.model import Part, TableModel
from papan.ui.scenes.table.online import INVITATION, REMOVE, ask_to_remove, removals
from papan.ui.settings import COMPUTER_SPEEDS, Setting, Settings
from papan.ui.texts import N_, _, said, translated
from papan.ui.widgets.dropdown import ActionMenu, Item

if TYPE_CHECKING:
    from papan.ui.play.online_session import Hosting

_SPEED_WORDS = {"slow": N_("slow"), "normal": N_("normal"), "fast": N_("fast"), "at once": N_("at once")}
_SPEED = "speed "


class TableActions(Part):
    """The actions at one table, and the menu of those without a button."""

    def __init__(self, model: TableModel) -> None:
        super().__init__(model)
        self._offered_at = -1
        self._saving: PictureSaving | None = None
        self.review: ReviewTask | None = None
        """The review of the finished match, if it has been opened."""
        self.folded: Sequence[tuple[Item, Callable[[], object]]] = ()
        """Further items of the menu, for buttons that the header has no room for."""

    def build(self) -> ActionMenu:
        tooltip = _("More: resign, draws, pictures and so on (F10)")
        self._menu = self._add(ActionMenu(self.items, self.act, name="more", tooltip=tooltip))
        return self._menu

    def open(self) -> None:
        self._menu.open()

    def _entries(self) -> list[tuple[bool, Item, Callable[[], object]]]:
        """The items of the menu besides the folded buttons: whether each is offered, and what it does."""
        session, settings = self._session, self._stage.settings
        is_on = {True: _("on"), False: _("off")}
        has_details = settings.analysis and self._services.analyst is not None
        has_proof = self._model.has_proof and has_details and settings.engine_details
        draw = _("Accept the draw") if session.draw_is_offered else _("Offer a draw")
        letter = _("Send my move") if session.match.steps else _("Send the match")
        is_here, hosting = self._model.online is None, self._hosting
        confirms, shows = is_on[settings.confirm_turns], is_on[settings.show_legal_steps]
        details, by_proof = is_on[settings.engine_details], is_on[settings.chance_by_proof]
        return [
            (session.can_send, Item("send", letter, "Ctrl+L"), self.send),
            (self.resigning_seat is not None, Item("resign", _("Resign"), "Ctrl+G"), self.resign),
            (self.can_offer_draw, Item("draw", draw, "Ctrl+D"), self.offer_draw),
            (hosting is not None, Item(INVITATION, _("Invitation…")), lambda: hosting and hosting.invite()),
            (self.can_swap, Item("swap", _("Swap sides"), "Ctrl+X"), self.swap_sides),
            (self.can_branch, Item("here", _("New match from here"), "Ctrl+E"), self.branch),
            (is_here, Item("set up", _("Set up a position from here"), "Ctrl+U"), self.set_up),
            (self.can_explain, Item("why", _("Why this move?"), "F3"), self.explain),
            (self.can_explore, Item("explore", _("Explore"), "Ctrl+B"), self.explore),
            (True, Item("confirm", _("Confirm turns"), confirms), partial(self._switch, Settings.confirm_turns)),
            (True, Item("legal", _("Show possible moves"), shows), partial(self._switch, Settings.show_legal_steps)),
            (has_details and is_here, Item("details", _("Engine details"), details), self.toggle_details),
            (has_proof, Item("proof", _("Winning chance by proof search"), by_proof), self.toggle_proof),
            (True, Item("picture", _("Save a picture of the board"), "Ctrl+S"), self.save_picture),
            (
                self.can_copy,
                Item("copy", _("Copy the record"), "Ctrl+C"),
                partial(copy_record, self._stage, self._match),
            ),
        ]

    @property
    def _hosting(self) -> Hosting | None:
        return self._model.online.hosting if self._model.online is not None else None

    def items(self) -> list[Item]:
        session, online = self._session, self._model.online
        items = [item for is_offered, item, _act in self._entries() if is_offered]
        items += [item for item, _act in self.folded]
        if online is not None:
            items += removals(online, self._model.words.names)
        elif not (all(session.turn.is_person) or session.is_remote):
            chosen = translated(_SPEED_WORDS[self._stage.settings.computer_speed])
            items.insert(-3, Item("speed", _("Speed of the computers"), chosen))
        return items

    def act(self, value: str) -> None:
        if value.startswith(_SPEED):
            self._stage.settings.computer_speed = value.removeprefix(_SPEED)
            return
        hosting = self._hosting
        if hosting is not None and value.startswith(REMOVE):
            seat = int(value.removeprefix(REMOVE))
            ask_to_remove(self._stage, hosting, seat, self._model.words.names[seat])
            return
        acts = {item.value: act for _is_offered, item, act in self._entries()}
        acts |= {item.value: act for item, act in self.folded}
        acts["speed"] = self._choose_speed
        acts[value]()
        self._stage.invalidate()

    def _switch(self, setting: Setting[bool]) -> None:
        settings = self._stage.settings
        settings.change(setting, not settings.value(setting))

    def toggle_details(self) -> None:
        self._switch(Settings.engine_details)
        self._stage.apply_settings()

    def toggle_proof(self) -> None:
        self._switch(Settings.chance_by_proof)
        self._stage.invalidate()

    def _choose_speed(self) -> None:
        chosen = self._stage.settings.computer_speed
        items = [
            Item(_SPEED + speed, translated(_SPEED_WORDS[speed]).capitalize(), _("now") if speed == chosen else "")
            for speed in COMPUTER_SPEEDS
        ]
        self._menu.open_with(items)

    def open_review(self, turn: int | None = None) -> None:
        from papan.ui.scenes.review.scene import ReviewScene

        session = self._session
        if self.is_fair_play:
            session.ask_hint()
            return
        review = ReviewScene(self._stage, self._match, session.viewer, self._services, session.number)
        self.review = review.task if self._match.ending is not None else None
        self._stage.push(review)
        if turn is not None:
            review.go_to(turn)

    def new_game(self) -> None:
        from papan.ui.scenes.new_game.scene import NewGameScene

        self._stage.push(NewGameScene(self._stage, self._match.game, self._services))

    def show_rules(self) -> None:
        from papan.ui.scenes.rules_page import RulesScene

        self._stage.push(RulesScene(self._stage, self._match.game))

    def show_settings(self) -> None:
        from papan.ui.scenes.settings import SettingsScene

        self._stage.push(SettingsScene(self._stage))

    @property
    def is_fair_play(self) -> bool:
        """Whether people play at other screens, so that nothing may help this one."""
        online = self._model.online
        return online is not None and online.turn.due != "over" and not online.is_distrusted

    @property
    def can_copy(self) -> bool:
        online = self._model.online
        return online is None or online.is_revealed or not self._match.game.has_hidden_information

    @property
    def can_explore(self) -> bool:
        return not self.is_fair_play and can_explore(self._match)

    @property
    def can_explain(self) -> bool:
        """Whether some player's evaluation can be explained by its terms."""
        helps = not self._session.is_remote or (self._match.ending is not None and not self._session.is_online)
        return helps and can_explain(self._match.game, self._match.states[0])

    def explain(self) -> None:
        """Show what is best in the position on the board, and why; else at the last decision that may be seen."""
        from papan.ui.scenes.why.scene import WhyScene

        reviewed = ReviewedMatch(self._match, self._session.viewer)
        if self.can_explain and not decisions_seen(reviewed):
            self._stage.notify(say("There is no move to explain yet."))
        elif self.can_explain:
            is_open = self._match.ending is None
            index = len(self._match.steps) if is_open else None
            suggested = self._session.known_answer if is_open else None
            self._stage.push(WhyScene(self._stage, reviewed, self._services, index, suggested))

    def explore(self) -> None:
        """Show what was played in the position on the board, in collections of games."""
        from papan.ui.scenes.explorer.scene import explore_match

        explore_match(self._stage, self._match, self._services, self._model.view.seat_in_front)

    def take_back(self) -> None:
        if self._session.can_undo:
            self._session.undo()
            if not self._session.is_online:  # the others are asked
                self._stage.play_sound("taken back")

    def play_again(self) -> None:
        if self._session.can_redo:
            self._session.redo()
            self._stage.play_sound("taken back")

    def pause_or_go_on(self) -> None:
        """Pause the clocks or the computers, or go on.

        A message hides the board while clocks are paused, so that no person can think meanwhile.
        """
        session = self._session
        if session.clock is not None and any(session.turn.is_person):
            if session.turn.due not in ("over", "watching"):
                session.pause()
                go_on = Reply(_("Continue"), session.go_on, kind="primary")
                self._stage.push(Paused(self._stage, _("Paused"), _("The clocks stand still."), [go_on]))
        elif session.turn.is_paused or session.turn.due == "paused":
            session.go_on()
        else:
            session.pause()

    def main_action(self) -> None:
        """Do the main button's action."""
        session = self._session
        if session.turn.due == "confirming":
            session.turn.confirm()
        elif session.is_watching:
            session.play_here()
        elif session.has_unsent:
            self.send()
        elif self._model.online is not None:
            self._model.online.propose("rematch")
        elif session.turn.due == "over":
            self.begin_again(session.match.seats)

    def send(self) -> None:
        """Put what the friend elsewhere is to get on the clipboard, and offer to write it to a file."""
        if not self._session.can_send:
            return
        try:
            text = self._session.send()
        except SentenceError as error:
            self._stage.push(Message(self._stage, _("This can't be sent"), translated(str(error)), icon="warning"))
            return
        self._stage.copy_text(text)
        words = _(
            "It is on the clipboard, {count} characters long: paste it into a mail or a message. "
            "Your friend copies it there, and opens it with Ctrl+V in Papan."
        ).format(count=len(text))
        save = Reply(_("Save as a file"), partial(self._save_letter, text), icon="save")
        replies = [save, Reply(_("Close"), kind="primary")]
        self._stage.push(Message(self._stage, _("Your letter is ready"), words, replies))

    def _save_letter(self, text: str) -> None:
        from papan.online.letters import SUFFIX

        try:
            path = save_text(self._match.game.name, SUFFIX, text)
        except CopyError as error:
            self._stage.notify(say("The letter can't be saved: {reason}.", reason=str(error)))
        else:
            self._stage.notify(say("Saved as {path}", path=str(path)))

    @property
    def _is_being_played(self) -> bool:
        return self._session.turn.due not in ("over", "watching", "settling")

    @property
    def resigning_seat(self) -> int | None:
        """The seat of the person who can resign: the only one at any time, of several the one to act."""
        if not self._is_being_played or len(self._match.seats) == 1 or self._session.passes_to is not None:
            return None
        if not self._session.may_conclude:
            return None
        persons = [seat for seat, is_person in enumerate(self._session.turn.is_person) if is_person]
        if len(persons) == 1:
            return persons[0]
        return self._match.mover if self._match.mover in persons else None

    def resign(self) -> None:
        seat = self.resigning_seat
        if seat is None:
            return
        names = said(together(self._model.words.names[other] for other in self._opponents(seat)))
        text = _("{names} will win the match.").format(names=names)
        conclude = partial(self._session.conclude, Conclusion("resigned", seat))
        confirm(self._stage, _("Resign?"), text, _("Resign"), conclude, _("Play on"))

    @property
    def can_offer_draw(self) -> bool:
        """Whether a person is to act, and has not offered a draw since the last step; elsewhere, at any time."""
        if self._model.online is not None:
            return self._model.online.can_propose("draw")
        seat = self.resigning_seat
        is_due = self._session.turn.due in ("choosing", "completing")
        return seat is not None and is_due and seat == self._match.mover and self._offered_at != len(self._match.steps)

    def offer_draw(self) -> None:
        """Offer all other sides a draw, computers first."""
        if not self.can_offer_draw:
            return
        if self._model.online is not None:
            self._model.online.propose("draw")
            return
        seat = self._match.mover
        self._offered_at = len(self._match.steps)
        if self._session.draw_is_offered:
            self._session.conclude(Conclusion("agreed"))
            return
        if self._session.is_remote:
            self._stage.notify(self._session.offer_draw())
            return
        others = self._opponents(seat)
        is_person, last = self._session.turn.is_person, self._session.last_analysis
        for other in others:
            if not is_person[other] and not agrees_to_draw(self._match, other, last.get(other)):
                self._stage.notify(say("{name} declines the draw.", name=self._model.words.names[other]))
                return
        self._ask_persons(seat, [other for other in others if is_person[other]])

    def _ask_persons(self, seat: int, others: Sequence[int]) -> None:
        """Ask *others* one after the other whether they accept the draw that *seat* offers; then it is agreed."""
        if not others:
            self._session.conclude(Conclusion("agreed"))
            return
        self._session.hide_hands()
        names = self._model.words.names
        title = _("{name} offers a draw").format(name=names[seat])
        text = _("{name}, do you accept it?").format(name=names[others[0]])
        accept = Reply(_("Accept"), lambda: self._ask_persons(seat, others[1:]))
        self._stage.push(Message(self._stage, title, text, [accept, Reply(_("Decline"), kind="primary")]))

    def _opponents(self, seat: int) -> list[int]:
        return [other for other in range(len(self._match.seats)) if not allied(self._match.state, seat, other)]

    @property
    def can_branch(self) -> bool:
        """Whether a new match can begin from this position."""
        has_ended = self._match.ending is not None and self._match.conclusion is None
        is_offered = self._services.go_on_with is not None and not self._session.is_online
        return is_offered and bool(self._match.steps) and not has_ended

    def branch(self) -> None:
        if self.can_branch and self._services.go_on_with is not None:
            self._services.go_on_with(self._branched())
            self._stage.notify(say("This is a new match. The earlier one is kept."))

    def set_up(self) -> None:
        """Open the position editor with the present position; cards hidden from the viewer are dealt anew."""
        from papan.ui.scenes.new_game.scene import set_up_position

        text = position_shown(self._match, self._session.viewer)
        try:
            set_up_position(self._stage, self._match.game, self._match.options, text, self._services)
        except PartError as error:
            title = _("Set up a position")
            self._stage.push(Message(self._stage, title, translated(str(error)), icon="warning"))

    def _branched(self) -> Match:
        """Return a copy of the match to play on, with tags such as the time control."""
        reviewed = ReviewedMatch(self._match, self._session.viewer)
        branched = reviewed.branch(reviewed.turns)
        branched.tags = dict(self._match.tags)
        return branched

    @property
    def can_swap(self) -> bool:
        """Whether players can change seats: not if that would reveal a hidden hand."""
        is_secret = self._match.game.has_hidden_information and bool(self._match.steps)
        is_mixed = len(set(self._match.seats)) > 1
        is_fixed = is_secret or self._session.is_remote
        return self._is_being_played and is_mixed and not is_fixed and self._services.go_on_with is not None

    def swap_sides(self) -> None:
        """Move each player to the next seat of another player, in a match that replaces this one."""
        if not self.can_swap or self._services.go_on_with is None:
            return
        swapped = self._match.up_to(len(self._match.steps)) if not self._match.steps else self._branched()
        swapped.seats = swapped_seats(self._match.seats)
        self._session.abandons = True
        self._services.go_on_with(swapped)
        self._session.abandons = False  # if the other match could not be shown

    def begin_again(self, seats: Sequence[str]) -> None:
        if self._services.start_match is None:
            return
        match, more = self._match, {}
        if match.position is not None and not match.game.has_hidden_information:
            more["position"] = match.position
        if TAG in match.tags:
            more["time_control"] = match.tags[TAG]
        options = dict(match.options)
        if options["first"] != "random" or "position" in more:
            options["first"] = "1"  # the seats stand in the order of play already
        self._services.start_match(match.game, list(seats), options, None, **more)

    def save_picture(self) -> None:
        if self._saving is None or self._saving.is_over:
            save = partial(save_in_words, self._match.game)
            self._saving = PictureSaving(self._stage.paint, self.board_picture(), save)
            self._saving.begin(self._stage)

    def board_picture(self) -> Callable[[], pygame.Surface]:
        """Return a function that draws the board without marks of legal steps."""
        view, area, background = self._model.new_view(), self._model.view.area, self._stage.paint.theme.background
        view.layout(area)
        picture = Picture(self._session.visible_state(self._match.state), last=self._session.last_cells)

        def draw() -> pygame.Surface:
            surface = pygame.Surface(area.bottomright)
            surface.fill(background)
            view.draw(surface, picture)
            return surface.subsurface(view.area.clip(surface.get_rect())).copy()

        return draw


def swapped_seats(seats: Sequence[str]) -> list[str]:
    """Rotate *seats* by the fewest places that change who sits where.

    >>> swapped_seats(["human", "random"]), swapped_seats(["a", "a", "b", "b"])
    (['random', 'human'], ['b', 'a', 'a', 'b'])
    """
    for places in range(1, len(seats)):
        moved = [*seats[-places:], *seats[:-places]]
        if moved != list(seats):
            return moved
    return list(seats)
