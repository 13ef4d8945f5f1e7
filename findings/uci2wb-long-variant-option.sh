#!/bin/bash
# uci2wb 4.1+git200714-1 of Debian 12 (2026-11-30): an option UCI_Variant with many variants is not noticed.
#
# Behaviour: behind the adapter, Fairy-Stockfish 11.1 (fairy-stockfish 11.1-1+b1, whose UCI_Variant has xiangqi among some
# 100 variants) is announced to XBoard as playing "normal,fischerandom" only. After XBoard's command "variant xiangqi" it is
# never sent "setoption name UCI_Variant value xiangqi", but gets the position as a board of xiangqi, and plays chess.
# A program with the same option and fewer variants is announced and set: with 255 characters after "default " the option
# is noticed, with 300 it is not.
#
# Expected: the length of the list makes no difference; the adapter's README says since version 2.3 that it handles
# UCI_Variant "for variant announcement and selection", and engines with long lists are those that it is for.
#
# Why that is wrong: the adapter's source reads the text after "default " up to the end of the line, with all variants, into
# a buffer of 256 characters without a bound (`sscanf(p+1, "default %[^\n]*", val)`), so that what the engine wrote
# overwrites what lies behind it.
#
# Needs apt-get of Debian 12. Output seen:
#   Fairy-Stockfish, 1036 characters: variants="normal,fischerandom"; xiangqi is not set
#   255 characters after default: variants="xiangqi"; xiangqi is set
#   300 characters after default: variants="normal,xiangqi"; xiangqi is not set
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q "uci2wb=4.1+git200714-1" "fairy-stockfish=11.1-1+b1" >apt.log 2>&1 || { cat apt.log; exit 1; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cat >short <<'P'
#!/bin/bash
while read -r line; do
    case "$line" in
        uci) echo "id name short"; echo "option name UCI_Variant type combo default $(cat variants)"; echo uciok ;;
        isready) echo readyok ;;
        quit) exit ;;
    esac
done
P
chmod +x short
through() {
    (printf 'xboard\nprotover 2\n'; sleep 2; printf 'new\nvariant xiangqi\n'; sleep 2; printf 'quit\n') \
        | timeout 20 root/usr/games/uci2wb debug "$1" >said 2>&1 || true
    local set="is not set"
    grep -q "setoption name UCI_Variant value xiangqi" said && set="is set"
    echo "$(grep -o 'variants="[^"]*"' said); xiangqi $set"
}
{
    length=$(printf 'uci\nquit\n' | root/usr/games/fairy-stockfish | grep "^option name UCI_Variant" | tr -d '\n' | wc -c)
    echo "Fairy-Stockfish, $length characters: $(through root/usr/games/fairy-stockfish)"
    for length in 255 300; do
        printf "xiangqi var %0$((length - 24))d var xiangqi\n" 0 >variants
        echo "$length characters after default: $(through ./short | sed 's/"0*,/"/')"
    done
} | tee seen
cat >expected <<'P'
Fairy-Stockfish, 1036 characters: variants="normal,fischerandom"; xiangqi is not set
255 characters after default: variants="xiangqi"; xiangqi is set
300 characters after default: variants="normal,xiangqi"; xiangqi is not set
P
cmp -s seen expected || { echo "This has changed: uci2wb treats long lists of variants otherwise."; exit 1; }
