"""Animation and sound at a table: steps as they are played, and the replay of the last turn."""

from __future__ import annotations

from papan.game.rules import CHANCE, State, mover
from papan.ui.boards import Moving, Picture
from papan.ui.play.session import ShownStep
from papan.ui.scenes.playing import StepAnimation
from papan.ui.scenes.table.model import Part, TableModel
from papan.ui.settings import COMPUTER_ANIMATIONS
from papan.ui.sounds import Cue, Sound

_PAUSE_SECONDS = 0.7
"""Between the end of the match and the replay of its last turn."""
_REPLAY_SPEED = 0.5

_OUTCOMES: dict[str, Sound] = {"won": "won", "lost": "lost", "draw": "drawn", "over": "drawn"}


class TableSounds(Part):
    """The sounds of one table. Of several in one frame, only the last is played."""

    def __init__(self, model: TableModel) -> None:
        super().__init__(model)
        self._viewer = model.view.seat_in_front
        self._shown: ShownStep | None = None
        self._waiting: list[Cue] = []
        self._hint = self._session.hint
        self._was_over = self._match.ending is not None
        self._stage.prepare_sounds()

    def advance(self, progress: float) -> None:
        """Play the cues that are due at *progress*, from 0 to 1, of the animation."""
        showing, seen = self._session.showing, self._session.visible_state
        if showing is not self._shown:
            self._shown, self._waiting = showing, []
            if showing is not None:
                cues = self._model.view.cues(seen(showing.before), showing.step, seen(showing.after))
                self._waiting = sorted(cues, key=lambda cue: cue.at)
        due = [cue for cue in self._waiting if cue.at <= progress]
        if due:
            self._waiting = self._waiting[len(due) :]
            self._stage.play_sound(due[-1].sound, due[-1].loudness)

    def pointed(self, refusal: str | None) -> None:
        """Play the sound of pointing at a cell; a complete step sounds during its animation."""
        if refusal:
            self._stage.play_sound("refused")
        elif self._session.turn.due == "completing":
            self._stage.play_sound("lift")

    def update(self) -> None:
        """Play the sounds of a new hint, and of the end."""
        hint, ending, is_over = self._session.hint, self._match.ending, self._model.is_over
        if hint is not None and hint != self._hint:
            self._stage.play_sound("hint")
        self._hint = hint
        if is_over and not self._was_over and ending is not None:
            outcome = "won" if ending.winners else "draw"
            if self._viewer is not None:  # the only person
                outcome = ending.outcome(self._viewer)
            self._stage.play_sound(_OUTCOMES[outcome])
        self._was_over = is_over


class TableAnimation(StepAnimation):
    def __init__(self, model: TableModel, sounds: TableSounds) -> None:
        super().__init__(model.stage, model.session, lambda *step: model.view.duration(*step))
        self._model = model
        self._sounds = sounds

    def update(self, seconds: float) -> None:
        session = self._model.session
        if session.showing is None:
            self.progress = 0.0
            return
        seat, is_person = int(mover(session.showing.before)), session.turn.is_person
        is_watched = session.is_online or (any(is_person) if seat == CHANCE else is_person[seat])
        share = 1.0 if is_watched else COMPUTER_ANIMATIONS[self.stage.settings.computer_speed]
        is_shown = self.advance(seconds, share)
        self._sounds.advance(self.progress)
        # A computer waits until the step before its own is saved, so that a kill loses one step at most.
        if is_shown and (session.turn.person_is_due() or not session.is_being_saved):
            self.finish()

    def finish(self) -> None:
        self._sounds.advance(1.0)
        super().finish()


class Replay:
    """The replay of the last turn of a match, in slow motion."""

    def __init__(self, model: TableModel) -> None:
        match, seen = model.match, model.session.visible_state
        turn = match.turns()[-1]
        states = [seen(state) for state in match.states[turn.first_step : turn.end_step + 1]]
        steps = match.steps[turn.first_step : turn.end_step]
        self._steps: list[tuple[State, int, State]] = list(zip(states, steps, states[1:], strict=False))
        self._duration = model.view.duration
        self._waiting = _PAUSE_SECONDS
        self._progress = 0.0

    @property
    def is_over(self) -> bool:
        return not self._steps

    def advance(self, seconds: float, speed: float) -> None:
        if self._waiting > 0:
            self._waiting -= seconds
            return
        duration = self._duration(*self._steps[0])
        self._progress += seconds * speed * _REPLAY_SPEED / duration if duration and speed else 1.0
        if self._progress >= 1.0:
            self._steps.pop(0)
            self._progress = 0.0

    @property
    def picture(self) -> Picture | None:
        """The board's picture; None before the replay begins, and after it."""
        if not self._steps or self._waiting > 0:
            return None
        before, step, after = self._steps[0]
        return Picture(before, moving=Moving(before, step, after, self._progress))
