"""What is heard at a table: the steps that are shown, what a person does, hints, and the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from papan.game.rules import Ending
from papan.ui.play.session import Session, ShownStep
from papan.ui.scenes import Stage
from papan.ui.sounds import Cue, Sound

_OUTCOMES: dict[str, Sound] = {"won": "won", "lost": "lost", "draw": "drawn", "over": "drawn"}


class TableSounds:
    """The sounds of one session. Of several that fall into one frame, only the last is heard."""

    def __init__(
        self, stage: Stage, session: Session, cues: Callable[[ShownStep], Sequence[Cue]], viewer: int | None
    ) -> None:
        """:param cues: the board's for a step that is shown.
        :param viewer: the only person's seat, for whom matches are won and lost; None where there is none.
        """
        self._stage = stage
        self._session = session
        self._cues = cues
        self._viewer = viewer
        self._shown: ShownStep | None = None
        self._waiting: list[Cue] = []
        self._hint: int | None = session.hint
        self._was_over = session.match.ending is not None
        stage.prepare_sounds()

    def advance(self, progress: float) -> None:
        """Have heard what belongs to the step that is shown, as far as it is on its way: 1 for all of it."""
        showing = self._session.showing
        if showing is not self._shown:
            self._shown = showing
            self._waiting = sorted(self._cues(showing), key=lambda cue: cue.at) if showing else []
        due = [cue for cue in self._waiting if cue.at <= progress]
        if due:
            self._waiting = self._waiting[len(due) :]
            self._stage.play_sound(due[-1].sound, due[-1].loudness)

    def pointed(self, refusal: str | None) -> None:
        """A person has pointed at a cell: the step is refused, begun, or complete, which is heard as it is shown."""
        if refusal:
            self._stage.play_sound("refused")
        elif self._session.turn.due == "completing":
            self._stage.play_sound("lift")

    def taken_back(self) -> None:
        """Something was taken back, or is played again."""
        self._stage.play_sound("taken back")

    def update(self) -> None:
        """Have heard that a hint was found, and that the match is over."""
        hint, ending = self._session.hint, self._session.match.ending
        if hint is not None and hint != self._hint:
            self._stage.play_sound("hint")
        self._hint = hint
        is_over = ending is not None and self._session.showing is None
        if is_over and not self._was_over and ending is not None:
            self._stage.play_sound(self._outcome(ending))
        self._was_over = is_over

    def _outcome(self, ending: Ending) -> Sound:
        """Won or lost for the only person, and for anybody else won."""
        if self._viewer is not None:
            return _OUTCOMES[ending.outcome(self._viewer)]
        return "won" if ending.winners else "drawn"
