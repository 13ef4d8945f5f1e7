"""What is written from the program, and counted of it: documents, digests."""

from __future__ import annotations

import re
from pathlib import Path

from dev import counts, diagrams, digests
from dev.environments import DOCUMENT, GENERATED, document
from papan.ai.observation import observation_of
from papan.game.base.assets import ASSETS
from papan.game.catalogue import BUILT_IN
from papan.game.kernel import private
from papan.game.match.turn import TurnController
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

    def test_a_wide_row_becomes_several_and_its_list_is_not_repeated(self) -> None:
        santorini = document("").partition("## Santorini\n")[2].partition("\n## ")[0]
        picked = "1 if Hephaestus / Hermes / Minotaur / Pan / Prometheus can be picked"
        assert f"| 25–29 | 29–33 | 33–37 | 31–35 | everywhere: {picked} |" in santorini
        assert "| 31–40 | 35–44 | 39–48 | 37–46 | everywhere: 1 if the seat has Apollo / … / Prometheus |" in santorini

    def test_options_too_many_for_a_row_go_on_in_the_next(self) -> None:
        graphs = document("").partition("## Santorini on graphs\n")[2].partition("\n## ")[0]
        assert "| `variant=4W_I4H_TWUS`, `variant=1W_I2H_NTWD*S` | 9 × 1 × 25 | 675 |" in graphs


class TestDiagrams:
    def test_the_documentation_is_up_to_date(self) -> None:
        assert diagrams.DIAGRAMS.read_text(encoding="utf-8") == diagrams.document(), "run: python -m dev.diagrams"

    def test_every_state_and_phase_is_drawn(self) -> None:
        drawn = diagrams.document()
        for name in TurnController.STATES:
            assert f" as {name}\n" in drawn
        for game in BUILT_IN.values():
            for phase in game.rules.PHASES:
                assert f'state "{phase}"' in drawn

    def test_phases_are_drawn_with_their_arrows(self) -> None:
        assert diagrams.phases_diagram({"pick god": ("move",), "move": ("move",)}).splitlines() == [
            "stateDiagram-v2",
            "    direction LR",
            '    state "pick god" as pick_god',
            '    state "move" as move',
            "    [*] --> pick_god",
            "    pick_god --> move",
            "    move --> move",
        ]


def test_the_digests_are_as_the_tool_writes_them() -> None:
    assert digests.FILE.read_text(encoding="utf-8") == digests.source(ASSETS.folder)


KERNELS = """
import numba.core.types
from numba import njit, _private
from numba.core.base import BaseContext
from numba.extending import overload
FOUND = part("numba.core.base:BaseContext.make_array")
"""


def test_private_parts_are_those_without_a_promise() -> None:
    found = {"numba.core.types", "numba:_private", "numba.core.base:BaseContext"}
    assert set(counts.private_parts(KERNELS)) == {*found, "numba.core.base:BaseContext.make_array"}
    source = Path(str(private.__file__)).read_text(encoding="utf-8")
    assert set(counts.private_parts(source)) == {*private.PARTS}


def test_a_function_is_long_from_its_first_line_to_its_last() -> None:
    source = "def short():\n    pass\n\nclass A:\n    def long(self):\n" + "        pass\n" * 70
    assert list(counts.long_functions(source)) == [("long", 71)]


def test_a_checkout(tmp_path: Path) -> None:
    for name, content in {
        "papan/small.py": "a = 1\n" * 4,
        "papan/__init__.py": "",
        "papan/large.py": "a = 1\n" * 100,
        "tests/test_small.py": "a = 1\n" * 7,
        "main.py": "a = 1\n",
        "docs/architecture.md": "Four words stand here.",
        "README.md": "One more.",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert [line.split(maxsplit=1)[0] for line in counts.report(tmp_path)] == ["104", "112", "1", "0", "6", "4", "0"]
