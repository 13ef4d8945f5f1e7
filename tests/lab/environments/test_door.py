"""The door to the environments where the libraries behind it are missing."""

from __future__ import annotations

import pytest

from papan.lab import environment


def test_what_is_missing_is_named_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r'PettingZoo is not installed: pip install "papan\[learning\]"'):
        environment.aec("connect-four")
    with pytest.raises(ModuleNotFoundError, match="Gymnasium is not installed"):
        environment.single("2048")
    assert environment.VectorEnvironment("connect-four", 1).actions == 7
