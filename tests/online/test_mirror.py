"""A guest's copy of a match beside a hostile host: whatever it tells, a sentence says what can't be."""

from __future__ import annotations

import time
from contextlib import suppress
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import CHANCE, IllegalStep, observe
from papan.online.mirror import MirrorMatch, Shares, UntrueError, checked_record, commitment_to, seed_of
from papan.online.protocol import Answer, Ask, Over, Play, Round, Update, Welcome
from tests.online.tables import Place, match_of, mover_of, seated, table_of

HIDDEN = GAMES["catur-jawa"]
OPTIONS = {"first": "1", "seats": "3"}
INT64 = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(-2, 70), st.integers(0, 62).map(lambda bit: 1 << bit))


def true_match() -> Match:
    match, random = Match.new(HIDDEN, ["a", "b", "c"], OPTIONS, seed=4), Random(4)
    while match.ending is None:
        match.play(random.choice(match.legal_steps()))
    return match


MATCH = true_match()


def told(index: int, seat: int = 1) -> list[int]:
    return [int(number) for number in observe(MATCH.states[index], seat)]


def begun(start: list[int] | str, seat: int = 1) -> Round:
    return Round(0, ["a", "b", "c"], seat, [True] * 3, bytes(32), start)


def mirror_of(index: int = 0, seat: int = 1) -> MirrorMatch:
    return MirrorMatch(HIDDEN, OPTIONS, begun(told(index, seat), seat))


class TestHidden:
    @pytest.mark.parametrize("seat", [-1, 0, 1, 2])
    def test_what_is_true_is_taken(self, seat: int) -> None:
        mirror = mirror_of(0, seat)
        states = [told(index + 1, seat) for index in range(len(MATCH.steps))]
        mirror.follow(Update(0, 0, 0, list(MATCH.steps), [True] * 3, states))
        assert mirror.ending == MATCH.ending and list(mirror.steps) == list(MATCH.steps)
        with pytest.raises(IllegalStep):
            mirror.chance_step()

    @given(st.lists(INT64, min_size=15, max_size=23))
    def test_any_fields(self, fields: list[int]) -> None:
        with pytest.raises(UntrueError):
            MirrorMatch(HIDDEN, OPTIONS, begun(fields))

    @given(st.integers(0, 18), INT64, st.integers(0, len(MATCH.steps)))
    def test_one_field_changed_is_impossible_or_another_view(self, place: int, value: int, index: int) -> None:
        """Whatever passes is exactly what a seat could see."""
        fields = told(index)
        fields[place] = value
        began = time.process_time()
        try:
            mirror = MirrorMatch(HIDDEN, OPTIONS, begun(fields))
        except UntrueError:
            return
        finally:
            assert time.process_time() - began < 5.0
        assert observe(mirror.state, 1) == mirror.state and len(mirror.seats) == mirror.state.seats

    @pytest.mark.parametrize(
        "changed",
        [
            {"seats": 2**62}, {"seats": 4}, {"seats": 2}, {"to_move": 3}, {"to_move": -1}, {"to_move": 2**62},
            {"deck_0": -1}, {"hands": -1}, {"deck_1": 2**62}, {"hands": 2**62}, {"ones_south": 1},
        ],
    )  # fmt: skip
    def test_what_would_never_end_or_never_be(self, changed: dict[str, int]) -> None:
        fields = [int(number) for number in observe(MATCH.states[5], 1)._replace(**changed)]
        with pytest.raises(UntrueError, match="can't be"):
            MirrorMatch(HIDDEN, OPTIONS, begun(fields))

    def test_another_seats_view(self) -> None:
        for seat in (-1, 0, 2):
            with pytest.raises(UntrueError):
                MirrorMatch(HIDDEN, OPTIONS, begun(told(9, seat)))

    def test_the_whole_state(self) -> None:
        with pytest.raises(UntrueError):
            MirrorMatch(HIDDEN, OPTIONS, begun([int(number) for number in MATCH.states[9]]))

    @given(st.integers(0, 5), st.lists(INT64, max_size=3), st.lists(st.lists(INT64, max_size=20), max_size=3))
    def test_any_update(self, kept: int, steps: list[int], states: list[list[int]]) -> None:
        mirror = mirror_of()
        with suppress(UntrueError):
            mirror.follow(Update(0, 0, kept, steps, [True] * 3, states))

    def test_true_states_with_false_steps_are_found_at_the_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            "papan.online.mirror.secrets.token_bytes", b"z".__mul__
        )  # in some deals no hand allows the step
        table = table_of("catur-jawa", 3, options={})
        places = seated(table)
        place = places[0].read()
        assert place.mirror is not None and place.begun is not None
        random = Random(2)
        while match_of(table).ending is None:
            mover_of(places).play(random.choice(match_of(table).legal_steps()))
        for message in place.poll():
            if isinstance(message, Update):
                false = [step + 1 if index == 4 else step for index, step in enumerate(message.steps)]
                place.mirror.follow(msgspec.structs.replace(message, steps=false))
            elif isinstance(message, Over):
                with pytest.raises(UntrueError, match="other moves"):
                    checked_record(place.mirror, place.begun, message, place.share, 0)


class TestOpen:
    @given(st.sampled_from(list(GAMES)), st.text() | st.lists(INT64, max_size=30))
    def test_any_start(self, name: str, start: str | list[int]) -> None:
        game = GAMES[name]
        if max(game.seats) < 2:
            return
        options = game.complete_options({})
        with suppress(UntrueError):
            MirrorMatch(game, options, Round(0, ["a", "b"], 0, [True, True], bytes(32), start))

    @given(st.integers(0, 5), st.lists(INT64 | st.integers(0, 6), max_size=12), st.text() | st.sampled_from(
        ["a draw was agreed", "seat 1 resigned", "seat 9 resigned", "seat 64 ran out of time"]))  # fmt: skip
    def test_any_update(self, kept: int, steps: list[int], conclusion: str) -> None:
        place = seated(table_of())[0].read()
        assert place.mirror is not None
        try:
            place.mirror.follow(Update(0, 0, kept, steps, [True] * 2, [], None, None, conclusion))
        except UntrueError as error:
            assert str(error)

    def test_the_rules_judge_each_step(self) -> None:
        place = seated(table_of())[0].read()
        assert place.mirror is not None
        with pytest.raises(UntrueError, match="illegal step"):
            place.mirror.follow(Update(0, 0, 0, [9], [True] * 2))
        with pytest.raises(UntrueError, match="left out"):
            place.mirror.follow(Update(0, 0, 3, [1], [True] * 2))
        with pytest.raises(UntrueError, match="left out"):
            place.mirror.follow(Update(0, 0, 0, [1], [True] * 2, [[1]]))
        with pytest.raises(UntrueError, match="do not know"):
            place.mirror.follow(Update(0, 0, 0, [], [True] * 2, [], None, None, "because"))


class TestRecords:
    @given(st.text(max_size=300), st.integers(0, 400), st.integers(0, 60))
    def test_any_record(self, text: str, at: int, cut: int) -> None:
        table = table_of(options={})
        places = seated(table)
        place = places[0].read()
        assert place.mirror is not None and place.begun is not None
        for column in (0, 1, 0, 1, 0, 1, 0):
            mover_of(places).play(column)
        for message in place.poll():
            if isinstance(message, Update):
                place.mirror.follow(message)
            elif isinstance(message, Over):
                false = message.record[:at] + text + message.record[at + cut :]
                try:
                    checked_record(place.mirror, place.begun, msgspec.structs.replace(message, record=false), None, 0)
                except UntrueError as error:
                    assert str(error)


class TestShares:
    def welcome(self, commitment: bytes | None) -> Welcome:
        return Welcome("connect-four", bytes(16), {}, "Host", "", True, "1", commitment)

    def round(self, number: int, secret: bytes, share: bytes = bytes(16), seat: int = 0) -> Round:
        return Round(number, ["a", "b"], seat, [True, True], commitment_to(secret), "", False, share)

    def over(self, number: int, following: bytes) -> Over:
        return Over(number, "", bytes(32), [], commitment_to(following))

    def test_given_after_a_commitment_it_counts(self) -> None:
        shares = Shares()
        mine = shares.joining(self.welcome(commitment_to(b"1")))
        assert shares.given is None and shares.take(self.round(0, b"1", mine)) and shares.given == mine
        assert shares.take(self.round(0, b"1", mine)) and shares.given == mine  # after a lost connection
        shares.take(self.over(0, b"2"))
        asked = shares.filled(Ask("rematch"))
        assert isinstance(asked, Ask) and asked.share not in (mine, bytes(16))
        assert shares.filled(Answer("rematch", True)) == Answer("rematch", True, asked.share)
        shares.take(self.round(1, b"2", asked.share, seat=1))
        assert shares.given == asked.share

    def test_another_programs_share_is_not_its_own(self) -> None:
        """The round began with what an earlier program in the seat gave: nobody is accused."""
        shares = Shares()
        shares.joining(self.welcome(commitment_to(b"1")))
        assert shares.take(self.round(0, b"1", b"another one's...")) and shares.given is None

    def test_another_secret_than_promised(self) -> None:
        shares = Shares()
        shares.joining(self.welcome(commitment_to(b"1")))
        with pytest.raises(UntrueError):
            shares.take(self.round(0, b"2"))

    def test_who_came_later_gave_none(self) -> None:
        shares = Shares()
        shares.joining(self.welcome(None))
        shares.take(self.round(3, b"1"))
        assert shares.given is None
        assert not shares.take(self.over(2, b"2"))  # a round that it has not seen

    def test_spectators_give_none(self) -> None:
        shares = Shares()
        shares.joining(self.welcome(commitment_to(b"1")))
        shares.take(self.round(0, b"2", seat=-1))
        assert shares.given is None

    def test_each_commitment_gets_another_share(self) -> None:
        """Or a host could drop the connection, choose its secret by the share that it has seen, and commit again."""
        shares = Shares()
        first = shares.joining(self.welcome(commitment_to(b"1")))
        assert shares.joining(self.welcome(commitment_to(b"1"))) == first
        second = shares.joining(self.welcome(commitment_to(b"2")))
        assert second != first and shares.joining(self.welcome(None)) == bytes(16)
        shares.take(self.round(0, b"2", second))
        assert shares.given == second
        assert shares.filled(Ask("rematch")) == Ask("rematch"), "the next commitment is not told"
        shares.take(self.over(0, b"3"))
        assert shares.filled(Answer("rematch", False)) == Answer("rematch", False)
        shares.filled(Ask("rematch"))
        shares.take(self.over(0, b"4"))
        asked = shares.filled(Ask("rematch"))
        shares.take(self.round(1, b"4", asked.share, seat=1))  # type: ignore[union-attr]
        assert shares.given == asked.share  # type: ignore[union-attr]

    @pytest.mark.parametrize(("number", "seat"), [(1, 0), (2, 1), (0, 1), (1, -1)])
    def test_another_seat_than_ones_own(self, number: int, seat: int) -> None:
        shares = Shares()
        shares.take(self.round(0, b"1"))
        with pytest.raises(UntrueError, match="another seat"):
            shares.take(self.round(number, b"2", seat=seat))

    def test_other_messages_are_left_alone(self) -> None:
        shares = Shares()
        for message in (Ask("undo"), Answer("draw", True), Play(0, 0, 0)):
            assert shares.filled(message) == message


def test_seeds_depend_on_the_secret_and_on_each_share() -> None:
    seeds = {seed_of(b"a", [b"b", b"c"]), seed_of(b"b", [b"b", b"c"]), seed_of(b"a", [b"b", b"d"])}
    assert len(seeds) == 3 and all(0 <= seed < 2**62 for seed in seeds)


def test_places_are_links() -> None:
    from papan.online.guest import Link

    link: Link = Place(table_of(), 0)
    link.close()
    assert link.state.standing == "open" and CHANCE == -1
