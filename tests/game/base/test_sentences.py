"""Sentences: English that knows what it was made of."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Mapping
from typing import ClassVar

import pytest

from papan.game.base.sentences import (
    Sentence,
    alternatives,
    capitalised,
    figures,
    joined,
    say,
    say_number,
    together,
)
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.record import RecordError
from papan.game.rules import Ending, IllegalStep


class Dutch:
    """A language of a few words, with its plural from two on."""

    words: ClassVar[Mapping[str, str]] = {
        "The {piece} on {cell} can't move.": "Op {cell} staat {piece} vast.",
        "general": "generaal",
        "red": "rood",
        "{count} disc": "{count} schijf",
        "{count} discs": "{count} schijven",
        "{some} or {last}": "{some} of {last}",
        "{some} and {last}": "{some} en {last}",
        "{name} won: {reason}": "{reason}, zo won {name}",
        "four in a row": "vier op een rij",
        "1,234.5": "1.234,5",
        "{score} points": "{score} punten",
        "The {order}.": "{order.__class__} {order[0]} {unknown} { Threads = 2 }",
    }

    def gettext(self, message: str, /) -> str:
        return self.words.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def in_dutch(text: str) -> str:
    assert isinstance(text, Sentence)
    return text.in_language(Dutch())


STUCK = say("The {piece} on {cell} can't move.", piece=say("general"), cell="e4")


class TestEnglish:
    """A sentence is its English text."""

    def test_is_compared_and_kept_as_text(self) -> None:
        text = "The general on e4 can't move."
        assert text == STUCK and text in {STUCK}
        assert json.dumps([STUCK]) == json.dumps([text]) and repr(STUCK) == repr(text)

    def test_goes_with_its_number(self) -> None:
        assert [say_number("{count} disc", "{count} discs", number) for number in (0, 1, 2)] == [
            "0 discs", "1 disc", "2 discs",
        ]  # fmt: skip
        assert say_number("{count} node", "{count} nodes", 1200, count="1,200") == "1,200 nodes"


class TestTranslation:
    """What a language makes of it."""

    def test_takes_the_form_of_its_own_number(self) -> None:
        assert [in_dutch(say_number("{count} disc", "{count} discs", number)) for number in (1, 2)] == [
            "1 schijf", "2 schijven",
        ]  # fmt: skip

    def test_puts_translated_values_where_the_template_wants_them_and_leaves_other_texts(self) -> None:
        assert in_dutch(STUCK) == "Op e4 staat generaal vast."
        assert in_dutch(say("The {piece} on {cell} can't move.", piece="general", cell="red")) == (
            "Op red staat general vast."
        )

    def test_joins_what_is_translated_by_itself(self) -> None:
        several = joined([say("red"), "general", say_number("{count} disc", "{count} discs", 3)], ", ")
        assert several == "red, general, 3 discs" and in_dutch(several) == "rood, general, 3 schijven"
        assert in_dutch(capitalised(several)) == "Rood, general, 3 schijven"
        assert in_dutch(alternatives([say("red"), "b3", "c4"])) == "rood, b3 of c4"
        assert in_dutch(together([say("red"), "Ann", say("red")])) == "rood, Ann en rood" and not together([])

    def test_goes_down_into_sentences_within_sentences(self) -> None:
        won = say("{name} won: {reason}", name="Ada", reason=joined([say("four in a row"), "!"], ""))
        assert won == "Ada won: four in a row!" and in_dutch(won) == "vier op een rij!, zo won Ada"


class TestValues:
    """Names may be anything: nothing in them is looked at."""

    @pytest.mark.parametrize("name", ["{reason}", "{name}", "{0}", "{", "{reason.__class__}", "\\1", "%s"])
    def test_are_no_templates(self, name: str) -> None:
        won = say("{name} won: {reason}", name=name, reason=say("four in a row"))
        assert won == f"{name} won: four in a row" and in_dutch(won) == f"vier op een rij, zo won {name}"
        assert in_dutch(say("The {order}.", order="x")) == "{order.__class__} {order[0]} {unknown} { Threads = 2 }"


class TestTravelling:
    """It stays a sentence on its way to whoever shows it."""

    @pytest.mark.parametrize(
        "sentence", [STUCK, say_number("{count} disc", "{count} discs", 2), joined([say("red"), "e4"])]
    )
    def test_in_copies(self, sentence: Sentence) -> None:
        for other in (pickle.loads(pickle.dumps(sentence)), copy.deepcopy(sentence)):
            assert other == sentence and in_dutch(other) == in_dutch(sentence)

    def test_in_errors(self) -> None:
        assert in_dutch(str(IllegalStep(STUCK))) == "Op e4 staat generaal vast."
        assert in_dutch(str(RecordError(STUCK, 3))) == "Line 3: Op e4 staat generaal vast."

    def test_in_the_ending_of_a_match(self) -> None:
        match = Match.new(GAMES["connect-four"], ["a", "b"], {"first": "1"}, seed=1)
        for column in (0, 1, 0, 1, 0, 1, 0):
            match.play(column)
        assert isinstance(match.ending, Ending) and in_dutch(match.ending.reason) == "vier op een rij"
        with pytest.raises(IllegalStep) as error:
            match.play(0)
        assert in_dutch(str(error.value)) == "The game is over: vier op een rij."


class TestFigures:
    """Numbers have the signs of the language."""

    def test_in_a_language(self) -> None:
        assert [in_dutch(figures(value, form)) for value, form in ((1234567, ","), (-0.25, "+.2f"), (3, ","))] == [
            "1.234.567", "-0,25", "3",
        ]  # fmt: skip

    def test_in_a_sentence(self) -> None:
        found = say("{score} points", score=figures(20480))
        assert found == "20,480 points" and in_dutch(found) == "20.480 punten"
        assert in_dutch(pickle.loads(pickle.dumps(figures(1.5, ".1f")))) == "1,5", "whole from another process"

    @pytest.mark.parametrize("example", ["", "one thousand", "1234,5", "⟦1,234.5~~~⟧"])
    def test_whose_example_was_not_translated_stay_english(self, monkeypatch: pytest.MonkeyPatch, example: str) -> None:
        monkeypatch.setattr(Dutch, "words", {"1,234.5": example})
        assert in_dutch(figures(1234.5, ",.1f")) == "1,234.5"
