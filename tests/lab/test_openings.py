"""Making opening books by searches: what is looked at next, what is backed up, and going on after an interruption."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from papan.ai.openings import Book, key_of
from papan.game.catalogue import GAMES
from papan.game.rules import State, is_over, legal_steps, mover, play
from papan.lab.book import LINES, opening_maker

GAME = GAMES["othello"]
START = GAME.rules.start({}, Random(0))


def make(path: Path, positions: int, most: int | None = None) -> dict[int, int]:
    """The scores of a book of so many more *positions*, ended as if the process was killed after the *most*-th."""
    maker = opening_maker(GAME, path, 1)

    def on_position(number: int) -> bool:
        if number == most:
            raise KeyboardInterrupt
        return True

    with closing(maker.growing):
        maker.make(positions, 300, on_position)
    return Book.read(path, GAME.name).as_dict()


def kept_children(state: State, scores: dict[int, int]) -> dict[int, int]:
    """What the positions after *state* that the book has are worth to its seat, by their keys."""
    found = {}
    for step in legal_steps(state):
        after = play(state, step)
        key = key_of(after)
        if not is_over(after) and key in scores:
            found[key] = scores[key] if mover(after) == mover(state) else -scores[key]
    return found


class TestOpeningMaker:
    def test_a_position_is_worth_what_its_best_step_leaves(self, tmp_path: Path) -> None:
        scores = make(tmp_path / "a.book", 25)
        waiting, seen, looked_at = [START], set[int](), 0
        while waiting:
            state = waiting.pop()
            children = kept_children(state, scores)
            if key_of(state) not in seen and children:
                seen.add(key_of(state))
                best = max(children.values())
                looked_at += best == scores[key_of(state)]
                assert best <= scores[key_of(state)]  # less only at the rim, where another way comes by
                waiting += [after for step in legal_steps(state) if key_of(after := play(state, step)) in scores]
        assert looked_at >= 25

    def test_the_best_few_steps_are_looked_at(self, tmp_path: Path) -> None:
        scores = make(tmp_path / "a.book", 1)
        assert len(kept_children(START, scores)) == 1  # the four first steps are mirror images of each other
        scores = make(tmp_path / "b.book", 2)
        after = play(START, legal_steps(START)[0])
        assert len(kept_children(after, scores)) == min(LINES, len(legal_steps(after)))

    def test_good_play_is_followed_further_than_bad(self, tmp_path: Path) -> None:
        after = play(START, legal_steps(START)[0])
        good, *bad = (play(after, step) for step in legal_steps(after))
        maker = opening_maker(GAME, tmp_path / "a.book", 1)
        with maker.growing.noting() as note:
            for state, score in ((START, 0), (after, 0), (good, 0), *((state, 100) for state in bad)):
                note(key_of(state), score)
        maker.growing.close()
        scores = make(tmp_path / "a.book", 3)
        assert kept_children(good, scores)
        assert not any(kept_children(state, scores) for state in bad)

    @pytest.mark.parametrize("most", [1, 4])
    def test_goes_on_where_it_was_ended(self, tmp_path: Path, most: int) -> None:
        with pytest.raises(KeyboardInterrupt):
            make(tmp_path / "a.book", 10, most)
        begun = len(Book.read(tmp_path / "a.book", GAME.name))
        assert begun > 1
        assert len(make(tmp_path / "a.book", 10)) > begun

    def test_a_journal_left_by_a_killed_process_is_taken_up(self, tmp_path: Path) -> None:
        maker = opening_maker(GAME, tmp_path / "a.book", 1)
        with maker.growing.noting() as note:
            note(17, 3)
        maker.growing.close()  # as the system does when it ends a process
        assert opening_maker(GAME, tmp_path / "a.book", 1).growing.scores == {17: 3}
        told: list[int] = []

        def on_position(number: int) -> bool:
            told.append(number)
            return number < 3

        opening_maker(GAME, tmp_path / "b.book", 1).make(100, 100, on_position)
        assert told == [1, 2, 3], "it ends when it is told to"
