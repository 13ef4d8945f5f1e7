"""A release: one file with all that is needed, its checksum, its notes, and the workflow that makes it."""

from __future__ import annotations

import hashlib
import re
import stat
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from dev.release import ReleaseError, archive_name, check_tag, main, notes, pack
from papan.game.base.places import CHECKOUT
from papan.game.base.version import VERSION

WORKFLOWS = sorted((CHECKOUT / ".github" / "workflows").glob("*.yml"))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A folder as PyInstaller leaves it."""
    folder = tmp_path / "dist" / "Papan"
    (folder / "_internal").mkdir(parents=True)
    (folder / "Papan").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "Papan").chmod(0o755)
    (folder / "_internal" / "library.so.1").write_bytes(b"\x00" * 5000)
    (folder / "_internal" / "library.so.1").chmod(0o644)
    if sys.platform != "win32":
        (folder / "_internal" / "library.so").symlink_to("library.so.1")
    return folder


class TestPacking:
    def test_for_linux_comes_with_menus_and_what_installs(self, program: Path, tmp_path: Path) -> None:
        made = pack(program, tmp_path / "out", "linux")
        assert made.name.startswith(f"papan-{VERSION}-linux-") and made.name.endswith(".tar.gz")
        with tarfile.open(made) as tar:
            top = archive_name("linux")
            names = tar.getnames()
            assert {name.split("/")[0] for name in names} == {top}
            assert {name.split("/")[1] for name in names} == {"Papan", "share", "install.sh"}
            assert tar.getmember(f"{top}/Papan/Papan").mode & 0o777 == 0o755
            assert {entry.uname for entry in tar} == {"root"}
            if sys.platform != "win32":
                assert tar.getmember(f"{top}/install.sh").mode & stat.S_IXUSR
                assert tar.getmember(f"{top}/Papan/_internal/library.so").linkname == "library.so.1"

    @pytest.mark.parametrize("system", ["win32", "darwin"])
    def test_elsewhere_is_a_zip_with_rights_and_links(self, program: Path, tmp_path: Path, system: str) -> None:
        made = pack(program, tmp_path / "out", system)
        top = archive_name(system)
        assert made.name == f"{top}.zip"
        with zipfile.ZipFile(made) as packed:
            assert packed.testzip() is None
            modes = {entry.filename: entry.external_attr >> 16 for entry in packed.infolist()}
            assert {name.split("/")[0] for name in modes} == {top}
            assert stat.S_ISREG(modes[f"{top}/_internal/library.so.1"])
            if sys.platform != "win32":
                assert (
                    modes[f"{top}/Papan"] & 0o777 == 0o755 and modes[f"{top}/_internal/library.so.1"] & 0o777 == 0o644
                )
                assert stat.S_ISLNK(modes[f"{top}/_internal/library.so"])
                assert packed.read(f"{top}/_internal/library.so") == b"library.so.1"

    def test_the_checksum_is_the_file_s(self, program: Path, tmp_path: Path) -> None:
        made = pack(program, tmp_path, "win32")
        digest = hashlib.sha256(made.read_bytes()).hexdigest()
        assert (tmp_path / f"{made.name}.sha256").read_text(encoding="utf-8") == f"{digest}  {made.name}\n"

    def test_the_same_program_makes_the_same_zip(self, program: Path, tmp_path: Path) -> None:
        one, other = (pack(program, tmp_path / name, "darwin").read_bytes() for name in ("one", "other"))
        assert one == other

    def test_without_a_program_it_is_told(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["pack", str(tmp_path), "--program", str(tmp_path / "none")]) == 1
        assert "There is no packed program in" in capsys.readouterr().err


class TestNotes:
    TEXT = (
        "# Changelog\n\n## [Unreleased]\n\n- new\n\n## [1.1.0] - 2026-02-01\n\n### Added\n\n- this\n\n"
        "## [1.0.0] - 2026-01-01\n\n- that\n"
    )

    def test_are_those_of_the_version(self) -> None:
        assert notes(self.TEXT, "1.1.0") == "### Added\n\n- this"
        assert notes(self.TEXT, "1.0.0") == "- that"

    def test_of_a_version_without_any_are_refused(self) -> None:
        with pytest.raises(ReleaseError, match=r"says nothing of version 1\.2\.0"):
            notes(self.TEXT, "1.2.0")

    def test_there_are_some_of_this_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["notes"]) == 0
        assert len(capsys.readouterr().out) > 100


class TestTag:
    def test_is_the_version_s(self) -> None:
        check_tag("v1.2.0", "1.2.0")
        for tag in ("1.2.0", "v1.2.1", "v1.2.0-rc1", ""):
            with pytest.raises(ReleaseError, match=r"is not that of version 1\.2\.0"):
                check_tag(tag, "1.2.0")


def jobs(workflow: Path) -> dict[Any, Any]:
    """The jobs of *workflow*, by name."""
    yaml = pytest.importorskip("yaml")
    found: dict[Any, Any] = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
class TestWorkflows:
    def test_are_whole(self, workflow: Path) -> None:
        found = jobs(workflow)
        assert found["name"] and (True in found or "on" in found), "YAML reads 'on' as true"
        assert found["permissions"] == {"contents": "read"}
        for name, job in found["jobs"].items():
            assert {"runs-on", "steps", "timeout-minutes"} <= set(job), name
            assert set(job.get("needs", "").split()) <= set(found["jobs"])
            for step in job["steps"]:
                assert ("run" in step) != ("uses" in step), step

    def test_use_actions_by_their_major_version(self, workflow: Path) -> None:
        used = [step["uses"] for job in jobs(workflow)["jobs"].values() for step in job["steps"] if "uses" in step]
        assert used and all(re.fullmatch(r"actions/[a-z-]+@v\d+", action) for action in used), used

    @pytest.mark.skipif(sys.platform == "win32", reason="its bash may be that of another system within")
    def test_run_what_a_shell_understands(self, workflow: Path) -> None:
        for job in jobs(workflow)["jobs"].values():
            for step in job["steps"]:
                plain = re.sub(r"\$\{\{[^}]*\}\}", "WORD", step.get("run", ""))
                checked = subprocess.run(["bash", "-n"], input=plain, capture_output=True, text=True)
                assert checked.returncode == 0, checked.stderr

    def test_run_modules_that_are_there(self, workflow: Path) -> None:
        for module in re.findall(r"python -m (papan[a-z_.]*)", workflow.read_text(encoding="utf-8")):
            place = CHECKOUT.joinpath(*module.split("."))
            assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), module


class TestReleaseWorkflow:
    @pytest.fixture
    def release(self) -> dict[str, Any]:
        found: dict[str, Any] = jobs(CHECKOUT / ".github" / "workflows" / "release.yml")["jobs"]
        return found

    def test_packs_on_each_system(self, release: dict[str, Any]) -> None:
        systems = [entry["os"].split("-")[0] for entry in release["pack"]["strategy"]["matrix"]["include"]]
        assert systems == ["ubuntu", "windows", "macos"]
        words = " ".join(step.get("run", "") for step in release["pack"]["steps"])
        order = [
            words.index(part) for part in ("release check", "build.spec", "--version", "--self-test", "release pack")
        ]
        assert order == sorted(order), "nothing is packed that was not tested"

    def test_each_matrix_word_is_given(self, release: dict[str, Any]) -> None:
        text = (CHECKOUT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
        for entry in release["pack"]["strategy"]["matrix"]["include"]:
            assert set(re.findall(r"matrix\.([a-z]+)", text)) == set(entry)

    def test_drafts_for_tags_alone(self, release: dict[str, Any]) -> None:
        draft = release["draft"]
        assert draft["needs"] == "pack" and draft["if"] == "github.ref_type == 'tag'"
        assert draft["permissions"] == {"contents": "write"}
        assert "--draft" in draft["steps"][-1]["run"] and "--verify-tag" in draft["steps"][-1]["run"]

    def test_asks_the_console_program_that_the_spec_makes(self) -> None:
        from dev.desktop import WINDOWS_COMMAND

        text = (CHECKOUT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
        assert f"dist/Papan/{WINDOWS_COMMAND}.exe" in text
