"""``papan links``, with a registry that is a dictionary."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.commands.calling import calling

links = calling("links")
TOP = "Software\\Classes\\papan"


class Registry:
    """As ``winreg``, with the values by key."""

    HKEY_CURRENT_USER, REG_SZ = "HKCU", 1

    def __init__(self) -> None:
        self.keys: dict[str, dict[str, str]] = {}

    @contextmanager
    def create_key(self, root: str, path: str) -> Iterator[str]:
        assert root == self.HKEY_CURRENT_USER
        parts = path.split("\\")
        for number in range(1, len(parts) + 1):
            self.keys.setdefault("\\".join(parts[:number]), {})
        yield path

    def set_value(self, key: str, name: str, reserved: int, kind: int, value: str) -> None:
        assert (reserved, kind) == (0, self.REG_SZ)
        self.keys[key][name] = value

    def delete_key(self, root: str, path: str) -> None:
        if path not in self.keys:
            raise FileNotFoundError(path)
        assert not any(key.startswith(f"{path}\\") for key in self.keys), "Windows deletes no key with others in it"
        del self.keys[path]

    CreateKey, SetValueEx, DeleteKey = create_key, set_value, delete_key


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    registry = Registry()
    monkeypatch.setitem(sys.modules, "winreg", registry)
    monkeypatch.setattr("papan.commands.links.sys.platform", "win32")
    return registry


def test_windows_opens_links(registry: Registry, capsys: pytest.CaptureFixture[str], tmp_path: Path,
                             monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    folder = tmp_path / "a folder"
    folder.mkdir()
    program = folder / "Papan-console.exe"
    monkeypatch.setattr("papan.commands.links.command_words", lambda: [str(program), "main.py"])
    assert links(capsys)[0] == 0
    assert registry.keys[TOP] == {"": "URL:Papan", "URL Protocol": ""}
    command = registry.keys[f"{TOP}\\shell\\open\\command"][""]
    assert command == f'{subprocess.list2cmdline([str(program)])} main.py open -- "%1"' and f'"{program}"' in command
    (folder / "Papan.exe").touch()
    assert links(capsys)[0] == 0
    assert "Papan.exe" in registry.keys[f"{TOP}\\shell\\open\\command"][""], "the one that opens no console"


def test_it_is_undone(registry: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    assert links(capsys, "--remove")[0] == 0
    assert links(capsys)[0] == 0 and links(capsys, "--remove")[0] == 0
    assert TOP not in registry.keys


def test_a_refusal_is_a_sentence(
    registry: Registry, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(root: str, path: str) -> None:
        raise PermissionError(13, "Access is denied")

    monkeypatch.setattr(registry, "CreateKey", refuse)
    code, _out, err = links(capsys)
    assert code and "access is denied" in err


@pytest.mark.skipif(sys.platform == "win32", reason="it works there")
def test_elsewhere_it_says_who_does_it(capsys: pytest.CaptureFixture[str]) -> None:
    code, _out, err = links(capsys)
    assert code and "install.sh" in err
