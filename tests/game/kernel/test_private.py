"""The parts of numba that Papan relies on: one that is missing is told in a sentence."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from papan.game.kernel import private
from papan.game.kernel.cache import GENERATING_MODULES
from papan.game.kernel.private import PARTS, VERSIONS, MissingPartError, check, part

ROOT = Path(__file__).resolve().parents[3]
KERNEL_FOLDER = ROOT / "papan" / "game" / "kernel"
PUBLIC = {"numba", "numba.extending", "llvmlite", "llvmlite.binding"}


def imports_of(source: Path) -> set[str]:
    """The modules that *source* imports from, if numba's are among them."""
    names: set[str] = set()
    text = source.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if "numba" in text or "llvmlite" in text else ():
        if isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return names


class TestMissingParts:
    @pytest.mark.parametrize("place", PARTS)
    def test_are_told_one_by_one(self, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
        check()
        module, _, name = place.partition(":")
        *way, last = name.split(".")
        holder = importlib.import_module(module)
        for word in way:
            holder = getattr(holder, word)
        monkeypatch.delattr(holder, last)
        with pytest.raises(MissingPartError) as missing:
            check()
        sentence = str(missing.value)
        assert f"lacks {module}.{name}, which Papan needs for {PARTS[place]}" in sentence
        assert sentence.endswith(f"install numba{VERSIONS}")

    def test_a_module_that_went_away_is_told_like_a_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(private.PARTS, "numba.no_such_module:name", "a test")
        with pytest.raises(MissingPartError, match=r"lacks numba\.no_such_module\.name"):
            part("numba.no_such_module:name")

    def test_the_versions_are_those_of_the_requirements(self) -> None:
        assert f"numba{VERSIONS}" in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()


class TestNothingElse:
    def test_is_imported_from_numba_but_what_it_promises(self) -> None:
        for source in (ROOT / "papan").rglob("*.py"):
            of_numba = {name for name in imports_of(source) if name.split(".")[0] in ("numba", "llvmlite")}
            assert of_numba <= PUBLIC, source

    def test_generates_code_but_what_is_part_of_every_digest(self) -> None:
        generating = {
            f"papan.game.kernel.{source.stem}"
            for source in KERNEL_FOLDER.glob("*.py")
            if imports_of(source) & {"llvmlite", "llvmlite.ir", "numba.extending"}
        } - {"papan.game.kernel.packs"}  # it only asks which processor this is
        assert generating <= set(GENERATING_MODULES)
