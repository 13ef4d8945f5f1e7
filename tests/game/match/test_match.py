"""A match: its order of play, its history, its endings, and what it refuses."""

from __future__ import annotations

import datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.game.catalogue import GALLERY, GAMES, find
from papan.game.game import Game, OptionError, Parts
from papan.game.match import Conclusion, Match, Turn, read_conclusion
from papan.game.match.notation import parse_turn
from papan.game.match.record import RecordError, read, write
from papan.game.rules import (
    CHANCE,
    Ending,
    IllegalStep,
    PositionError,
    allied,
    connect_four,
    legal_steps,
    observe,
    play,
)
from tests.game.kernel import letters
from tests.game.match.keeping import CONNECT_FOUR, Keeping
from tests.game.match.keeping import connect_four as connect_four_match
from tests.game.match.test_turn import FakeTable, controller


def look(match: Match) -> tuple[object, ...]:
    """All that can be seen of a match."""
    facts = (match.state, list(match.states), list(match.steps), match.all_steps, match.mover, match.ending)
    return (*facts, match.can_undo, match.can_redo, match.legal_steps(), match.turns())


class TestParts:
    def test_a_part_is_a_match_of_its_own(self) -> None:
        match = connect_four_match("4455")
        match.tags["Event"] = "Lunch"
        part = match.up_to(3)
        assert list(part.steps) == [3, 3, 4] and part.states == match.states[:4] and not part.can_redo
        assert (part.seats, part.seed, part.date, part.tags) == (match.seats, match.seed, match.date, match.tags)
        part.play(0)
        part.tags.clear()
        assert list(match.steps) == [3, 3, 4, 4] and match.tags

    def test_a_part_keeps_the_day(self) -> None:
        day = datetime.date(2024, 2, 29)
        match = connect_four_match()
        match = Match(match.game, match.seats, match.options, match.seed, match.state, day)
        assert match.date == day and match.up_to(0).date == day

    def test_a_part_of_a_finished_match_goes_on(self) -> None:
        match = connect_four_match("1212121")
        assert match.ending and match.up_to(7).ending == match.ending
        assert match.up_to(6).ending is None and match.up_to(0).legal_steps()

    @pytest.mark.parametrize("step", [-1, 3])
    def test_what_was_not_played_cannot_be_taken(self, step: int) -> None:
        match = connect_four_match("444")
        match.undo()
        with pytest.raises(ValueError, match="2 steps"):
            match.up_to(step)


class TestDealtAnew:
    CATUR_JAWA = find("catur-jawa")

    def match(self) -> Match:
        match = Match.new(self.CATUR_JAWA, ["a", "b"], seed=4)
        for _ in range(5):
            match.play(match.legal_steps()[0])
        return match

    def test_it_begins_where_the_match_stood_and_looks_the_same_to_its_seat(self) -> None:
        match = self.match()
        anew = [match.dealt_anew(3, 1) for _ in range(4)]
        for one in anew:
            assert observe(one.state, 1) == observe(match.states[3], 1)
            assert (one.seats, one.options, one.steps) == (match.seats, match.options, [])
        assert len({one.state for one in anew}) > 1 and len({one.seed for one in anew}) > 1
        assert observe(match.dealt_anew(0, 1).state, 1) == observe(match.states[0], 1)

    @pytest.mark.parametrize("step", [-1, 6])
    def test_only_from_where_it_has_been(self, step: int) -> None:
        with pytest.raises(ValueError, match="there is no step"):
            self.match().dealt_anew(step, 0)

    def test_what_hides_nothing_is_open_from_the_start(self) -> None:
        assert Match.new(find("connect-four"), ["a", "b"]).is_open
        match = self.match()
        assert not match.is_open
        while not match.ending:
            match.play(match.legal_steps()[0])
        assert match.is_open


class TestBeginning:
    def test_a_new_match(self) -> None:
        match = connect_four_match()
        assert match.state == connect_four.State(0, 0)
        assert match.mover == 0 and match.legal_steps() == list(range(7))
        assert match.ending is None and match.turns() == [] and match.steps == []
        assert not match.can_undo and not match.can_redo
        assert match.date == datetime.date.today()

    def test_the_one_chosen_to_start_sits_first(self) -> None:
        assert Match.new(CONNECT_FOUR, ["a", "b"], {"first": "1"}).seats == ["a", "b"]
        assert Match.new(CONNECT_FOUR, ["a", "b"], {"first": "2"}).seats == ["b", "a"]
        assert Match.new(letters.GAME, ["a", "b", "c"], {"first": "2"}).seats == ["b", "c", "a"]

    def test_at_random_each_starts_about_as_often(self) -> None:
        starts = [Match.new(CONNECT_FOUR, ["a", "b"], seed=seed).seats[0] for seed in range(400)]
        assert 150 < starts.count("a") < 250

    def test_a_seed_settles_who_starts(self) -> None:
        for seed in range(20):
            one, other = (Match.new(CONNECT_FOUR, ["a", "b"], seed=seed) for _ in range(2))
            assert one.seats == other.seats and one.seed == seed
        assert len({Match.new(CONNECT_FOUR, ["a", "b"]).seed for _ in range(20)}) > 1, "without one, it is drawn"

    def test_a_seed_is_below_two_to_the_31st(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Greatest(Random):
            def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
                return start - 1

        monkeypatch.setattr("papan.game.match.Random", Greatest)
        match = Match.new(CONNECT_FOUR, ["a", "b"], {"first": "1"})
        assert match.seed == 2147483647 and match.dealt_anew(0, 0).seed == 2147483647

    def test_a_position_to_begin_from(self) -> None:
        match = Match.new(CONNECT_FOUR, ["a", "b"], position="445")
        assert match.mover == 1 and match.steps == [] and not match.can_undo
        assert match.state == connect_four_match("445").state
        with pytest.raises(PositionError, match="Character 2, '8'"):
            Match.new(CONNECT_FOUR, ["a", "b"], position="48")

    def test_a_first_position_that_the_seed_does_not_settle_has_a_text(self) -> None:
        match = Match.new(CONNECT_FOUR, ["a", "b"], position="445")
        for _ in range(2):
            assert match.position == "445"
            match.play(0)
        for seed in range(5):
            dealt = Match.new(find("catur-jawa"), ["a", "b"], seed=seed)
            for _ in range(2):
                assert dealt.position is None, "who starts is drawn first, then the cards"
                dealt.play(dealt.legal_steps()[0])

    def test_options_are_completed_and_not_shared(self) -> None:
        given_options: dict[str, str] = {}
        match = Match.new(CONNECT_FOUR, ["a", "b"], given_options)
        assert match.options == {"first": "random"} and given_options == {}

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"size": "9"}, "Connect Four has no option 'size'; it has first."),
            ({"first": "3"}, "Connect Four can't have first=3; first can be random, 1, 2."),
        ],
    )
    def test_options_that_cannot_be(self, options: dict[str, str], message: str) -> None:
        with pytest.raises(OptionError) as error:
            Match.new(CONNECT_FOUR, ["a", "b"], options)
        assert str(error.value) == message

    def test_too_few_players_too_many_and_no_such_starter(self) -> None:
        for players in (["a"], ["a", "b", "c"]):
            with pytest.raises(OptionError, match=f"^Connect Four is for 2 players, not {len(players)}\\.$"):
                Match.new(CONNECT_FOUR, players)
        several = Game("some", "Some", "", Parts("papan.game.rules.connect_four"), seats=(2, 3))
        with pytest.raises(OptionError, match=r"^Seat 3 can't start: there are 2 seats\.$"):
            Match.new(several, ["a", "b"], {"first": "3"})

    def test_an_option_that_tells_how_many_play_goes_with_them(self) -> None:
        cards, three = find("catur-jawa"), ["a", "b", "c"]
        assert Match.new(cards, three).options["seats"] == "3"
        assert Match.new(cards, three, {"seats": "3"}).options["seats"] == "3"
        with pytest.raises(OptionError, match=r"^seats=2 does not go with 3 players\.$"):
            Match.new(cards, three, {"seats": "2"})


class TestPlaying:
    def test_steps_states_and_turns_follow_each_other(self) -> None:
        match = connect_four_match("4455")
        assert match.steps == [3, 3, 4, 4]
        assert len(match.states) == 5
        for step, before, after in zip(match.steps, match.states, match.states[1:], strict=False):
            assert play(before, step) == after
        assert match.turns() == [Turn(0, "4", 0, 1), Turn(1, "4", 1, 2), Turn(0, "5", 2, 3), Turn(1, "5", 3, 4)]

    def test_turns_of_several_steps_and_of_chance(self) -> None:
        match = Match.new(letters.GAME, ["p", "q", "r"], {"first": "1"}, seed=1)
        for step in (letters.Z, letters.A, letters.STOP, letters.STOP, letters.TAILS, letters.B):
            match.play(step)
        assert match.turns() == [
            Turn(0, "za", 0, 3),
            Turn(2, "", 3, 4),
            Turn(CHANCE, "tails", 4, 5),
            Turn(0, "b", 5, 6),
        ]

    def test_what_was_looked_at_does_not_change_by_itself(self) -> None:
        match = connect_four_match("44")
        states, steps, turns = match.states, match.steps, match.turns()
        match.play(0)
        assert (len(states), len(steps), len(turns)) == (3, 2, 2)


class TestRefusals:
    """A refused step says which rule refuses it, and changes nothing."""

    @pytest.mark.parametrize(
        ("columns", "step", "message"),
        [
            ("444444", 3, "Column 4 is full."),
            ("4", 7, "There is no column 8: the columns are 1 to 7."),
            ("4", -1, "There is no column 0: the columns are 1 to 7."),
            ("1212121", 4, "The game is over: four in a row."),
        ],
    )
    def test_a_step(self, columns: str, step: int, message: str) -> None:
        match = connect_four_match(columns)
        before = look(match)
        with pytest.raises(IllegalStep) as error:
            match.play(step)
        assert str(error.value) == message
        assert look(match) == before

    def test_a_step_after_undo_keeps_what_can_be_redone(self) -> None:
        match = connect_four_match("4444445")
        match.undo()
        before = look(match)
        with pytest.raises(IllegalStep):
            match.play(3)
        assert look(match) == before and match.can_redo

    def test_undo_and_redo_of_nothing(self) -> None:
        match = connect_four_match()
        with pytest.raises(IllegalStep, match="no step to take back"):
            match.undo()
        with pytest.raises(IllegalStep, match="no step to play again"):
            match.redo()
        match.play(3)
        with pytest.raises(IllegalStep, match="no step to play again"):
            match.redo()

    def test_chance_where_a_seat_is_to_act(self) -> None:
        with pytest.raises(IllegalStep, match="chance has nothing to decide"):
            connect_four_match("4").chance_step()


class TestEndings:
    def test_four_in_a_row(self) -> None:
        match = connect_four_match("1212121")
        assert match.ending == Ending((1.0, -1.0), "four in a row")
        assert match.ending.winner == 0 and match.legal_steps() == []
        assert connect_four_match("12121232").ending == Ending((-1.0, 1.0), "four in a row")
        match.undo()
        assert match.ending is None and match.legal_steps() == list(range(7))
        match.redo()
        assert match.ending == Ending((1.0, -1.0), "four in a row")

    def test_a_full_board(self) -> None:
        pairs_of_columns = "121212212121" + "343434434343" + "565656656565"
        match = connect_four_match(pairs_of_columns + "777777")
        assert match.ending == Ending((0.0, 0.0), "the board is full")
        assert match.ending.winner is None

    def test_a_position_that_comes_back_where_the_rules_end_it(self) -> None:
        match = self.kings_that_go_back_and_forth()
        assert match.ending == Ending((0.0, 0.0), "third repetition of the position") and match.legal_steps() == []
        match.undo()
        assert match.ending is None and match.legal_steps()

    def test_a_position_that_comes_back_where_no_rule_speaks_of_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delattr(find("checkers").rules, "repetition_ending")
        match = self.kings_that_go_back_and_forth()
        assert match.ending is None and match.legal_steps()

    def test_people_go_on_after_a_position_that_came_back(self) -> None:
        match = self.kings_that_go_back_and_forth()
        [step] = parse_turn(match.rules, match.state, "1-6")
        with pytest.raises(IllegalStep, match="third repetition"):
            match.play(step)
        match.play(step, even_if_repeated=True)
        assert match.ending is None and not match.ended_by_repetition
        match.undo()
        assert match.ended_by_repetition
        match.redo()
        assert match.steps[-1] == step

    def test_nobody_goes_on_after_another_ending(self) -> None:
        over = connect_four_match("1212121")
        resigned = self.kings_that_go_back_and_forth()
        resigned.undo()
        resigned.conclude(Conclusion("resigned", 0))
        for match in (over, resigned):
            assert not match.ended_by_repetition
            with pytest.raises(IllegalStep, match="The game is over"):
                match.play(legal_steps(match.state)[0] if match is resigned else 0, even_if_repeated=True)

    def kings_that_go_back_and_forth(self) -> Match:
        match = Match.new(find("checkers"), ["a", "b"], position="B:WK32:BK1")
        for turn in ("1-5", "32-28", "5-1", "28-32") * 2:
            for step in parse_turn(match.rules, match.state, turn):
                match.play(step)
        return match


class TestChance:
    def match_at_chance(self, seed: int) -> Match:
        match = Match.new(letters.GAME, ["p", "q", "r"], {"first": "1"}, seed=seed)
        for _ in range(3):
            match.play(letters.STOP)
        assert match.mover == CHANCE
        return match

    def test_undoing_and_playing_on_brings_the_same(self) -> None:
        for seed in range(20):
            match = self.match_at_chance(seed)
            brought = match.chance_step()
            assert match.chance_step() == brought
            match.play(brought)
            match.undo()
            match.undo()
            match.play(letters.STOP)
            assert match.chance_step() == brought

    def test_probabilities_are_heeded(self) -> None:
        heads = sum(self.match_at_chance(seed).chance_step() == letters.HEADS for seed in range(400))
        assert 260 < heads < 340, "three in four"


class TestHistory:
    @given(st.integers(0, 2**31), st.lists(st.sampled_from(["play", "play", "play", "undo", "redo"]), max_size=80))
    def test_a_match_is_always_what_its_steps_lead_to(self, seed: int, operations: list[str]) -> None:
        """A plain list of steps and a place in it is the model."""
        match, random = connect_four_match(), Random(seed)
        model: list[int] = []
        now = 0
        for operation in operations:
            if operation == "undo" and now:
                match.undo()
                now -= 1
            elif operation == "redo" and now < len(model):
                match.redo()
                now += 1
            elif operation == "play" and match.legal_steps():
                step = random.choice(match.legal_steps())
                match.play(step)
                model[now:] = [step]
                now += 1
            assert (list(match.steps), list(match.all_steps)) == (model[:now], model)
            assert (match.can_undo, match.can_redo) == (now > 0, now < len(model))
            again = connect_four_match("".join(str(step + 1) for step in model[:now]))
            assert look(again)[:3] == look(match)[:3]
            assert (again.mover, again.ending, again.turns()) == (match.mover, match.ending, match.turns())


def test_turns_are_those_of_the_steps_however_they_were_come_by() -> None:
    """What ``turns`` remembers is forgotten by undo and by other steps, in the middle of a turn too."""
    random = Random(4)
    match = Match.new(find("santorini"), ["a", "b"], {"gods": "none"}, seed=4)
    for _ in range(400):
        choice = random.random()
        if choice < 0.55 and not match.ending:
            match.play(random.choice(match.legal_steps()))
        elif choice < 0.85 and match.can_undo:
            match.undo()
        elif match.can_redo:
            match.redo()
        if random.random() < 0.6:
            fresh = Match(match.game, match.seats, match.options, match.seed, match.states[0])
            for step in match.steps:
                fresh.play(step)
            assert match.turns() == fresh.turns()


MANY = [name for name, game in GALLERY.items() if max(game.seats) > 1]
RESIGNED, AGREED, TIME = Conclusion("resigned", 1), Conclusion("agreed"), Conclusion("time", 0)
ALL = (RESIGNED, AGREED, TIME, Conclusion("forfeited", 1))


def begun(name: str, steps: int = 5, seats: int | None = None) -> Match:
    """A match after some random steps."""
    game = GAMES[name]
    match = Match.new(game, ["human"] * (seats or game.seats[0]), {"first": "1"}, seed=4)
    random = Random(2)
    for _ in range(steps):
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    assert match.ending is None
    return match


class TestMatches:
    @pytest.mark.parametrize("name", MANY)
    def test_a_match_ends_and_can_be_taken_up_again(self, name: str) -> None:
        match = begun(name)
        state, legal = match.state, match.legal_steps()
        for conclusion in ALL:
            match.conclude(conclusion)
            assert match.ending and match.ending.reason == conclusion.reason and match.legal_steps() == []
            with pytest.raises(IllegalStep, match="over"):
                match.play(legal[0])
            with pytest.raises(IllegalStep, match="over"):
                match.conclude(conclusion)
            assert match.up_to(len(match.steps)).ending == match.ending
            assert match.up_to(len(match.steps) - 1).ending is None
            match.reopen()
            assert match.ending is None and match.state == state and match.legal_steps() == legal

    @pytest.mark.parametrize("name", MANY)
    def test_who_resigns_loses_with_its_allies_and_the_others_win(self, name: str) -> None:
        for seats in GAMES[name].seats:
            match = begun(name, 3, seats)
            match.conclude(Conclusion("resigned", 0))
            assert match.ending
            for seat in range(seats):
                assert match.ending.outcome(seat) == ("lost" if allied(match.state, 0, seat) else "won")

    def test_a_step_taken_back_takes_the_conclusion_with_it(self) -> None:
        match = begun("connect-four")
        match.conclude(RESIGNED)
        match.undo()
        assert match.ending is None and match.conclusion is None and len(match.steps) == 4
        match.redo()
        assert match.ending is None
        match.undo()
        match.conclude(AGREED)
        assert not match.can_redo and match.ending and match.ending.winners == (), "what was undone is forgotten"

    def test_what_can_not_be_is_refused(self) -> None:
        with pytest.raises(IllegalStep, match="for one"):
            begun("2048").conclude(Conclusion("resigned", 0))
        match = begun("connect-four")
        for seat in (-1, 2):
            message = rf"^There is no seat {seat + 1}: the match has 2\.$"
            with pytest.raises(IllegalStep, match=message):
                match.conclude(Conclusion("resigned", seat))
        assert match.ending is None


class TestRecords:
    @pytest.mark.parametrize("name", MANY)
    @pytest.mark.parametrize("steps", [0, 5])
    def test_they_are_written_and_read(self, name: str, steps: int) -> None:
        for conclusion in ALL:
            match = begun(name, steps)
            match.conclude(conclusion)
            again = read(write(match))
            assert again.conclusion == conclusion and again.ending == match.ending
            assert list(again.steps) == list(match.steps) and write(again) == write(match)

    def test_what_does_not_go_with_it_is_refused(self) -> None:
        match = begun("connect-four")
        match.conclude(RESIGNED)
        with pytest.raises(RecordError, match="result is given as '0-1'"):
            read(write(match).replace("1-0", "0-1"))
        with pytest.raises(RecordError, match=r"Line \d+: There is no seat 7"):
            read(write(match).replace("seat 2 resigned", "seat 7 resigned"))

    @pytest.mark.parametrize(
        ("conclusion", "reason", "payoffs"),
        [
            (Conclusion("resigned", 1), "seat 2 resigned", (1.0, -1.0, 1.0)),
            (Conclusion("time", 0), "seat 1 ran out of time", (-1.0, 1.0, 1.0)),
            (Conclusion("forfeited", 2), "seat 3 forfeited", (1.0, 1.0, -1.0)),
            (Conclusion("agreed"), "a draw was agreed", (0.0, 0.0, 0.0)),
        ],
    )
    def test_a_reason_tells_who_and_how(self, conclusion: Conclusion, reason: str, payoffs: tuple[float, ...]) -> None:
        assert conclusion.reason == reason and read_conclusion(reason) == conclusion
        assert conclusion.ending(letters.start({}, Random(1)), 3) == Ending(payoffs, reason)

    def test_a_reason_of_the_rules_concludes_nothing(self) -> None:
        assert read_conclusion("four in a row") is None and read_conclusion("seat 0 resigned") is None
        assert read_conclusion("seat 64 resigned") == Conclusion("resigned", 63)
        assert read_conclusion("seat 65 resigned") is None
        match = begun("connect-four")
        with pytest.raises(RecordError, match="not over"):
            text = write(match).replace('[Result "*"]', '[Result "1-0"]\n[Reason "four in a row"]')
            read(text.rstrip()[:-1] + "1-0\n")


@pytest.mark.parametrize("conclusion", ALL)
def test_conclusions_are_kept_and_taken_back(library: Keeping, conclusion: Conclusion) -> None:
    match = begun("santorini")
    number = library.begin(match)
    match.conclude(conclusion)
    library.save(number, match)
    assert library.unfinished() == []
    [summary] = library.recent(5)
    assert summary.ending == match.ending
    again = library.load(number)
    assert again.conclusion == conclusion and again.ending == match.ending
    match.reopen()
    library.save(number, match)
    assert library.recent(5) == [] and library.load(number).ending is None


class TestTurns:
    def test_a_resignation_ends_everything_and_is_taken_back(self) -> None:
        c = controller((True, False))
        c.point(3)
        assert c.due == "thinking"
        c.conclude(Conclusion("resigned", 0))
        assert c.due == "over" and isinstance(c._table, FakeTable) and c._table.withdrawn == 1
        c.conclude(Conclusion("resigned", 1))
        assert c.match.conclusion == Conclusion("resigned", 0)
        assert c.can_undo
        c.undo()
        assert c.due == "thinking" and list(c.match.steps) == [3]

    def test_a_fallen_flag_is_final(self) -> None:
        c = controller((True, True))
        c.point(3)
        c.conclude(Conclusion("time", 1))
        assert c.due == "over" and not c.can_undo
        c.undo()
        assert c.match.ending is not None
