"""What the documentation says of environments."""

from __future__ import annotations

from dev.environments import DOCUMENT, GENERATED, document
from papan.ai.observation import observation_of
from papan.game.catalogue import HOUSE
from papan.testing.random_games import forms, new_match


class TestThePage:
    def test_it_is_up_to_date(self) -> None:
        text = DOCUMENT.read_text(encoding="utf-8")
        assert document(text) == text, "run: python -m dev.environments"

    def test_what_people_wrote_is_kept(self) -> None:
        assert document("Hand-written.\n\n").startswith(f"Hand-written.\n\n{GENERATED}")
        assert document(f"Hand-written.\n\n{GENERATED}Old.\n") == document("Hand-written.\n\n")

    def test_every_plane_of_every_form_is_there(self) -> None:
        written = document("")
        for game in HOUSE.values():
            for form in forms(game):
                for plane in observation_of(game).planes(new_match(game, 0, form).state):
                    assert f"| {plane.words} | {plane.most} |" in written

    def test_planes_have_the_numbers_of_their_form(self) -> None:
        catur_jawa = document("").partition("## Catur Jawa")[2].partition("\n## ")[0]
        assert "| the defaults | `seats=3` | `seats=4` | what it says of a cell | largest |" in catur_jawa
        assert "|  | 2 | 2 | the value of a card of the next seat but one | 9 |" in catur_jawa
