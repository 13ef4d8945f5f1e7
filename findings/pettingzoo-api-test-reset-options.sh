#!/bin/bash
# PettingZoo 1.27.0 (2026-11-28): the conformance test of AEC environments resets with an option that no game has.
#
# Behaviour: `pettingzoo.test.api_test` calls `reset(seed=0, options={"options": 1})` once. An environment that refuses options
# it does not know, in a sentence, fails the test that is meant to tell whether it keeps to the interface.
#
# Expected: a conformance test resets by the documented signature alone, `seed` and `options=None`, since which options
# there are is each environment's own affair (the base class documents no option at all). So one would have an environment
# check its options, as Gymnasium's own checker lets one do (it passes `options={}`), and see both checkers pass.
#
# Why that is wrong: the option is passed unconditionally and no environment can know it. An environment for board games
# that takes options (size of the board, variant) has to let unknown ones of `reset` pass in silence, or fails.
#
# Output seen:
#   options seen by reset: {'options': 1}, None
#   strict environment: AssertionError: there is no option 'options'
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "pettingzoo[classic]==1.27.0" 2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/strict.py" <<'P'
import warnings

from pettingzoo.classic import tictactoe_v3
from pettingzoo.test import api_test
from pettingzoo.utils import wrappers

warnings.simplefilter("ignore")
seen = []


class Noting(tictactoe_v3.raw_env):
    def reset(self, seed=None, options=None):
        if options not in seen:
            seen.append(options)
        super().reset(seed, options)


class Strict(tictactoe_v3.raw_env):
    def reset(self, seed=None, options=None):
        for name in options or {}:
            raise AssertionError(f"there is no option {name!r}")
        super().reset(seed, options)


api_test(wrappers.OrderEnforcingWrapper(Noting()), num_cycles=20)
print("options seen by reset:", ", ".join(map(str, seen)))
try:
    api_test(wrappers.OrderEnforcingWrapper(Strict()), num_cycles=20)
    print("strict environment: passed")
except AssertionError as error:
    print("strict environment: AssertionError:", error)
P
"$folder/venv/bin/python" "$folder/strict.py" | tee "$folder/said"
grep -q "options seen by reset:.*{'options': 1}" "$folder/said" \
    && grep -qF "strict environment: AssertionError: there is no option 'options'" "$folder/said" \
    || { echo "This has changed: api_test no longer resets with an option that no environment has."; exit 1; }
