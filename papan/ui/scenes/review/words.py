"""The texts of a review: what was played, what was better, the coach's advice, and the figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from papan.ai.evaluation import winning_chance
from papan.ai.limits import own_turns, win_distance
from papan.ai.players import HUMAN
from papan.ai.reviews.marks import key_moments
from papan.game.base.sentences import together
from papan.game.rules import allied, legal_steps
from papan.ui.drawing.theme import Tone
from papan.ui.play.exercise import exercises_of
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.play.turn_names import TurnName, joined_in_sentence, names_in_line, names_in_sentences
from papan.ui.texts import _, in_thousandths, in_whole_numbers, said, translated
from papan.ui.texts.manner import tells_details
from papan.ui.texts.wording import conclusion_in_words, in_units, percent, unbroken

if TYPE_CHECKING:
    from papan.ai.indicators.course import Course
    from papan.ai.reviews.coach import Coach
    from papan.ai.reviews.reviewer import Moment, Review

_NOTICEABLE = 0.02
"""A turn that loses less winning chance than this is called the best."""
_SHOWN_LINE = 3


@dataclass(frozen=True)
class Better:
    name: TurnName
    note: str
    """Its worth, and the expected continuation."""


@dataclass(frozen=True)
class Advice:
    heading: str
    tone: Tone
    body: str
    """With ``**`` around emphasised parts."""
    better: Better | None = None


@dataclass(frozen=True)
class Sign:
    text: str
    tone: Tone


def conspiracy(number: float) -> str:
    """Return a conspiracy number in few letters.

    >>> conspiracy(12.0), conspiracy(math.inf)
    ('12', '∞')
    """
    return "∞" if math.isinf(number) else in_whole_numbers(number)


class ReviewWords:
    """The texts on one match and its review so far."""

    def __init__(self, reviewed: ReviewedMatch) -> None:
        self._reviewed = reviewed
        self._coach: Coach | None = None
        self._reasons: dict[int, list[str]] = {}
        self._turning: tuple[Review, frozenset[int]] | None = None
        """The turning points, and the review that they are from."""
        self.review: Review | None = None
        self.own_course: Course | None = None
        """The course for a threshold chosen by the person; None: the game's own."""
        self.proof_chances: Sequence[float] | None = None
        """The first seat's winning chances by proof numbers, turn by turn; None: the search's are shown."""
        self.trouble = ""
        """Why there is no review, as a sentence."""
        self.seat = reviewed.only_person or 0
        """The figures' seat, whose view the figures show: the only person's, else the first."""
        state = reviewed.states[0]
        seats = range(len(reviewed.names))
        self.is_solo = len(seats) == 1
        self.sides = [
            [other for other in seats if allied(state, seat, other)]
            for seat in seats
            if not any(allied(state, seat, earlier) for earlier in range(seat))
        ]
        """The sides: seats that win together."""

    def forget_language(self) -> None:
        """Forget cached texts, as the language may have changed."""
        self._reasons.clear()
        self._coach = None

    @property
    def course(self) -> Course | None:
        """The course of conspiracy numbers so far; None for none yet."""
        if self.own_course is not None:
            return self.own_course
        return self.review.course if self.review else None

    def moment(self, turn: int) -> Moment | None:
        """Return the review of the position after *turn*; None for none yet."""
        moments = self.review.moments if self.review else ()
        return moments[turn] if turn < len(moments) else None

    def side_name(self, seat: int) -> str:
        """Return the names of the players on the side of *seat*."""
        side = next(side for side in self.sides if seat in side)
        return said(together(self._reviewed.names[member] for member in side))

    def chance(self, moment: Moment) -> float:
        """Return the winning chance of the figures' seat, with two sides: the search's, or by proof numbers."""
        known = self.proof_chances
        if known is None or moment.index >= len(known):
            return moment.chances[self.seat]
        return known[moment.index] if self.seat in self.sides[0] else 1.0 - known[moment.index]

    def title(self, turn: int) -> str:
        """Return the number of *turn*, and its player."""
        seat = self._reviewed.stops[turn].seat
        if seat is None:
            return _("The start")
        if self.is_solo:
            return _("Turn {number}").format(number=turn)
        return _("Turn {number}, {name}").format(number=turn, name=self._reviewed.names[seat])

    def signs(self, turn: int) -> list[Sign]:
        """Return the remarks on *turn*: its mark, and whether it is a turning point."""
        moment, found = self.moment(turn), []
        names: dict[str, Sign] = {
            "!!": Sign(_("!! brilliant"), "good"),
            "!": Sign(_("! good find"), "good"),
            "?!": Sign(_("?! inaccuracy"), "plain"),
            "?": Sign(_("? mistake"), "bad"),
            "??": Sign(_("?? blunder"), "bad"),
        }
        if moment and moment.mark in names:
            found.append(names[moment.mark])
        if turn in self._turning_points():
            found.append(Sign(_("turning point"), found[0].tone if found else "plain"))
        return found

    def _turning_points(self) -> frozenset[int]:
        """Return the turning points: the review's own, and the key moments shown after the match."""
        review = self.review
        if review is None:
            return frozenset()
        if self._turning is None or self._turning[0] is not review:
            keys = key_moments(review) if review.is_complete else []
            self._turning = review, frozenset([*review.turning_points, *(moment.turn for moment in keys)])
        return self._turning[1]

    def sentence(self, turn: int, *, is_spoken: bool = False) -> str:
        """Return sentences on what was played, its value and what was better, with ``**`` around turns.

        :param is_spoken: whether turns are always in words.
        """
        stop, moment = self._reviewed.stops[turn], self.moment(turn)
        if stop.seat is None:
            parts = [_("This is how the game began.")]
        else:
            worth = self._worth(moment, stop.seat) if moment else ""
            name = self._reviewed.turn_name(turn)
            played = f"**{name.words if is_spoken else name.shown}**" + (f" ({worth})" if worth else "")
            parts = [self._judgement_of(played, stop.seat, moment, is_spoken=is_spoken)]
        parts.append(self._end(turn))
        return " ".join(part for part in parts if part)

    def _end(self, turn: int) -> str:
        """Return why the match is over after *turn*, as a sentence; "" if it is not."""
        match = self._reviewed.match
        if turn < self._reviewed.turns or match.ending is None:
            return ""
        if match.conclusion is not None:
            return conclusion_in_words(match.conclusion, match.seats, self._reviewed.names) + "."
        return _("The game is over: {reason}.").format(reason=translated(match.ending.reason))

    def _judgement_of(self, played: str, seat: int, moment: Moment | None, *, is_spoken: bool) -> str:
        if moment is None or moment.best is None:
            return _("Played {turn}.").format(turn=played)
        if self._is_forced(moment.index):
            return _("Played {turn}: there was no other legal move.").format(turn=played)
        if moment.is_best or moment.loss < _NOTICEABLE:
            if moment.mark:
                return _("Played {turn}: the only good turn, and hard to find.").format(turn=played)
            return _("Played {turn}; there was no better turn.").format(turn=played)
        best = moment.best
        has_chance, before = self._reviewed.match.game.has_chance, self._chance_before(moment, seat)
        worth = "" if has_chance else self._score(best.score, before, seat)
        name, *others = (one.words if is_spoken else one.shown for one in self._best_line(moment))
        line = f"**{name}**" + (f" ({worth})" if worth else "")
        if others:
            line += _(", expecting {line}").format(line=joined_in_sentence(others))
        return _("Played {turn}. A better turn was {best}.").format(turn=played, best=line)

    def _is_forced(self, turn: int) -> bool:
        """Whether *turn* was the only legal one."""
        stop, rules = self._reviewed.stops[turn], self._reviewed.match.rules
        states = self._reviewed.states[stop.first_step : stop.turn_end]
        return all(len(legal_steps(state, rules.MOST_STEPS)) == 1 for state in states)

    def _best_line(self, moment: Moment) -> list[TurnName]:
        """Return the first turns of the best line instead of the turn before *moment*, at least one."""
        reviewed, best = self._reviewed, moment.best
        assert best is not None
        start = reviewed.states[reviewed.stops[moment.index - 1].end]
        return list(islice(names_in_line(reviewed.match.game, start, best.steps), _SHOWN_LINE))

    def _worth(self, moment: Moment, seat: int) -> str:
        """Return the value of a turn of *seat*; "" in games with chance."""
        if self._reviewed.match.game.has_chance:
            return ""
        return self._score(moment.score, moment.chances[seat] if moment.chances else 0.5, seat)

    def _score(self, score: float, chance: float, seat: int) -> str:
        """Return a score of the first seat's side, as *seat* sees it."""
        if self.is_solo:
            return in_whole_numbers(score)
        if len(self.sides) != 2 or self.review is None:
            return percent(chance)
        own = score if seat in self.sides[0] else -score
        distance = win_distance(own)
        if distance is None and not tells_details():
            return percent(chance)
        if distance is None:
            return in_units(own, self.review.scale)
        turns = own_turns(distance)
        if turns == 0:
            return _("won") if own > 0 else _("lost")
        return (_("wins in {n}") if own > 0 else _("loses in {n}")).format(n=turns)

    def advice(self, turn: int) -> Advice:
        """Return the advice on *turn*, with what was better."""
        stop, moment = self._reviewed.stops[turn], self.moment(turn)
        if stop.seat is None:
            return Advice(_("The start"), "plain", _("This is how the game began."))
        last = self._end(turn)
        if moment is None or moment.best is None:
            heading = _("No analysis") if self.trouble else _("Not analysed yet")
            return Advice(heading, "plain", " ".join(part for part in (translated(self.trouble), last) if part))
        if moment.is_best or moment.loss < _NOTICEABLE:
            if moment.mark:
                body = _("This was the only good turn, and it was hard to find.")
                return Advice(_("Well found"), "good", f"{body} {last}".strip())
            return Advice(_("The best turn"), "plain", f"{_('There was no better turn.')} {last}".strip())
        better = Better(self._best_line(moment)[0], self._promise(moment, stop.seat))
        reasons, fall = self._reasons_of(turn, moment), self._fall(moment, stop.seat)
        if not moment.mark:
            return Advice(_("A good turn"), "plain", f"{_('Another turn was a little better.')} {last}".strip(), better)
        body = " ".join(part for part in (fall, *reasons[1:-1], last) if part)
        tone: Tone = "plain" if moment.mark == "?!" else "bad"
        return Advice(reasons[0] if reasons else _("There was a better turn"), tone, body, better)

    def _reasons_of(self, turn: int, moment: Moment) -> list[str]:
        from papan.ai.reviews.coach import Coach

        if turn not in self._reasons:
            reviewed, stop = self._reviewed, self._reviewed.stops[turn]
            if self._coach is None:
                game = reviewed.match.game
                self._coach = Coach(game, reviewed.names, names_in_sentences(game))
            start = reviewed.states[reviewed.stops[turn - 1].end]
            steps = reviewed.steps[stop.first_step : stop.turn_end]
            said = self._coach.reasons(start, steps, moment, reviewed.states[stop.end])
            self._reasons[turn] = [translated(one) for one in said]
        return self._reasons[turn]

    def _fall(self, moment: Moment, seat: int) -> str:
        assert moment.best is not None
        if self.is_solo:
            return _("The turn cost **{share}** of the expected score.").format(share=unbroken(moment.loss))
        before, after = self._chance_before(moment, seat), moment.chances[seat]
        words = _("{name}: the winning chance fell from **{before}** to **{after}**.")
        return words.format(name=self._reviewed.names[seat], before=unbroken(before), after=unbroken(after))

    @staticmethod
    def _chance_before(moment: Moment, seat: int) -> float:
        """Return the best turn's chance, searched as deep as the one played."""
        return min(1.0, moment.chances[seat] + moment.loss) if moment.chances else 0.5

    def _promise(self, moment: Moment, seat: int) -> str:
        """Return the score of the better turn, and the expected line after it."""
        best = moment.best
        assert best is not None
        parts = []
        if not self._reviewed.match.game.has_chance:
            parts.append(self._score(best.score, self._chance_before(moment, seat), seat))
        others = [name.shown for name in self._best_line(moment)[1:]]
        if others:
            parts.append(_("then {line}").format(line=joined_in_sentence(others)))
        return " · ".join(parts)

    def accuracy(self, seat: int) -> str:
        found = self.review.accuracy(seat) if self.review else None
        return "" if found is None else f"{found:.0f} %"

    def exercises(self, seat: int | None = None) -> list[int]:
        """Return the turns to try again, those of *seat* or all: of persons only, where one played."""
        if self.review is None:
            return []
        players = self._reviewed.match.seats
        seats = {seat} if seat is not None else set(range(len(players)))
        if HUMAN in players:
            seats = {one for one in seats if players[one] == HUMAN}
        return [index for index in exercises_of(self.review) if self.review.moments[index].seat in seats]

    def first_exercises(self) -> list[int]:
        """Return the exercises shown first: those of the figures' seat, or of the first seat that has any."""
        own = self.exercises(self.seat)
        return own or next(filter(None, map(self.exercises, range(len(self._reviewed.names)))), [])

    def figures(self) -> list[tuple[str, str, str]]:
        """Return each figure's name, its meaning as a sentence, and its player or ""."""
        name = self.side_name(self.seat)
        whose = "" if self.is_solo else self._reviewed.names[self.seat]
        if self.is_solo:
            first = (_("expected score"), _("The final score that a search expects from here."), "")
        elif len(self.sides) == 2:
            meaning = _("How likely {name} is to win from here: 50 % is even.")
            if self.seat == self._reviewed.only_person and [self.seat] in self.sides:
                meaning = _("How likely you are to win from here: 50 % is even.")
            first = (_("winning chance"), meaning.format(name=name), name)
        else:
            meaning = _("How likely each seat is to win from here, in the order of play.")
            first = (_("winning chances"), meaning, "")
        meaning = _(
            "Conspiracy number at each seat's last play: how many evaluations must still change for it to reach "
            "score T within two turns; low means that T is near."
        )
        numbers = (_("conspiracy number") if self.is_solo else _("conspiracy numbers"), meaning, "")
        meaning = _("How open the game is now: highest (0.25) when either side can still win.")
        mean_momentum = (_("mean momentum"), meaning, whose)
        meaning = _(
            "Momentum: the mean velocity v times the mass M = 1 − v, more than the mean of single plays where these "
            "differ."
        )
        momentum = (_("momentum M·v"), meaning, whose)
        meaning = _("How much can still be won: highest (0.296) when the goal is far but within reach.")
        energy = (_("potential energy"), meaning, whose)
        meaning = _(
            "Zones and stability traps are named in games for one player only: with opponents, low numbers that "
            "hardly change are the winner's."
        )
        if self.is_solo:
            meaning = _(
                "Where the last play lies: high or low conspiracy number, large or small change, and the feeling that "
                "goes with it."
            )
        return [first, numbers, mean_momentum, momentum, energy, (_("zone"), meaning, "")]

    def values(self, turn: int) -> list[str]:
        """Return the values of the figures after *turn*, "" for unknown ones."""
        first, course = self._promise_of(self.moment(turn)), self.course
        if course is None or not course.plays:
            return [first, *[""] * 5]
        lasts = [course.last(seat, turn) for seat in range(len(self._reviewed.names))]
        numbers = ["–" if place is None else conspiracy(course.plays[place].number) for place in lasts]
        return [first, " · ".join(numbers), *self._motion(course, lasts[self.seat])]

    def _promise_of(self, moment: Moment | None) -> str:
        """Return the score or the winning chances at *moment*."""
        if moment is None:
            return ""
        if self.is_solo:
            return in_whole_numbers(moment.score)
        if len(self.sides) == 2:
            return percent(self.chance(moment))
        return " · ".join(percent(chance).removesuffix(" %") for chance in moment.chances) + " %"

    def _motion(self, course: Course, place: int | None) -> list[str]:
        """Return mean momentum, momentum, potential energy and, in a solo game, zone and stage of a play."""
        if place is None:
            return [""] * 4
        motion, kinds = course.motions[place], (course.zones[place], course.stages[place])
        names = [translated(kind.value) for kind in kinds if kind] if self.is_solo else ["–"]
        figures = (motion.mean_momentum, motion.momentum, motion.potential_energy)
        return [*(in_thousandths(figure) for figure in figures), " · ".join(names)]

    def shares(self, values: Sequence[float]) -> list[float]:
        """Scale minimax *values* to 0–1 for a chart: as winning chances, or in a solo game by their range."""
        if not self.is_solo:
            scale = self.review.scale if self.review else 1.0
            return [winning_chance(value, scale) for value in values]
        low, high = min(values, default=0.0), max(values, default=0.0)
        return [(value - low) / (high - low) if high > low else 0.5 for value in values]

    def value(self, value: float) -> str:
        """Return a minimax *value* in words, for the figures' seat."""
        distance = win_distance(value)
        if self.is_solo or self.review is None:
            return in_whole_numbers(value)
        if distance is None:
            return in_units(value, self.review.scale)
        return (_("wins in {n}") if distance > 0 else _("loses in {n}")).format(n=own_turns(distance))

    def progress(self, is_working: bool) -> str:
        """Return the progress of the review in words; "" once it is complete."""
        if not is_working:
            return ""
        if self.review is None or not self.review.moments:
            return _("preparing to analyse …")
        done = len(self.review.moments) - 1
        return _("analysing {done} / {all}").format(done=done, all=self.review.total - 1)
