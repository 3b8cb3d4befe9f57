#!/bin/sh
# man.sh PLATEN FOLDER: the man pages say what the program says of itself, and groff finds no fault.
set -u
platen=$1
folder=$2
. "$(dirname "$0")/../tools/tap.sh"

pages=$("$platen" --help | awk '$1 == "platen" && $2 ~ /^[a-z]+$/ { print "platen-" $2 ".1" }')
[ "$pages" ] || pages=none
for page in platen.1 $pages platen.conf.5; do
    ok "$page is there" test -s "$folder/$page"
    ok "$page is installed" grep -q "/man[15]/$page\"" "$folder/../meson-info/intro-installed.json"
    if command -v man >/dev/null; then
        warned=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$folder/$page" 2>&1 >/dev/null)
        ok "$page has no fault: $warned" test -z "$warned"
        text=$(LC_ALL=C.UTF-8 MANWIDTH=80 man -l "$folder/$page" 2>/dev/null | col -b)
        is "$page has a name" "$(echo "$text" | grep -A1 ^NAME | grep -c platen)" 1
    fi
done

for setting in $("$platen" serve --help | awk '/^Settings:/ { on = 1 } on && $1 ~ /^--/ { print substr($1, 3) }'); do
    in_roff=$(echo "--$setting" | sed 's/-/\\-/g')
    ok "platen-serve(1) has --$setting" grep -qF ".BI $in_roff " "$folder/platen-serve.1"
    ok "platen.conf(5) has it" grep -q "^\.B $(echo "$setting" | tr - _)\$" "$folder/platen.conf.5"
done
ok 'there are more than 30 of them' test "$("$platen" serve --help | grep -c '^  --')" -gt 30
for command in $pages; do
    in_roff=$(echo "${command%.1}" | sed 's/-/\\-/g')
    ok "platen(1) has $command" grep -qF "$in_roff (1)" "$folder/platen.1"
done
done_testing
