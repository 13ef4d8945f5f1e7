"""What turns are called in the window."""

from __future__ import annotations

import pytest

from papan.ai.reviews.coach import first_turn
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import play
from papan.ui.play import turn_names
from papan.ui.texts import use
from papan.ui.texts.manner import use_manner


def othello(*turns: str) -> Match:
    match = Match.new(GAMES["othello"], ["human", "human"], {"first": "1"}, 1)
    for turn in turns:
        for step in parse_turn(match.rules, match.state, turn):
            match.play(step)
    return match


def test_both_forms_and_the_one_that_is_shown() -> None:
    match = othello("d3")
    name = turn_names.name_of_played(match, match.turns()[0])
    assert name == ("d3, turns 1 disc", "d3", "d3")
    assert name.shown == "d3, turns 1 disc" and name.other == "d3" and name.told == "d3, turns 1 disc (d3)"
    use_manner(in_words=False)
    assert name.shown == "d3" and name.other == "d3, turns 1 disc" and name.brief == "d3"
    horse = Match.new(GAMES["xiangqi"], ["human", "human"], {"first": "1"}, 1)
    horse.play(parse_turn(horse.rules, horse.state, "h2e2")[0])
    name = turn_names.name_of_played(horse, horse.turns()[0])
    assert name.brief == "h2e2"
    use_manner()
    assert name.brief == "Cannon h2 to e2" and name.shown == "Cannon from h2 to the middle file"


def test_in_the_language() -> None:
    match = Match.new(GAMES["connect-four"], ["human", "human"], {"first": "1"}, 1)
    use("id")
    try:
        assert turn_names.turn_name(match.game, [match.state, play(match.state, 3)], [3]).words == "Kolom 4"
    finally:
        use("en")


def test_in_sentences_words_stand_between_quotation_marks() -> None:
    match = othello("d3")
    assert turn_names.name_in_sentence(match, match.turns()[0]) == "“d3”"
    use_manner(in_words=False)
    assert turn_names.name_in_sentence(match, match.turns()[0]) == "d3"
    four = Match.new(GAMES["connect-four"], ["human", "human"], {"first": "1"}, 1)
    turn = first_turn(four.state, [3], 7)
    assert turn is not None and turn_names.names_in_sentences(four.game)(turn) == "Column 4"
    use_manner()
    assert turn_names.names_in_sentences(four.game)(turn) == "Column 4"


def test_a_line_is_cut_into_turns() -> None:
    match = Match.new(GAMES["checkers"], ["human", "human"], {"first": "1"}, 1)
    steps, state = [], match.state
    for turn in ("9-14", "23-18", "14x23"):
        steps += parse_turn(match.rules, state, turn)
        state = play(state, steps[-1])
    names = list(turn_names.names_in_line(match.game, match.state, steps))
    assert [name.notation for name in names] == ["9-14", "23-18", "14x23"]
    assert turn_names.joined_turns(name.shown for name in names[:2]) == "Man from 9 to 14 · Man from 23 to 18"
    assert turn_names.joined_in_sentence(name.shown for name in names[:2]) == "man from 9 to 14 · man from 23 to 18"
    use_manner(in_words=False)
    assert turn_names.joined_turns(name.shown for name in names[:2]) == "9-14 23-18"
    assert turn_names.joined_in_sentence(["Rx5"]) == "Rx5", "notation keeps its capitals"


def test_a_plugins_faulty_words_give_way_to_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    from papan.game.presentation.words import othello as words

    monkeypatch.setattr(words, "turn_words", lambda states, steps: 1 // 0)
    match = othello("d3")
    assert turn_names.name_of_played(match, match.turns()[0])[:2] == ("d3", "d3")
