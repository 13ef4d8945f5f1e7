"""Records: what is written is read as the same match, and what can't be read is explained."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from papan.game import catalogue
from papan.game.catalogue import GAMES, find
from papan.game.game import Game
from papan.game.match import Match, record
from papan.game.match.record import (
    MOST_WORDS,
    RecordError,
    Round,
    lexemes,
    read,
    write,
    write_result,
)
from papan.game.rules import CHANCE, Ending
from tests.game.kernel import letters
from tests.game.match.keeping import CONNECT_FOUR, assert_same
from tests.sizes import sample_and_all

SHORT_GAME = """\
[Game "connect-four"]
[Version "1"]
[Options "first=random"]
[Seed "7"]
[Seat1 "human"]
[Seat2 "minimax:hard"]
[Date "2026.11.20"]
[Position ""]
[Result "1-0"]
[Reason "four in a row"]

1. 4 4 2. 5 5 3. 3 2 4. 6 1-0
"""


@pytest.fixture(autouse=True)
def game_of_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalogue has the game of letters too."""
    monkeypatch.setattr(catalogue, "GAMES", {**GAMES, "letters": letters.GAME})


def with_tag(name: str, value: str) -> str:
    """The short game with another value for a tag."""
    start = SHORT_GAME.index(f"[{name} ")
    return SHORT_GAME[:start] + f'[{name} "{value}"]' + SHORT_GAME[SHORT_GAME.index("\n", start) :]


def without_tag(name: str) -> str:
    return "".join(line for line in SHORT_GAME.splitlines(True) if not line.startswith(f"[{name} "))


def with_turns(turns: str, result: str = "*", position: str = "") -> str:
    """A record of Connect Four with other turns."""
    head = SHORT_GAME.partition("\n\n")[0].replace('Result "1-0"', f'Result "{result}"')
    return head.replace('Position ""', f'Position "{position}"') + f"\n\n{turns}\n"


def refusal(text: str) -> str:
    """The message with which *text* is refused."""
    with pytest.raises(RecordError) as error:
        read(text)
    return str(error.value)


def play_on(match: Match, random: Random, most_steps: int) -> None:
    for _ in range(most_steps):
        if match.ending:
            return
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))


class TestWriting:
    def test_a_record_is_what_its_description_says(self) -> None:
        match = Match(
            CONNECT_FOUR,
            ["human", "minimax:hard"],
            {"first": "random"},
            7,
            CONNECT_FOUR.rules.parse("", {}),
            datetime.date(2026, 11, 20),
        )
        for column in "4455326":
            match.play(int(column) - 1)
        assert write(match) == SHORT_GAME
        assert_same(read(SHORT_GAME), match)

    def test_turns_are_wrapped_at_80_columns(self) -> None:
        lengths = []
        for seed in range(8):
            match = Match.new(find("checkers"), ["a", "b"], seed=seed)
            play_on(match, Random(seed), 100)
            turns = write(match).partition("\n\n")[2].splitlines()
            lengths += [len(line) for line in turns[:-1]]
        assert min(lengths) > 60 and max(lengths) == 80, "some are as full as they may be"

    def test_a_seat_that_does_not_begin_is_marked(self) -> None:
        match = Match.new(CONNECT_FOUR, ["a", "b"], seed=1, position="4")
        match.play(2)
        match.play(6)
        assert write(match).endswith("\n1. ... 3 2. 7 *\n")
        assert_same(read(write(match)), match)

    def test_steps_taken_back_are_not_part_of_it(self) -> None:
        match = read(SHORT_GAME)
        match.undo()
        again = read(write(match))
        assert again.steps == match.steps and not again.can_redo and again.ending is None

    @pytest.mark.parametrize(
        ("payoffs", "result"),
        [
            ((1.0, -1.0), "1-0"),
            ((-1.0, 1.0), "0-1"),
            ((0.0, 0.0), "1/2-1/2"),
            ((1.0, 0.0), "1:0"),
            ((-0.5, 1.0, -0.5), "-0.5:1:-0.5"),
            ((3124.0,), "3124"),
        ],
    )
    def test_results(self, payoffs: tuple[float, ...], result: str) -> None:
        assert write_result(Ending(payoffs, "because")) == result
        assert write_result(None) == "*"


class TestGamesWithChanceAndSilence:
    """The game of letters: see its module."""

    def test_a_seat_that_acted_already_begins_a_round(self) -> None:
        now = Round(3, 1)
        assert [now.then(seat) for seat in (0, 1, 2, CHANCE)] == [(4, 0), (4, 1), (3, 2), now]

    @pytest.mark.parametrize(
        ("steps", "written"),
        [
            (
                (letters.A, letters.B, letters.STOP, letters.Z, letters.STOP, letters.HEADS, letters.STOP),
                "1. |a|b| z (heads) 2. | *",
            ),
            ((letters.A, letters.STOP, letters.B, letters.STOP, letters.A, letters.STOP), "1. a b a *"),
            ((letters.Z, letters.STOP, letters.B, letters.STOP, letters.TAILS), "1. z ... b (tails) *"),
        ],
        ids=["chance", "all seats act", "a seat is passed over"],
    )
    def test_a_round_of_three_seats(self, steps: tuple[int, ...], written: str) -> None:
        match = Match.new(letters.GAME, ["p", "q", "r"], {"first": "1"}, seed=3)
        for step in steps:
            match.play(step)
        text = write(match)
        assert text.endswith(f"\n{written}\n")
        assert_same(read(text), match)
        if "tails" in written:
            for outcome in ("tails", "(tails", "tails)"):
                assert "chance is to act here" in refusal(text.replace("(tails)", outcome))

    @given(st.integers(0, 2**31), st.integers(0, 80))
    def test_round_trip_even_in_the_middle_of_a_turn(self, seed: int, most_steps: int) -> None:
        match = Match.new(letters.GAME, ["p", "q", "r"], seed=seed)
        play_on(match, Random(seed), most_steps)
        again = read(write(match))
        assert_same(again, match)
        assert write(again) == write(match)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
class TestEveryGame:
    @sample_and_all("games", 1, 8)
    def test_round_trip_of_random_games_and_of_their_middles(self, game: Game, games: int) -> None:
        for seed in range(games):
            random = Random(seed)
            match = Match.new(game, ["human", "minimax:time=1.0"][: game.seats[0]], seed=seed)
            while not match.ending:
                # The longer a game is, the more rarely: to read it is to play all of it again.
                play_on(match, random, random.randrange(1, 30 + len(match.steps)))
                assert_same(read(write(match)), match)
            for turn in match.turns():
                assert not set(turn.notation) & set(" \t\n[]{};|()"), turn.notation
        for option in game.options.values():
            for word in (option.name, *option.values):
                assert not set(word) & set(" \t\n="), word

    def test_round_trip_from_a_position_reached(self, game: Game) -> None:
        seats = ["a", "b"][: game.seats[0]]
        match = Match.new(game, seats, seed=4)
        play_on(match, Random(4), 30)
        position = game.rules.text(match.states[match.turns()[-1].first_step])
        later = Match.new(game, seats, seed=5, position=position)
        play_on(later, Random(5), 10)
        assert_same(read(write(later)), later)


class TestReading:
    def test_comments_and_layout_do_not_matter(self) -> None:
        tags, _, turns = SHORT_GAME.partition("\n\n")
        comments = "; a fine game [Game] {\n" + tags.replace("\n", "\r\n\r\n") + "\r\n{ the turns\nbegin } "
        assert_same(read(comments + turns.replace(" ", "\n;here\n")), read(SHORT_GAME))
        assert_same(read("\ufeff" + SHORT_GAME), read(SHORT_GAME))
        assert_same(
            read(SHORT_GAME.replace("[Game ", "[ Game\t").replace("1. 4 4 2. 5", "1.4 1... 4 2.5")), read(SHORT_GAME)
        )

    def test_other_tags_are_kept(self) -> None:
        match = read(SHORT_GAME.replace("[Seed", '[Event "Club evening"]\n[Seed'))
        assert match.tags == {"Event": "Club evening"}
        assert '[Event "Club evening"]' in write(match)
        assert_same(read(write(match)), match)
        assert read(SHORT_GAME.replace("[Seed", '[Event "Club\tevening"]\n[Seed')).tags == {"Event": "Club\tevening"}

    def test_options_left_out_have_their_defaults(self) -> None:
        assert read(with_tag("Options", "")).options == {"first": "random"}
        assert read(with_tag("Options", "first=2")).options == {"first": "2"}

    @given(st.text(min_size=1, max_size=20))
    @example('"')
    @example("\\")
    @example("[Seed]\n\r\x00\x85\u2028\ud800😀{;}")
    def test_any_name_can_sit_on_a_seat(self, name: str) -> None:
        match = Match.new(CONNECT_FOUR, [name, "human"], seed=1)
        text = write(match)
        assert read(text).seats == match.seats
        assert all(line.isprintable() for line in text.split("\n"))

    @pytest.mark.parametrize(
        "turns",
        [
            "1. 4! 4 $2 2. 5!? (2. 3 3 (3. 4 $1 4) 3. 2) 2... 5 {a} 3. 3 2 $140 4. 6!! 1-0",
            "(1. 5) 1. 4 4 2. 5 5 ( 2... 4 ) 3. 3 2 4. 6 (4. 7) 1-0",
        ],
    )
    def test_what_editors_of_pgn_add_is_skipped(self, turns: str) -> None:
        added = read(SHORT_GAME.replace("1. 4 4 2. 5 5 3. 3 2 4. 6 1-0", turns))
        assert added.steps == read(SHORT_GAME).steps


class TestRefusals:
    """A record that can't be right is refused, with the line and what would be right."""

    @pytest.mark.parametrize("name", ["Version", "Options", "Seed", "Seat1", "Date", "Position", "Result"])
    def test_a_missing_tag(self, name: str) -> None:
        assert f"has no tag {name}: add a line such as [{name} " in refusal(without_tag(name))

    def test_no_record_at_all(self) -> None:
        assert refusal("") == 'There is no record here: a record begins with tags such as [Game "connect-four"].'
        assert "no record here" in refusal("1. 4 4 *")

    @pytest.mark.parametrize(
        ("name", "value", "message"),
        [
            ("Game", "chess", "Line 1: There is no game 'chess'; there are "),
            (
                "Version",
                "2",
                "Line 2: The record is for version '2' of Connect Four, and this program plays version 1.",
            ),
            ("Options", "first", "Line 3: The option 'first' has no value"),
            ("Options", "first=1 first=2", "Line 3: The option 'first' is given twice"),
            ("Options", "size=9", "Line 3: Connect Four has no option 'size'; it has first."),
            ("Options", "first=3", "Line 3: Connect Four can't have first=3; first can be random, 1, 2."),
            ("Seed", "7.5", "Line 4: The seed is '7.5', which is not a whole number such as 12."),
            ("Seed", "٣", "Line 4: The seed is '٣'"),
            ("Seed", "9" * 5000, "Line 4: The seed is '99"),
            ("Seed", "+7", "Line 4: The seed is '+7'"),
            ("Seed", "1_000", "Line 4: The seed is '1_000'"),
            (
                "Date",
                "2026-11-20",
                "Line 7: The date is '2026-11-20'; write the year, month and day, as in 2026.11.20.",
            ),
            ("Date", "2026.13.01", "Line 7: The date is '2026.13.01'"),
            ("Position", "48", "Line 8: The position makes no sense: Character 2, '8', is not a column"),
            ("Result", "0-1", "Line 12: A record ends with its result, here '0-1', but this one ends with '1-0'"),
        ],
    )
    def test_a_tag_that_makes_no_sense(self, name: str, value: str, message: str) -> None:
        assert refusal(with_tag(name, value)).startswith(message)

    def test_lines_are_counted_from_the_first_one_of_the_text(self) -> None:
        wrong = with_tag("Seed", "x")
        for number, text in ((4, wrong), (6, f"\n; a game\n{wrong}"), (7, f"{{ a\ngame }}\n \n{wrong}")):
            assert refusal(text).startswith(f"Line {number}: The seed")
            with pytest.raises(RecordError, match=f"^Line {number + 10}: The seed"):
                read(text, first_line=11)

    def test_seats(self) -> None:
        assert refusal(SHORT_GAME.replace("Seat2", "Seat3")).startswith("The record has no tag Seat2: add a line")
        three = SHORT_GAME.replace("[Date", '[Seat3 "human"]\n[Date')
        assert refusal(three) == "Line 7: Connect Four is for 2 players, not 3."
        twice = SHORT_GAME.replace("[Date", '[Seed "8"]\n[Date')
        assert refusal(twice) == "Line 7: There is a tag Seed in line 4 already."

    def test_a_result_that_the_turns_do_not_lead_to(self) -> None:
        wrong = SHORT_GAME.replace("1-0", "0-1")
        assert refusal(wrong) == "Line 9: The result is given as '0-1', but the turns lead to '1-0' (four in a row)."
        early = with_turns("1. 4 4 1-0", "1-0")
        assert (
            refusal(early) == "Line 9: The result is given as '1-0', but the turns lead to '*': the game is not over."
        )

    def test_less_or_more_than_a_record(self) -> None:
        assert "Line 12: A record ends with its result" in refusal(SHORT_GAME.removesuffix(" 1-0\n"))
        assert "has no turns; is a part of it missing?" in refusal(SHORT_GAME.partition("\n\n")[0])
        assert refusal(SHORT_GAME + "\n" + SHORT_GAME).startswith("Line 14: Tag Game after the turns: a second record?")

    @pytest.mark.parametrize(
        ("turns", "message"),
        [
            ("1. 4 8 *", "Line 12: '8' is wrong at character 1, '8'; it could be 1, 2, 3, …."),
            ("1. 4\n4 2. 45 *", "Line 13: '45' is wrong at character 2, '5'; it could be 4."),
            ("1. 1 2 2. 1 2 3. 1 2 4. 1 2 *", "Line 12: '2' can't follow: the game is over (four in a row)."),
            (
                "4 4 *",
                "Line 12: Before '4' there is no number, but this is seat 1's turn in round 1: write 1. there.",
            ),
            (
                "1. 4 4 3. 5 *",
                "Line 12: Before '5' there is the number 3, but this is seat 1's turn in round 2: write 2. there.",
            ),
            (
                "1. 4 2. 5 *",
                "Line 12: Before '5' there is the number 2, but this is seat 2's turn in round 1: write 1. there.",
            ),
        ],
    )
    def test_turns_that_make_no_sense(self, turns: str, message: str) -> None:
        assert refusal(with_turns(turns)) == message

    @pytest.mark.parametrize(
        ("garbage", "message"),
        [
            ("[Seed 7]", "Line 5: After '[' should come a tag such as Game \"connect-four\"]"),
            ("{ a comment", "Line 5: The comment that begins with '{' never ends: write '}' after it."),
            ("}", "Line 5: '}' has no matching opening sign."),
            (r'[Event "\q"]', r'Line 5: "\q" has a \ that means nothing'),
        ],
    )
    def test_signs_that_mean_nothing(self, garbage: str, message: str) -> None:
        assert refusal(SHORT_GAME.replace("[Seat1", garbage + "\n[Seat1")).startswith(message)


SIZE = record.MOST_CHARACTERS - 400
"""Characters of a text that is as long as it may be, with a little room for tags."""


class TestAbsurdTexts:
    """However long and odd a text is, each character is looked at once, and the refusal is short."""

    @pytest.mark.parametrize(
        "text",
        [
            "a" * SIZE,
            "a " * (SIZE // 2),
            "1. " * (SIZE // 3),
            "... " * (SIZE // 4),
            '[X "' + "a" * SIZE,
            '[X "' + '\\"' * (SIZE // 2),
            '[X "' + '\\"' * (SIZE // 2 - 4) + '"]',
            "[" * SIZE,
            "[" + " " * SIZE,
            "[" + "a" * SIZE,
            "{" * SIZE,
            "{}" * (SIZE // 2),
            ";\n" * (SIZE // 2),
            "1. " + "|" * (SIZE - 3),
            "1. " + "4" * (SIZE - 3),
            "1. " + "\x1b" * (SIZE - 3),
        ],
        ids=lambda text: repr(text[:8]),
    )
    def test_are_refused_before_much_is_done(self, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
        taken = 0

        def counted(text: str, first_line: int) -> Iterator[object]:
            nonlocal taken
            for lexeme in lexemes(text, first_line):
                taken += 1
                yield lexeme

        monkeypatch.setattr(record, "lexemes", counted)
        tags = SHORT_GAME.partition("\n\n")[0]
        for record_of_it in (text, f"{tags}\n{text}", f"{tags}\n1. 4 {text}", tags.replace('""', f'"{text[:1000]}"')):
            taken = 0
            message = refusal(record_of_it)
            assert len(message) < 400 and message.isprintable()
            assert taken <= MOST_WORDS + 20

    def test_what_is_as_long_as_it_may_be_is_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        most = {"MOST_CHARACTERS": len(SHORT_GAME), "MOST_TAGS": 10, "MOST_WORDS": 12}
        for name, number in most.items():
            monkeypatch.setattr(record, name, number)
        assert len(read(SHORT_GAME).steps) == 7
        for name, number in most.items():
            with monkeypatch.context() as patch:
                patch.setattr(record, name, number - 1)
                assert f"more than {number - 1} " in refusal(SHORT_GAME)

    def test_what_is_longer_is_not_looked_at(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(record, "lexemes", None)
        told = refusal(SHORT_GAME + " " * record.MOST_CHARACTERS)
        assert told == "This is too long for the record of one match: more than 2,097,152 characters."

    def test_a_first_wrong_turn_ends_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def until_then(text: str, first_line: int) -> Iterator[object]:
            for number, lexeme in enumerate(lexemes(text, first_line)):
                assert number < 20
                yield lexeme

        monkeypatch.setattr(record, "lexemes", until_then)
        assert refusal(with_turns("1. 9 " + "4 4 " * 10_000 + "*")).startswith("Line 12: '9' is wrong at")

    def test_tags_without_end_are_refused(self) -> None:
        many = "".join(f'[A{number} "x"]\n' for number in range(5000))
        assert "more than 1000 tags" in refusal(many + SHORT_GAME)


TAG_TEXTS = st.builds(
    '[{} "{}"]\n'.format,
    st.sampled_from(["Game", "Version", "Options", "Seed", "Seat1", "Seat2", "Date", "Position", "Result", "X"]),
    st.sampled_from([*GAMES, "1", "first=2", "2026.11.20", "", "*"]) | st.text(max_size=5),
)


class TestArbitraryText:
    @given(st.text() | st.text(alphabet='[]{};"\\.*1234-/ \nGame'))
    def test_never_raises_another_error(self, text: str) -> None:
        assert len(refusal(text)) > 20

    @given(st.lists(TAG_TEXTS | st.text(max_size=8)).map("".join))
    def test_nor_do_arbitrary_tags(self, text: str) -> None:
        try:
            read(text)
        except RecordError as error:
            assert len(str(error)) > 20

    @given(st.data())
    def test_nor_does_a_record_with_a_part_replaced(self, data: st.DataObject) -> None:
        start = data.draw(st.integers(0, len(SHORT_GAME)))
        end = data.draw(st.integers(start, min(start + 10, len(SHORT_GAME))))
        text = SHORT_GAME[:start] + data.draw(st.text(max_size=4)) + SHORT_GAME[end:]
        try:
            match = read(text)
        except RecordError as error:
            assert len(str(error)) > 20
        else:
            assert_same(read(write(match)), match)

    @given(st.sampled_from(sorted(GAMES)), st.text(max_size=40), st.text(max_size=20))
    def test_nor_does_an_arbitrary_position_or_turn(self, name: str, position: str, turn: str) -> None:
        if '"' in position + turn or "\\" in position or "\n" in position:
            return
        text = with_tag("Options", "").replace("connect-four", name).replace('Position ""', f'Position "{position}"')
        try:
            read(text.replace("1. 4", f"1. {turn}"))
        except RecordError as error:
            assert len(str(error)) > 20
