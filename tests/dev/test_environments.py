"""What the documentation says of environments."""

from __future__ import annotations

import re

from dev.environments import DOCUMENT, GENERATED, document
from papan.ai.observation import observation_of
from papan.game.catalogue import BUILT_IN
from papan.testing.random_games import forms, new_match


class TestThePage:
    def test_it_is_up_to_date(self) -> None:
        text = DOCUMENT.read_text(encoding="utf-8")
        assert document(text) == text, "run: python -m dev.environments"

    def test_what_people_wrote_is_kept(self) -> None:
        assert document("Hand-written.\n\n").startswith(f"Hand-written.\n\n{GENERATED}")
        assert document(f"Hand-written.\n\n{GENERATED}Old.\n") == document("Hand-written.\n\n")

    def test_every_plane_of_every_form_is_there(self) -> None:
        for game in BUILT_IN.values():
            told = document("").partition(f"## {game.title}\n")[2].partition("\n## ")[0]
            rows = [line.strip("| ").split("|") for line in told.splitlines() if line.startswith("| ")]
            words = {word for row in rows for word in row[-1].split()} if rows else set()
            for form in forms(game):
                planes = observation_of(game).planes(new_match(game, 0, form).state)
                assert {word for plane in planes for word in plane.words.split()} <= words
                assert str(len(planes) - 1) in re.findall(r"[0-9]+", told)

    def test_planes_have_the_numbers_of_their_form(self) -> None:
        catur_jawa = document("").partition("## Catur Jawa")[2].partition("\n## ")[0]
        assert "| the defaults | `seats=3` | `seats=4` | what it says of a cell |" in catur_jawa
        assert "|  | 2 | 2 | the value of a card of the next seat but one (up to 9) |" in catur_jawa

    def test_planes_that_differ_by_a_word_share_a_row(self) -> None:
        santorini = document("").partition("## Santorini\n")[2].partition("\n## ")[0]
        assert "| 2–4 | 3–5 | 4–6 | 2–4 | cells of level 1 / 2 / 3 and higher |" in santorini
