#!/bin/bash
# accesskit 0.7.0 (2026-11-30), at-spi2-core 2.46.0, pyatspi 2.46.0: what AT-SPI clients get of a label, a switch and a combo box.
#
# Behaviour: of a node with the role LABEL the client gets an empty name, though `set_label` was called: its text is what
# `set_value` was given. A SWITCH that is toggled on is a "toggle button" in the state "pressed", not "checked"; a radio
# button toggled on is "checked". The value of a COMBO_BOX reaches no client: the element has neither AT-SPI's Text nor
# its Value interface, only a name.
#
# Expected: `set_label` names every node, as it does for buttons, and as the method's name says of a label most of all; a
# switch that is on is "checked", as ARIA's switch with aria-checked is; a combo box tells its value, as on Windows.
#
# Why that is wrong: the adapter names a label by its value alone, maps a switch to a toggle button, and offers texts of
# text fields only. A program whose tree looks whole on paper is read as nameless labels and combo boxes without a value.
#
# Needs the packages at-spi2-core, dbus, gir1.2-atspi-2.0 and python3-pyatspi of the system. Output seen:
#   label by set_label: ''
#   label by set_value: 'Whose turn'
#   switch: toggle button, checked False, pressed True
#   radio: radio button, checked True, pressed False
#   combo box: 'Language', has a text False, has a value False
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "accesskit==0.7.0" 2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/program.py" <<'P'
import threading
import time

import accesskit
from accesskit import Action, Node, Rect, Role, Toggled, Tree, TreeUpdate

root = Node(Role.WINDOW)
root.set_label("program")
named, valued, switch, radio, combo = (
    Node(role) for role in (Role.LABEL, Role.LABEL, Role.SWITCH, Role.RADIO_BUTTON, Role.COMBO_BOX)
)
named.set_label("Whose turn")
valued.set_value("Whose turn")
switch.set_label("Sounds")
switch.set_toggled(Toggled.TRUE)
radio.set_label("Quiet")
radio.set_toggled(Toggled.TRUE)
combo.set_label("Language")
combo.set_value("English")
nodes = [named, valued, switch, radio, combo]
root.set_children(list(range(2, 2 + len(nodes))))


def whole():
    update = TreeUpdate(1)
    update.tree = Tree(1)
    update.nodes.append((1, root))
    for number, node in enumerate(nodes, 2):
        update.nodes.append((number, node))
    return update


adapter = accesskit.unix.Adapter(whole, lambda request: None, lambda: None)
adapter.update_window_focus_state(True)
while True:
    time.sleep(1)
P
cat >"$folder/client.py" <<'P'
import sys
import time

import pyatspi


def has(element, interface):
    try:
        getattr(element, interface)()
    except NotImplementedError:
        return False
    return True


for _attempt in range(100):
    frames = [frame for program in pyatspi.Registry.getDesktop(0) if program for frame in program]
    if frames and len(frames[0]) == 5:
        break
    time.sleep(0.1)
else:
    sys.exit("The program's elements never came.")
named, valued, switch, radio, combo = frames[0]
print(f"label by set_label: {named.name!r}")
print(f"label by set_value: {valued.name!r}")
for what, element in (("switch", switch), ("radio", radio)):
    states = element.getState()
    on = [states.contains(state) for state in (pyatspi.STATE_CHECKED, pyatspi.STATE_PRESSED)]
    print(f"{what}: {element.getRoleName()}, checked {on[0]}, pressed {on[1]}")
print(f"combo box: {combo.name!r}, has a text {has(combo, 'queryText')}, has a value {has(combo, 'queryValue')}")
P
cat >"$folder/session" <<P
/usr/libexec/at-spi-bus-launcher --launch-immediately 2>/dev/null &
sleep 1
for name in IsEnabled ScreenReaderEnabled; do
    dbus-send --session --print-reply --dest=org.a11y.Bus /org/a11y/bus org.freedesktop.DBus.Properties.Set \\
        string:org.a11y.Status string:\$name variant:boolean:true >/dev/null
done
"$folder/venv/bin/python" "$folder/program.py" &
program=\$!
/usr/bin/python3 "$folder/client.py" 2>/dev/null
kill \$program
P
dbus-run-session -- bash "$folder/session" 2>/dev/null | grep -v "^SpiRegistry" | tee "$folder/said"
cat >"$folder/expected" <<'P'
label by set_label: ''
label by set_value: 'Whose turn'
switch: toggle button, checked False, pressed True
radio: radio button, checked True, pressed False
combo box: 'Language', has a text False, has a value False
P
cmp -s "$folder/said" "$folder/expected" || { echo "This has changed: AccessKit tells AT-SPI other things of a label, a switch or a combo box."; exit 1; }
