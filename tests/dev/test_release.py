"""A release: one file with all that is needed, its checksum, its notes, and the workflow that makes it."""

from __future__ import annotations

import hashlib
import re
import stat
import subprocess
import sys
import tarfile
import zipfile
from importlib import metadata
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from dev.desktop import MAC_BUNDLE, WINDOWS_COMMAND
from dev.licences import WORKS, UnknownLicence, collect, is_library, packages_among, works_in
from dev.release import ReleaseError, archive_name, check_tag, main, notes, pack
from papan.game.base.licences import TEXTS
from papan.game.base.places import CHECKOUT
from papan.game.base.version import VERSION

WORKFLOWS = sorted((CHECKOUT / ".github" / "workflows").glob("*.yml"))
RELEASE = (CHECKOUT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")


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
        assert made.name.startswith(f"papan-{VERSION}-linux-") and made.name.endswith(".tar.xz")
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

    def test_for_macos_the_bundle_and_its_licences(self, program: Path, tmp_path: Path) -> None:
        inside = program.with_name(MAC_BUNDLE) / "Contents" / "MacOS"
        inside.mkdir(parents=True)
        (inside / "Papan").write_text("program")
        (program / "licences").mkdir(exist_ok=True)
        (program / "licences" / "MIT.txt").write_text("MIT")
        with zipfile.ZipFile(pack(program, tmp_path / "out", "darwin")) as packed:
            top = archive_name("darwin")
            assert {f"{top}/{MAC_BUNDLE}/Contents/MacOS/Papan", f"{top}/licences/MIT.txt"} == set(packed.namelist())

    def test_the_same_program_makes_the_same_zip_with_its_checksum(self, program: Path, tmp_path: Path) -> None:
        made, again = (pack(program, tmp_path / name, "darwin") for name in ("one", "other"))
        content = made.read_bytes()
        checksum = made.with_name(f"{made.name}.sha256").read_text(encoding="utf-8")
        assert checksum == f"{hashlib.sha256(content).hexdigest()}  {made.name}\n"
        assert again.read_bytes() == content

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
        with pytest.raises(ReleaseError, match=r"says nothing of version 1\.2\.0"):
            notes(self.TEXT, "1.2.0")

    def test_there_are_some_of_this_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["notes"]) == 0
        assert len(capsys.readouterr().out) > 100


def test_the_tag_is_the_version_s() -> None:
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
                assert "run" in step or re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]), step

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
        found: dict[str, Any] = pytest.importorskip("yaml").safe_load(RELEASE)["jobs"]
        return found

    def test_packs_on_each_system(self, release: dict[str, Any]) -> None:
        matrix = release["pack"]["strategy"]["matrix"]["include"]
        assert [entry["os"].split("-")[0] for entry in matrix] == ["ubuntu", "windows", "macos"]
        assert all(set(re.findall(r"matrix\.([a-z]+)", RELEASE)) == set(entry) for entry in matrix)
        words = " ".join(step.get("run", "") for step in release["pack"]["steps"])
        order = [
            words.index(part) for part in ("release check", "build.spec", "--version", "--self-test", "release pack")
        ]
        assert order == sorted(order), "nothing is packed that was not tested"

    def test_drafts_for_tags_alone(self, release: dict[str, Any]) -> None:
        draft = release["draft"]
        assert draft["needs"] == "pack" and draft["if"] == "github.ref_type == 'tag'"
        assert draft["permissions"] == {"contents": "write"}
        assert "--draft" in draft["steps"][-1]["run"] and "--verify-tag" in draft["steps"][-1]["run"]

        assert f"dist/Papan/{WINDOWS_COMMAND}.exe" in RELEASE, "the console program that the spec makes is asked"


LIBRARIES = {
    "pygame_ce.libs/libSDL2_image-2-d6906c81.0.so.0.800.12": "SDL",
    "SDL2.dll": "SDL",
    "pygame_ce.libs/libSDL2_mixer-2-6719e6f6.0.so.0.800.2": "SDL",
    "pygame_ce.libs/libFLAC-e7027ec5.so.14.0.0": "FLAC, Ogg, Vorbis and opusfile",
    "pygame_ce.libs/libvorbisenc-263afe1b.so.2.0.12": "FLAC, Ogg, Vorbis and opusfile",
    "pygame_ce.libs/libopusfile-96d7a9c0.so.0.4.5": "FLAC, Ogg, Vorbis and opusfile",
    "pygame_ce.libs/libopus-ddd6afb9.so.0.11.1": "Opus",
    "pygame_ce.libs/libasound-2b3a3662.so.2.0.0": "ALSA",
    "libmpg123-0.dll": "mpg123",
    "libwavpack.1.dylib": "WavPack",
    "libxmp.dll": "libxmp",
    "pygame/window.cpython-311-x86_64-linux-gnu.so": "pygame-ce",
    "numpy.libs/libscipy_openblas64_-32a4b2a6.so": "numpy",
    "numpy.libs/libgfortran-040039e1-0352e75f.so.5.0.0": "GCC runtime",
    "python3.11/lib-dynload/_sqlite3.cpython-311-x86_64-linux-gnu.so": "Python",
    "_ctypes.pyd": "Python",
    "python311.dll": "Python",
    "libz.so.1": "zlib",
    "libsqlite3.so.0": "SQLite",
    "llvmlite/binding/libllvmlite.dylib": "llvmlite",
    "VCRUNTIME140.dll": "Microsoft runtime",
}


class TestWorks:
    @pytest.mark.parametrize("library", LIBRARIES)
    def test_whose_a_library_is(self, library: str) -> None:
        assert is_library(library)
        names = {work.name for work in works_in([], [library])}
        assert names == {"Python", "pyinstaller", LIBRARIES[library]}

    def test_what_is_required_is_known(self) -> None:
        required = (CHECKOUT / "requirements.txt").read_text(encoding="utf-8").splitlines()
        wanted = {line.split(">=")[0] for line in required if line and not line.startswith("#")}
        owners = metadata.packages_distributions()
        packages = [package for package, names in owners.items() if wanted & {*names}]
        assert {work.name for work in works_in(packages, [])} >= wanted

    def test_an_unknown_library_or_package_is_named(self) -> None:
        with pytest.raises(UnknownLicence, match=r"of libreadline\.so\.8:"):
            works_in([], ["libreadline.so.8", "libz.so.1", "readme.txt"])
        with pytest.raises(UnknownLicence, match="of nobodys:"):
            works_in(["nobodys", "numpy"], [])

    def test_python_and_the_program_are_no_packages_of_others(self) -> None:
        modules = ["json.decoder", "papan.main", "numpy.linalg", "_sysconfigdata__linux_x86_64-linux-gnu", "pyimod01"]
        assert packages_among(modules) == {"numpy"}


class TestTexts:
    def test_each_is_there_and_somebodys(self) -> None:
        assert {path.name for path in TEXTS.iterdir()} == {text for work in WORKS for text in work.texts}

    def test_are_collected_with_an_index(self, tmp_path: Path) -> None:
        folder = tmp_path / "licences"
        (folder / "old").mkdir(parents=True)
        collect(works_in(["pygame", "click"], ["libz.so.1"]), folder)
        assert sorted(path.name for path in folder.iterdir()) == [
            *("Python", "README.txt", "click", "pygame-ce", "pyinstaller", "zlib")
        ]
        assert "GNU LESSER" in (folder / "pygame-ce" / "LGPL-2.1.txt").read_text(encoding="utf-8")
        assert "zlib: zlib.txt" in (folder / "README.txt").read_text(encoding="utf-8").splitlines()


class TestAWheelWithKernels:
    @pytest.fixture
    def hook(self, tmp_path: Path) -> Any:
        spec = spec_from_file_location("kernel_wheel", CHECKOUT / "packaging" / "kernel_wheel.py")
        assert spec and spec.loader
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.KernelWheel(str(tmp_path), {}, None, None, str(tmp_path / "dist"), "wheel")

    def test_is_for_one_platform(self, hook: Any, tmp_path: Path) -> None:
        folder = tmp_path / "build" / "kernels"
        folder.mkdir(parents=True)
        (folder / "pack.json").write_text("{}")
        build: dict[str, Any] = {"force_include": {}}
        hook.initialize("standard", build)
        assert build == {"force_include": {str(folder): "papan/kernels"}, "infer_tag": True, "pure_python": False}

    def test_is_not_made_without_them(self, hook: Any) -> None:
        with pytest.raises(FileNotFoundError, match="run 'papan kernels build"):
            hook.initialize("standard", {"force_include": {}})
