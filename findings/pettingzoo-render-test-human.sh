#!/bin/bash
# PettingZoo 1.27.0 with Gymnasium 1.4.0 (2026-11-30): `render_test` fails for an environment without the mode "human".
#
# Behaviour: `pettingzoo.test.render_test` begins by making the environment with `render_mode="human"`, whatever modes
# its metadata lists. An environment that only offers "ansi" and refuses other modes, as it should, raises there, and the
# test of its real modes never runs. With a factory that turns "human" into None the same environment passes.
#
# Expected: the modes to test are those in `metadata["render_modes"]`, which the function reads one line later and goes
# through in its loop; an environment without a window is a usual case, such as one that runs on a server.
#
# Why that is wrong: the first environment serves to read the metadata, but is made with a mode that nobody has promised.
# Whoever checks the mode, as the documentation of `render_mode` asks, must weaken the check or wrap the factory.
#
# Output seen:
#   strict: ValueError: there is no mode 'human'
#   with "human" taken for None: passed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "pettingzoo==1.27.0" "gymnasium==1.4.0" 2>"$folder/pip.log" ||
    { cat "$folder/pip.log"; exit 1; }
cat >"$folder/rendered.py" <<'P'
import numpy as np
from gymnasium.spaces import Box, Discrete
from pettingzoo import AECEnv
from pettingzoo.test import render_test
from pettingzoo.utils import AgentSelector


class Counting(AECEnv):
    """Two seats say numbers in turn; it can only be shown as text."""

    metadata = {"render_modes": ["ansi"], "name": "counting"}

    def __init__(self, render_mode=None):
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"there is no mode {render_mode!r}")
        self.render_mode = render_mode
        self.possible_agents = ["one", "two"]
        self.action_spaces = {agent: Discrete(3) for agent in self.possible_agents}
        self.observation_spaces = {agent: Box(0, 1000, (1,), np.int64) for agent in self.possible_agents}

    def action_space(self, agent):
        return self.action_spaces[agent]

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def observe(self, agent):
        return np.array([self.total])

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        for name, value in (("rewards", 0), ("_cumulative_rewards", 0), ("terminations", False), ("truncations", False)):
            setattr(self, name, {agent: value for agent in self.agents})
        self.infos = {agent: {} for agent in self.agents}
        self.total = 0
        self._turns = AgentSelector(self.agents)
        self.agent_selection = self._turns.next()

    def step(self, action):
        self.total += int(action)
        self.agent_selection = self._turns.next()

    def render(self):
        return str(self.total)


try:
    render_test(Counting)
    print("strict: passed")
except ValueError as error:
    print(f"strict: ValueError: {error}")
render_test(lambda render_mode: Counting(None if render_mode == "human" else render_mode))
print('with "human" taken for None: passed')
P
seen=$("$folder/venv/bin/python" "$folder/rendered.py")
echo "$seen"
expected="strict: ValueError: there is no mode 'human'
with \"human\" taken for None: passed"
[ "$seen" = "$expected" ] || { echo "This has changed: PettingZoo's render_test asks for other modes than before."; exit 1; }
