"""The trial of foreign texts: a little of it, and that it finds what is wrong."""

from __future__ import annotations

from random import Random

import pytest

from dev.trials.texts import MOST_SENTENCE, Reader, fault, read_spoilt, readers, spoilt
from papan.game.catalogue import GAMES
from papan.game.game import Game

FOUR = GAMES["connect-four"]


def reader_that(raises: Exception | None) -> Reader:
    def read(text: str) -> None:
        if raises is not None:
            raise raises

    return Reader("a reader", read, (ValueError,), ["text"])


class TestTheReaders:
    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
    def test_read_or_refuse_whatever_they_are_given(self, game: Game) -> None:
        tried = list(read_spoilt(300, 7, [game]))
        assert [found for _, _, found in tried if found] == []
        assert len({reader.name for reader, _, _ in tried}) == 8

    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
    def test_read_what_is_real(self, game: Game) -> None:
        for reader in readers(game, Random(3)):
            if not reader.name.startswith("turns"):  # which are read in one position only
                for text in reader.samples:
                    reader.read(text)


class TestWhatItFinds:
    def test_an_error_that_is_no_refusal(self) -> None:
        found = fault(reader_that(KeyError("x")), "text")
        assert found is not None and "KeyError" in found.trouble

    @pytest.mark.parametrize("sentence", ["", "a" * (MOST_SENTENCE + 1), "a bell: \x07"])
    def test_a_refusal_that_nobody_can_read(self, sentence: str) -> None:
        assert fault(reader_that(ValueError(sentence)), "text") is not None

    def test_nothing_where_nothing_is_wrong(self) -> None:
        assert fault(reader_that(None), "text") is None
        assert fault(reader_that(ValueError("There is no such text.")), "text") is None


class TestSpoiling:
    def test_the_same_seed_spoils_in_the_same_way(self) -> None:
        one, other = ([text for _, text, _ in read_spoilt(200, 5, [FOUR])] for _ in range(2))
        assert one == other

    def test_texts_get_shorter_longer_and_odd(self) -> None:
        random = Random(1)
        spoiled = [spoilt("1. 4 4 2. 5", ["3 3", "6"], random) for _ in range(2000)]
        assert min(map(len, spoiled)) == 0 and max(map(len, spoiled)) > 1000
        assert any("\x1b" in text for text in spoiled) and any("٣" in text for text in spoiled)
