"""The key of this program and the last letter of each match, in files."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from papan.online.identity import FILE_NAME, IdentityError, is_signed, own_identity
from papan.online.letterbox import FOLDER, Letterbox
from papan.online.letters import SUFFIX, LetterError
from tests.online.test_letters import BO, MATCH_ID, four, sent


class TestIdentity:
    def test_it_is_made_once_and_private(self, tmp_path: Path) -> None:
        file = tmp_path / "data" / FILE_NAME
        first = own_identity(file)

        assert own_identity(file).public == first.public
        assert own_identity(tmp_path / FILE_NAME).public != first.public
        if sys.platform != "win32":
            assert stat.S_IMODE(file.stat().st_mode) == 0o600

    def test_a_signature_fits_its_text_and_key_alone(self, tmp_path: Path) -> None:
        identity = own_identity(tmp_path / FILE_NAME)
        signature = identity.sign(b"text")

        assert is_signed(b"text", signature, identity.public)
        assert not is_signed(b"texts", signature, identity.public)
        assert not is_signed(b"text", signature, BO.public)
        assert not is_signed(b"text", b"", b"")

    @pytest.mark.parametrize("content", [b"", b"00", b"zz" * 32, b"\xff" * 64, b"00" * 5000])
    def test_a_damaged_file_stays_and_is_named(self, tmp_path: Path, content: bytes) -> None:
        file = tmp_path / FILE_NAME
        file.write_bytes(content)
        with pytest.raises(IdentityError, match=FILE_NAME):
            own_identity(file)
        assert file.read_bytes() == content

    def test_no_place_for_it(self, tmp_path: Path) -> None:
        (tmp_path / "data").write_text("a file")
        with pytest.raises(IdentityError, match="can't be written"):
            own_identity(tmp_path / "data" / FILE_NAME)


class TestLetterbox:
    def test_it_keeps_the_letter_alone(self, tmp_path: Path) -> None:
        box = Letterbox(tmp_path)
        text = sent(four("3", 0, answered=False))

        assert box.open(f"Hello!\n{text}\nBye").standing == "new"
        assert box.text(MATCH_ID) == text
        assert (tmp_path / FOLDER / f"{MATCH_ID}{SUFFIX}").read_text() == text
        assert box.open(text).standing == "known"
        assert Letterbox(tmp_path).last(MATCH_ID) == four("3", 0, answered=False)

    def test_a_refused_letter_changes_nothing(self, tmp_path: Path) -> None:
        box = Letterbox(tmp_path)
        box.open(sent(four("3", 0, answered=False)))
        with pytest.raises(LetterError):
            box.open(sent(four("5", 0, answered=False)))
        assert box.last(MATCH_ID) == four("3", 0, answered=False)

    @pytest.mark.parametrize("match_id", ["", "../identity", "A" * 24, MATCH_ID])
    def test_no_letter(self, tmp_path: Path, match_id: str) -> None:
        assert Letterbox(tmp_path).last(match_id) is None

    def test_a_damaged_letter_is_a_sentence(self, tmp_path: Path) -> None:
        box = Letterbox(tmp_path)
        box.open(sent(four("3", 0, answered=False)))
        (tmp_path / FOLDER / f"{MATCH_ID}{SUFFIX}").write_bytes(b"\xff\x00papan:AQ")
        with pytest.raises(LetterError, match="cut off"):
            box.last(MATCH_ID)

    def test_only_old_letters_without_a_match_go(self, tmp_path: Path) -> None:
        box = Letterbox(tmp_path)
        box.open(sent(four("3", 0, answered=False)))
        file, other = tmp_path / FOLDER / f"{MATCH_ID}{SUFFIX}", tmp_path / FOLDER / "notes.txt"
        other.write_text("")
        box.tidy(list)
        assert file.exists(), "it came today"
        os.utime(file, (1e9, 1e9))
        os.utime(other, (1e9, 1e9))
        box.tidy(lambda: None)  # the library is damaged
        box.tidy(lambda: [MATCH_ID])
        assert file.exists()
        box.tidy(lambda: ["another"])
        assert not file.exists() and other.exists()
