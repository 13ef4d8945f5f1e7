"""A table: what is refused, agreed, seen, and taken up again."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from papan.game.match import Conclusion, record
from papan.game.rules import observe
from papan.online.mirror import UntrueError, checked_record
from papan.online.protocol import ENCODER, Answer, Ask, Over, Phrase, Play, Resign, Round, Update, Waiting
from papan.online.table import Member, Note, Plan, Refusal, Table, TableError
from tests.game.kernel.letters import GAME as LETTERS
from tests.game.kernel.letters import HEADS, STOP, TAILS
from tests.online.tables import SECRET, Now, Place, in_order, match_of, mover_of, seated, table_of

TWO_TO_FOUR = pytest.mark.parametrize("seats", [2, 3, 4])


def refused(place: Place, request: Play | Ask | Answer | Resign) -> str:
    before = place.table.revision, list(match_of(place.table).steps) if place.table.match else None
    with pytest.raises(Refusal) as error:
        place.act(request)
    assert (place.table.revision, list(match_of(place.table).steps) if place.table.match else None) == before
    return error.value.why


def drop_columns(places: list[Place], columns: list[int]) -> None:
    """Play connect four until the rules end it, or *columns* do."""
    for column in columns:
        mover_of(places).play(column)


WIN = [0, 1, 0, 1, 0, 1, 0]


class TestWhatCanBe:
    @pytest.mark.parametrize(
        ("game", "seats", "plan"),
        [
            ("2048", 1, {}),
            ("connect-four", 3, {}),
            ("catur-jawa", 2, {"position": "x"}),
            ("connect-four", 2, {"options": {"colour": "red"}}),
            ("connect-four", 2, {"options": {"first": "3"}}),
            ("connect-four", 2, {"position": "nonsense"}),
        ],
    )
    def test_no_table(self, game: str, seats: int, plan: dict[str, str]) -> None:
        with pytest.raises(TableError):
            table_of(game, seats, **plan)  # type: ignore[arg-type]

    def test_names_that_the_protocol_forbids_are_made_plain(self) -> None:
        table = table_of()
        place = Place(table, 0)
        place.table.arrived(0)
        place.table.join(0, " \x1b[31m" + "long" * 20 + "\u202e", bytes(16))
        place.table.join(1, "", bytes(16))
        assert place.read().begun is not None and place.begun.names[1] == "?"
        assert place.begun.names[0].startswith("\\x1b[31mlong") and len(place.begun.names[0]) == 40


class TestBegin:
    def test_when_all_persons_have_come(self) -> None:
        table = table_of("catur-jawa", 3, computers=[1])
        first = Place(table, 0).sit("Ann")
        assert table.match is None and first.read().waiting == Waiting(["Ann", "P2"], [True, False])
        assert refused(first, Resign(0)) == refused(first, Ask("undo")) == "not yet"
        Place(table, 2).sit("Ben")
        assert match_of(table).seats == ["Ann", "P1", "Ben"]
        assert first.read().begun is not None and first.begun.here == [True, False, True]

    def test_who_was_removed_before_is_waited_for(self) -> None:
        table = table_of()
        Place(table, 0).sit("Ann")
        table.invite_anew(0)
        Place(table, 1).sit("Ben")
        assert table.match is None

    def test_the_last_share_told_counts(self) -> None:
        """A guest's program that was killed comes back with another one."""
        table = table_of()
        Place(table, 0).sit("Ann")
        again = Place(table, 0).sit("Ann")
        Place(table, 1).sit("Ben")
        again.read()
        over = ended(again)
        assert again.share is not None and again.share in over.shares

    def test_the_newest_window_keeps_the_seat(self) -> None:
        """Also after the program's end."""
        notes: list[Note] = []
        table = table_of(notes=notes)
        older, newer = b"window 1", b"window 2"
        assert table.takes(0, older) and table.takes(0, older) and table.takes(1, older)
        assert table.takes(0, newer) and not table.takes(0, older)
        again = table_of()
        again.resume(notes)
        assert not again.takes(0, older) and again.takes(0, newer) and again.takes(1, older)

    def test_the_host_is_committed_before_it_knows_a_share(self) -> None:
        table = table_of()
        place = Place(table, 0)
        assert place.welcome is not None and place.welcome.commitment is not None
        promised = place.welcome.commitment
        place.sit("Ann")
        Place(table, 1).sit("Ben")
        place.read()
        assert place.begun is not None and place.begun.commitment == promised
        assert table.welcome(0).commitment is None

    def test_a_host_that_changes_its_mind_is_found_out(self) -> None:
        table = table_of()
        place = Place(table, 0).sit("Ann")
        table.plan.secret = b"another secret of thirty-two byt"
        Place(table, 1).sit("Ben")
        with pytest.raises(UntrueError, match="another deal"):
            place.read()


def ended(place: Place) -> Over:
    """The end of the round, which *place* resigns."""
    place.act(Resign(place.table.round))
    return next(message for message in place.poll() if isinstance(message, Over))


class TestPlay:
    def test_refusals(self) -> None:
        table = table_of()
        places = seated(table)
        first, second = in_order(places)
        assert refused(second, Play(0, 0, 3)) == "not your turn"
        assert refused(first, Play(0, 0, 99)) == "illegal"
        assert refused(first, Play(1, 0, 3)) == "over"
        assert refused(first, Play(0, 1, 3)) == "not your turn"
        first.play(3)
        assert refused(first, Play(0, 0, 4)) == "another step"
        assert refused(first, Play(0, 1, 3)) == "not your turn"
        drop_columns(places, [1, 3, 1, 3, 1, 3])
        assert match_of(table).ending is not None
        assert refused(second, Play(0, 7, 3)) == refused(second, Resign(0)) == refused(second, Ask("undo")) == "over"
        assert refused(second, Ask("draw")) == "over"

    def test_said_again_it_changes_nothing(self) -> None:
        table = table_of()
        first, _ = in_order(seated(table))
        first.play(3)
        first.act(Play(0, 0, 3))
        assert list(match_of(table).steps) == [3]

    @pytest.mark.parametrize("game", ["connect-four", "santorini", "xiangqi", "cifra"])
    def test_a_mirror_sees_the_match(self, game: str) -> None:
        table = table_of(game, options={})
        places, random = [*seated(table), Place(table, None)], Random(5)
        while match_of(table).ending is None and len(match_of(table).steps) < 60:
            mover_of(places[:2]).play(random.choice(match_of(table).legal_steps()))
            random.choice(places).read()
        for place in places:
            mirror = place.read().mirror
            assert mirror is not None and list(mirror.states) == list(match_of(table).states)
            assert mirror.ending == match_of(table).ending

    @TWO_TO_FOUR
    def test_resigning_ends_it(self, seats: int) -> None:
        table = table_of("catur-jawa", seats)
        places = seated(table)
        places[-1].act(Resign(0))
        assert match_of(table).conclusion == Conclusion("resigned", places[-1].seat)
        places[-1].act(Resign(7))  # of another round: nothing
        for place in places:
            assert place.read().mirror is not None and place.mirror.ending == match_of(table).ending


class TestUndo:
    @TWO_TO_FOUR
    def test_needs_all_persons(self, seats: int) -> None:
        table = table_of("catur-jawa", seats)
        places = seated(table)
        asker, *others = in_order(places)
        assert refused(asker, Ask("undo")) == "nothing to undo"
        for place in in_order(places):
            place.play()
        before = match_of(table).states[0]
        asker.act(Ask("undo"))
        asker.act(Ask("undo"))  # said again
        assert refused(asker, Answer("undo", True)) == "nobody asked"
        assert refused(others[0], Answer("draw", True)) == "nobody asked"
        for place in others[:-1]:
            place.act(Answer("undo", True))
            asker.act(Ask("undo"))  # said again, it takes back no agreement
            assert len(match_of(table).steps) == seats and table.question is not None
        for place in places:
            assert place.read().update is not None and place.update.question == ("undo", 0)
        others[-1].act(Ask("undo"))  # asking for the same is agreeing
        assert list(match_of(table).steps) == [] and match_of(table).state == before and table.question is None
        assert not match_of(table).can_redo
        for place in places:
            assert place.read().mirror is not None and len(place.mirror.states) == 1

    def test_one_no_is_enough(self) -> None:
        table = table_of()
        first, second = in_order(seated(table))
        first.play(3)
        first.act(Ask("undo"))
        second.act(Answer("undo", False))
        assert table.question is None and list(match_of(table).steps) == [3]
        assert refused(second, Answer("undo", True)) == "nobody asked"

    def test_a_step_meanwhile_is_an_answer(self) -> None:
        table = table_of()
        first, second = in_order(seated(table))
        first.play(3)
        first.act(Ask("undo"))
        second.play(3)
        assert table.question is None

    def test_the_last_turn_of_who_asks(self) -> None:
        table = table_of()
        places = seated(table)
        first, second = in_order(places)
        drop_columns(places, [0, 1, 2, 3, 4])
        second.act(Ask("undo"))
        first.act(Answer("undo", True))
        assert list(match_of(table).steps) == [0, 1, 2]
        drop_columns(places, [6])
        for place in places:  # who had read nothing, and who had read all
            assert place.read().mirror is not None and list(place.mirror.steps) == [0, 1, 2, 6]

    def test_a_turn_of_two_steps(self) -> None:
        table = table_of("santorini", options={"first": "1", "gods": "none", "placement": "random"})
        places = seated(table)
        mover = mover_of(places)
        turn = 0
        while match_of(table).mover == mover.seat:
            mover.play()
            turn += 1
        assert turn > 1
        mover.act(Ask("undo"))
        next(place for place in places if place is not mover).act(Answer("undo", True))
        assert len(match_of(table).steps) == 0

    def test_computers_agree(self) -> None:
        table = table_of(computers=[1])
        [person] = seated(table)
        person.play(3)
        table.play_step(3)
        person.act(Ask("undo"))
        assert list(match_of(table).steps) == []


class TestDraw:
    @TWO_TO_FOUR
    def test_needs_all(self, seats: int) -> None:
        table = table_of("catur-jawa", seats)
        asker, *others = seated(table)
        asker.act(Ask("draw"))
        for place in others:
            assert match_of(table).ending is None
            place.act(Answer("draw", True))
        assert match_of(table).conclusion == Conclusion("agreed")

    def test_a_computer_is_asked_too(self) -> None:
        table = table_of("catur-jawa", 3, computers=[1])
        asker, other = seated(table)
        asker.act(Ask("draw"))
        assert table.computer_asked == 1
        other.act(Answer("draw", True))
        assert match_of(table).ending is None
        table.act(1, Answer("draw", True))
        assert match_of(table).conclusion == Conclusion("agreed") and table.computer_asked is None

    def test_another_question_takes_the_place_of_the_first(self) -> None:
        table = table_of()
        first, second = in_order(seated(table))
        first.play(3)
        first.act(Ask("draw"))
        second.act(Ask("rematch")) if match_of(table).ending else second.act(Ask("draw"))
        assert match_of(table).conclusion == Conclusion("agreed")


class TestRematch:
    @pytest.mark.parametrize("first", ["1", "random"])
    @TWO_TO_FOUR
    def test_everybody_moves_up(self, seats: int, first: str) -> None:
        table = table_of("catur-jawa", seats, options={"first": first})
        places = seated(table)
        assert refused(places[0], Ask("rematch")) == "not yet"
        before = list(table.order)
        for number in range(seats):
            assert table.order == [*before[number:], *before[:number]]
            assert match_of(table).seats == [f"P{member}" for member in table.order]
            mine = {place.member: place.read().share for place in places}
            places[0].act(Resign(number))
            overs = [next(one for one in place.poll() if isinstance(one, Over)) for place in places]
            for over in overs:
                assert over.shares == [mine[n] for n in range(seats)]
            places[-1].act(Ask("rematch"))
            for place in places[:-1]:
                assert table.round == number
                place.act(Answer("rematch", True))
            assert table.round == number + 1
        assert table.order == before

    def test_the_first_seat_begins_each_round_of_connect_four(self) -> None:
        table = table_of(options={"first": "2"})
        places = seated(table)
        assert mover_of(places).member == 1
        places[0].act(Resign(0))
        places[0].act(Ask("rematch"))
        places[1].act(Ask("rematch"))
        assert mover_of(places).member == 0
        record.read(record.write(match_of(table)))  # is one

    def test_the_end_of_the_round_before_is_told_to_who_missed_it(self) -> None:
        table = table_of()
        late, quick = seated(table)
        late.read()
        drop_columns([late, quick], [0])
        quick.act(Resign(0))
        for place in (late, quick):
            place.act(Ask("rematch"))
        told = late.poll()
        assert [type(one) for one in told] == [Over, Round, Update]
        assert Place(table, None).poll()[0].__class__ is Round  # a newcomer's link leaves it out

    def test_who_comes_after_the_end_is_told_the_round_first(self) -> None:
        table = table_of()
        places = seated(table)
        drop_columns(places, WIN)
        assert [type(one) for one in Place(table, 0).poll()] == [Round, Update, Over]

    def test_the_next_commitment_is_told_at_the_end(self) -> None:
        table = table_of()
        places = seated(table)
        places[0].read()
        over = ended(places[0])
        table.plan.secret = b"another secret of thirty-two byt"
        for place in places:
            place.act(Ask("rematch"))
        assert over.commitment and places[0].share is not None
        with pytest.raises(UntrueError, match="another deal"):
            places[0].read()


class TestClocks:
    def test_runs_for_the_mover_and_gives_the_increment(self) -> None:
        now = Now()
        table = table_of(control="60+5", now=now)
        first, second = in_order(seated(table))
        now.turn(10, table)
        first.play(3)
        update = second.read().update
        assert update is not None and update.clocks is not None
        assert update.clocks.left == [55.0, 60.0] and update.clocks.running == 1
        assert match_of(table).tags["TimeControl"] == "60+5"

    @pytest.mark.parametrize(("pauses", "left"), [(True, 50.0), (False, 40.0)])
    def test_pauses_or_runs_while_somebody_is_away(self, pauses: bool, left: float) -> None:
        now = Now()
        table = table_of(control="60+0", pauses=pauses, now=now)
        first, second = in_order(seated(table))
        now.turn(10, table)
        table.left(second.member or 0)
        assert (first.read().update or Update(0, 0, 0, [], [])).present == [True, False]
        now.turn(10, table)
        table.arrived(second.member or 0)
        assert table.clock is not None and table.clock.left[0] == left
        assert first.read().update is not None and first.update.present == [True, True]

    def test_two_connections_of_one_count_once(self) -> None:
        table = table_of()
        seated(table)
        table.arrived(0)
        table.left(0)
        assert table.is_present(0)
        table.left(0)
        table.left(0)
        assert not table.is_present(0)

    def test_a_fallen_flag_ends_it(self) -> None:
        now, notes = Now(), list[Note]()
        table = table_of(control="60+0", now=now, notes=notes)
        first, second = in_order(seated(table))
        now.turn(61, table)
        assert match_of(table).conclusion == Conclusion("time", 0)
        assert refused(first, Play(0, 0, 3)) == "over"
        assert second.read().mirror is not None and second.mirror.ending == match_of(table).ending
        assert second.update is not None and second.update.clocks is not None
        assert second.update.clocks.running == -1 and second.update.clocks.left == [0.0, 60.0]

    def test_a_step_after_the_time_is_not_played(self) -> None:
        now = Now()
        table = table_of(control="60+0", now=now)
        first, _ = in_order(seated(table))
        now.turn(59.5, table)
        now.seconds += 0.7
        first.act(Play(0, 0, 3))
        assert match_of(table).conclusion == Conclusion("time", 0) and not match_of(table).steps

    def test_by_turn_an_undo_gives_all_back(self) -> None:
        now = Now()
        table = table_of(control="1/30", now=now)
        first, second = in_order(seated(table))
        now.turn(10, table)
        first.play(3)
        now.turn(10, table)
        first.act(Ask("undo"))
        second.act(Answer("undo", True))
        assert table.clock is not None and table.clock.left == (30.0, 30.0)


class TestComputers:
    def test_who_is_due(self) -> None:
        table = table_of("catur-jawa", 3, computers=[1, 2])
        [person] = seated(table)
        assert table.computer_due is None
        person.play()
        assert table.computer_due == 1
        table.play_step(match_of(table).legal_steps()[0])
        assert table.computer_due == 2
        table.forfeit(2)
        assert match_of(table).conclusion == Conclusion("forfeited", 2) and table.computer_due is None


class TestPhrases:
    def test_carry_the_seat(self) -> None:
        table = table_of()
        assert table.said(0, Phrase(1)) is None  # nobody has a seat yet
        places = seated(table)
        said = table.said(1, Phrase(1))
        assert said is not None and (said.seat, said.number) == (places[1].seat, 1)


class TestHidden:
    @TWO_TO_FOUR
    def test_each_sees_what_its_seat_sees(self, seats: int) -> None:
        table = table_of("catur-jawa", seats)
        places, random = [*seated(table), Place(table, None)], Random(3)
        while match_of(table).ending is None:
            mover_of(places[:-1]).play(random.choice(match_of(table).legal_steps()))
            random.choice(places).read()
        for place in places:
            mirror = place.read().mirror
            seat = -1 if place.member is None else place.seat
            assert mirror is not None
            seen = [observe(state, seat) for state in mirror.states]  # it deals cards that are played to who hid them
            assert seen == [observe(state, seat) for state in match_of(table).states]


def played_out(place: Place) -> Over:
    """Play *place*'s table to its end; return what it is told then."""
    table, random = place.table, Random(1)
    others = [place, *(Place(table, n) for n in range(len(table.plan.members)) if n != place.member)]
    place.read()
    while match_of(table).ending is None:
        mover_of(others).play(random.choice(match_of(table).legal_steps()))
    return end_told(place)


def end_told(place: Place) -> Over:
    """Take up the news, and return the end of the round among them."""
    told = place.poll()
    for message in told:
        if isinstance(message, Update):
            assert place.mirror is not None
            place.mirror.follow(message)
    return next(message for message in told if isinstance(message, Over))


class TestAnUntrueHost:
    """``checked_record`` finds out each change of what was told."""

    @pytest.fixture(params=["catur-jawa", "connect-four", "santorini"])
    def place(self, request: pytest.FixtureRequest) -> Place:
        return seated(table_of(request.param, options={}))[0]

    def check(self, place: Place, over: Over) -> None:
        assert place.mirror is not None and place.begun is not None
        checked_record(place.mirror, place.begun, over, place.share, place.member or 0)

    def test_a_true_one_passes(self, place: Place) -> None:
        over = played_out(place)
        self.check(place, over)
        assert place.mirror is not None and place.begun is not None
        checked_record(place.mirror, place.begun, over, None, 0)

    def test_another_secret(self, place: Place) -> None:
        over = played_out(place)
        with pytest.raises(UntrueError, match="committed to another deal"):
            self.check(place, msgspec.structs.replace(over, secret=bytes(32)))

    def test_another_round(self, place: Place) -> None:
        over = played_out(place)
        with pytest.raises(UntrueError):
            self.check(place, msgspec.structs.replace(over, round=1))

    def test_a_share_left_out(self, place: Place) -> None:
        over = played_out(place)
        with pytest.raises(UntrueError, match="left your part out"):
            self.check(place, msgspec.structs.replace(over, shares=[bytes(16), bytes(16)]))

    def test_another_share_of_the_other(self, place: Place) -> None:
        over = played_out(place)
        with pytest.raises(UntrueError, match="another seed"):
            self.check(place, msgspec.structs.replace(over, shares=[over.shares[0], bytes(16)]))

    @pytest.mark.parametrize("tag", ["Seed", "Seat1", "Options"])
    def test_another_tag(self, place: Place, tag: str) -> None:
        over = played_out(place)
        lines = [
            f'[{tag} "{ {"Seed": "5", "Seat1": "Eve", "Options": "first=2"}[tag] }"]'
            if line.startswith(f"[{tag} ")
            else line
            for line in over.record.split("\n")
        ]
        with pytest.raises(UntrueError):
            self.check(place, msgspec.structs.replace(over, record="\n".join(lines)))

    def test_a_text_that_is_no_record(self, place: Place) -> None:
        over = played_out(place)
        for text in ("", "nonsense", over.record[:-20], over.record.replace("1. ", "2. ")):
            with pytest.raises(UntrueError):
                self.check(place, msgspec.structs.replace(over, record=text))

    @pytest.mark.parametrize("first", ["random", "1"])
    def test_another_lot(self, first: str) -> None:
        """The host seats people as it likes, not as the seed or the option tells."""
        table = table_of("connect-four", options={"first": first})
        place = seated(table)[0]
        table.order.reverse()
        match_of(table).seats.reverse()
        with pytest.raises(UntrueError, match="another lot"):
            self.check(place, played_out(place))

    def test_another_deal(self) -> None:
        """The host deals itself better cards than the seed gives."""
        table = table_of("catur-jawa", 2)
        place = seated(table)[0]
        match = match_of(table)
        other = type(match).new(table.game, ["a", "b"], table.options, seed=9)
        match._states[0] = other.states[0]
        with pytest.raises(UntrueError, match="another seed"):
            self.check(place, played_out(place))

    def test_another_start_of_an_open_game(self) -> None:
        table = table_of("santorini", options={"gods": "none", "placement": "random"})
        place = seated(table)[0]
        match = match_of(table)
        match._states[0] = type(match).new(table.game, ["a", "b"], table.options, seed=9).states[0]
        over = played_out(place)
        with pytest.raises(UntrueError, match="another seed"):
            self.check(place, over)

    def test_a_start_that_was_told_passes(self) -> None:
        text = table_of("connect-four").game.rules.text
        set_up = table_of("connect-four")
        places = seated(set_up)
        drop_columns(places, [3, 3])
        table = table_of("connect-four", position=text(match_of(set_up).state))
        place = seated(table)[0]
        over = played_out(place)
        assert place.begun is not None and place.begun.is_set_up
        self.check(place, over)

    def test_another_step(self) -> None:
        """The host's record has a step that it did not tell."""
        table = table_of("connect-four")
        places = seated(table)
        place = places[0].read()
        drop_columns(places, WIN)
        over = end_told(place)
        table.match = match_of(table).up_to(5)
        table.match.play(6)
        table.match.play(0)
        table._over = None
        table._finish()
        assert table._over is not None
        with pytest.raises(UntrueError, match="other moves"):
            self.check(place, msgspec.structs.replace(over, record=table._over.record))

    def test_another_state_shown(self) -> None:
        table = table_of("catur-jawa", 2)
        place = seated(table)[1].read()
        assert place.mirror is not None
        over = played_out(place)
        states = place.mirror._states
        states[7] = observe(states[7], -1)
        with pytest.raises(UntrueError, match="another position after step 7"):
            self.check(place, over)

    def test_another_result(self) -> None:
        table = table_of("connect-four")
        place, other = seated(table)
        place.read()
        other.act(Resign(0))
        over = next(one for one in place.poll() if isinstance(one, Over))
        assert place.mirror is not None
        place.mirror.conclude(Conclusion("agreed"))
        with pytest.raises(UntrueError, match="another result"):
            self.check(place, over)

    def test_no_result(self) -> None:
        table = table_of("connect-four")
        places = seated(table)
        place = places[0].read()
        drop_columns(places, WIN)
        over = end_told(place)
        assert place.mirror is not None
        place.mirror.undo()
        place.mirror.forget_undone()
        with pytest.raises(UntrueError, match="another result"):
            self.check(place, msgspec.structs.replace(over, record=record.write(match_of(table).up_to(6))))


class TestResume:
    """A table whose notes are read again is the same one."""

    def again(self, table: Table, notes: list[Note], now: Now | None = None) -> Table:
        members = [Member(f"P{n}", one.key, one.player) for n, one in enumerate(table.plan.members)]
        plan = table.plan
        made = Plan(plan.game, members, plan.options, plan.host, b"", plan.control, plan.pauses, secret=SECRET)
        found = Table(made, table.game, now=now or Now(), note=notes.append)
        texts = msgspec.json.decode(ENCODER.encode(list(notes)), type=list[Note])
        found.resume(texts)
        return found

    def assert_same(self, table: Table, found: Table) -> None:
        assert (found.round, found.order, found._over) == (table.round, table.order, table._over)
        assert match_of(found).states == match_of(table).states
        assert list(match_of(found).steps) == list(match_of(table).steps)
        assert match_of(found).ending == match_of(table).ending
        assert [one.name for one in found.plan.members] == [one.name for one in table.plan.members]
        assert record.write(match_of(found)) == record.write(match_of(table))

    @TWO_TO_FOUR
    def test_after_each_note(self, seats: int) -> None:
        """Wherever the journal ends, the rest can be played."""
        notes: list[Note] = []
        table = table_of("catur-jawa", seats, options={}, notes=notes)
        places = [Place(table, n).sit(f"Name {n}") for n in range(seats)]
        for number in range(3):
            for _ in range(2 * seats):
                mover_of(places).play()
            places[0].act(Ask("undo"))
            for place in places[1:]:
                place.act(Answer("undo", True))
            places[1].act(Resign(number))
            if number < 2:
                for place in places:
                    place.act(Ask("rematch"))
            self.assert_same(table, self.again(table, list(notes)))
        for size in range(len(notes)):
            found = self.again(table, notes[:size])
            if found.match is not None and match_of(found).ending is None:
                found.play_step(match_of(found).legal_steps()[0])

    def test_questions_are_dropped(self) -> None:
        notes: list[Note] = []
        table = table_of(notes=notes)
        first, _ = in_order(seated(table))
        first.play(3)
        first.act(Ask("undo"))
        assert self.again(table, notes).question is None

    def test_clocks(self) -> None:
        now, notes = Now(), list[Note]()
        table = table_of(control="60+5", now=now, notes=notes)
        first, second = in_order(seated(table))
        now.turn(10, table)
        first.play(3)
        now.turn(20, table)
        second.play(3)
        found = self.again(table, notes, now)
        assert found.clock is not None and table.clock is not None
        assert found.clock.left == table.clock.left == (55.0, 45.0)
        # A turn played again after an undo gets no increment, now either.
        for one in (table, found):
            for place in (Place(one, first.member), Place(one, second.member)):
                place.act(Ask("undo"))
            one.play_step(2) if match_of(one).mover else None
        assert found.clock.left == table.clock.left

    def test_a_killed_host_gives_back_a_few_seconds_at_most(self) -> None:
        now, notes = Now(), list[Note]()
        table = table_of(control="60+0", now=now, notes=notes)
        seated(table)
        now.turn(28, table)
        found = self.again(table, notes, now)
        assert found.clock is not None and 32.0 <= found.clock.left[0] <= 38.0

    @pytest.mark.parametrize(
        "wrong",
        [
            Note(step=99),
            Note(step=-1),
            Note(joined=(5, "Eve")),
            Note(conclusion="seat 7 resigned"),
        ],
    )
    def test_notes_that_make_no_sense_are_a_sentence(self, wrong: Note) -> None:
        notes: list[Note] = []
        table = table_of(notes=notes)
        seated(table)
        with pytest.raises(TableError, match="can't be read"):
            self.again(table, [*notes, wrong])

    def test_who_never_joined_is_waited_for(self) -> None:
        notes: list[Note] = []
        table = table_of(notes=notes)
        Place(table, 0).sit("Ann")
        found = self.again(table, notes)
        assert found.match is None and found.plan.members[0].name == "Ann"
        Place(found, 1).sit("Ben")
        assert found.match is None
        Place(found, 0).sit("Ann")
        assert found.round == 0


class TestChance:
    """With a toy of three seats, where chance acts after the third."""

    def letters(self, notes: list[Note]) -> Table:
        plan = Plan("letters", [Member(f"P{n}") for n in range(3)], {"first": "1"}, "Host", secret=SECRET)
        return Table(plan, LETTERS, now=Now(), note=notes.append)

    def play_a_round(self, places: list[Place]) -> None:
        for _ in range(3):
            mover_of(places).play(STOP)

    def test_draws_by_itself_and_is_checked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("papan.game.match.record.find", lambda name: LETTERS)
        table = self.letters([])
        places = seated(table)
        place = places[0].read()
        while match_of(table).ending is None:
            self.play_a_round(places)
        drawn = list(match_of(table).steps)
        over = end_told(place)
        assert place.mirror is not None and place.begun is not None and len(drawn) == 16
        checked_record(place.mirror, place.begun, over, place.share, 0)
        other = HEADS + TAILS - drawn[3]
        loaded = match_of(table).up_to(3)
        loaded.play_legal([other, *drawn[4:]])
        place.mirror._steps, place.mirror._states = list(loaded.steps), list(loaded.states)
        place.mirror._ending = loaded.ending
        with pytest.raises(UntrueError, match="other chances"):
            checked_record(
                place.mirror, place.begun, msgspec.structs.replace(over, record=record.write(loaded)), place.share, 0
            )

    def test_an_undo_draws_the_same_again(self) -> None:
        table = self.letters([])
        places = seated(table)
        self.play_a_round(places)
        drawn = list(match_of(table).steps)
        for place in places:
            place.act(Ask("undo"))
        assert len(match_of(table).steps) < 4
        while len(match_of(table).steps) < 4:
            mover_of(places).play(STOP)
        assert list(match_of(table).steps) == drawn

    def test_what_it_owes_when_the_program_is_killed_is_drawn_later(self) -> None:
        notes: list[Note] = []
        table = self.letters(notes)
        self.play_a_round(seated(table))
        owed: list[Note] = []
        found, kept = self.letters(owed), [note for note in notes if note.step not in (HEADS, TAILS)]
        found.resume(kept)
        assert list(match_of(found).steps) == list(match_of(table).steps)
        assert owed == [Note(step=match_of(table).steps[3])]
