#!/bin/sh
# Puts the packed program where a desktop of Linux looks for programs: its menu, its icons, and the command "papan".
#   ./install.sh             into ~/.local, for this user alone
#   ./install.sh /usr/local  for everybody, as root
#   ./install.sh --remove [PLACE]
# Matches and settings lie elsewhere and are never touched.
set -eu

id=org.papan.Papan
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
action=install
if [ "${1:-}" = --remove ]; then
    action=remove
    shift
fi
place=${1:-$HOME/.local}
case $place in
    /*) ;;
    *) echo "The place '$place' is no full path such as /usr/local." >&2; exit 2 ;;
esac
program=$place/lib/papan

remove() {
    if [ -e "$program" ] && [ ! -x "$program/Papan" ]; then
        echo "There is something else in $program: it is left as it is." >&2
        exit 1
    fi
    rm -rf "$program"
    rm -f "$place/bin/papan" "$place/share/applications/$id.desktop" "$place/share/metainfo/$id.metainfo.xml"
    for icon in "$place"/share/icons/hicolor/*/apps/"$id.png"; do
        rm -f "$icon"
    done
}

refresh() {
    # Menus that are kept ready: without these programs the desktop looks by itself, later.
    if command -v update-desktop-database >/dev/null; then
        update-desktop-database -q "$place/share/applications" || true
    fi
    if command -v gtk-update-icon-cache >/dev/null; then
        gtk-update-icon-cache -q -t -f "$place/share/icons/hicolor" || true
    fi
}

if [ "$action" = remove ]; then
    remove
    refresh
    echo "Papan is removed from $place."
    exit 0
fi
if [ ! -x "$here/Papan/Papan" ]; then
    echo "There is no program in $here/Papan: unpack the whole archive." >&2
    exit 1
fi
remove
mkdir -p "$place/lib" "$place/bin" "$place/share"
cp -R "$here/Papan" "$program"
cp -R "$here/share/." "$place/share/"
# A desktop that was started before ~/.local/bin was made does not find commands there. In an entry, a path in quotes
# has these signs escaped, twice over.
escaped=$(printf '%s' "$program/Papan" | sed 's/[\\"`$]/\\\\&/g; s/%/%%/g')
sed "s|^Exec=.*|Exec=\"$(printf '%s' "$escaped" | sed 's/[\\&|]/\\&/g')\" %u|" \
    "$here/share/applications/$id.desktop" >"$place/share/applications/$id.desktop"
ln -s "$program/Papan" "$place/bin/papan"
refresh
echo "Papan is installed in $place: it is in the menu of games, and the command is $place/bin/papan."
