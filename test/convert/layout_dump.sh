#!/bin/sh
# layout_dump: each word and fill of a page has an owner, and no pass claims what it does not declare.
tools=$(dirname "$0")/../tools
. "$(dirname "$0")/../tools/tap.sh"
dump=$1
python3 "$tools/word_pages.py" "$work"

dump_page() { "$dump" "$@" >"$work/dump"; }
words() { grep "^word $1 " "$work/dump" | cut -d' ' -f7- | tr '\n' ' ' | sed 's/ $//'; }
fills() { grep -c "^fill $1 " "$work/dump"; }

ok 'a page is dumped' dump_page "$work/furniture.pdf" 2
is 'words of a header and a footer have that owner' "$(words header_footer)" 'The report of the year Page 2 of 3'
is 'paragraphs own the others' "$(grep -c '^word text ' "$work/dump")" "$(grep '^word' "$work/dump" | grep -vc header_footer)"
is 'all characters that an owner claimed are in the model' \
    "$(sed -n 's/^owner .*: \([0-9]*\) characters, \([0-9]*\) in.*/\1 \2/p' "$work/dump" | awk '$1 != $2' | wc -l)" 0
ok 'a page with a table is dumped' dump_page "$work/table.pdf" 1
is 'the table owns its words' "$(words ruled_table | cut -d' ' -f1-3)" 'one two three'
ok 'and its lines' test "$(fills ruled_table)" -gt 2
ok 'a page with a fraction is dumped' dump_page "$work/formula.pdf" 1
is 'the formula owns its line' "$(fills formula)" 1
ok 'a page with a frame is dumped' dump_page "$work/box.pdf" 1
ok 'the frame owns its words' test "$(grep -c '^word frame ' "$work/dump")" -gt 2
ok 'a page with rotated text is dumped' dump_page "$work/turned.pdf" 1
is 'the pass for rotated text owns it' "$(words rotated)" 'aslant it goes'
ok 'a page with a list is dumped' dump_page "$work/list.pdf" 1
ok 'labels have that role' grep -q '^word text label ' "$work/dump"
is 'the passes are named in their order' "$(sed -n 's/^pass \([a-z_]*\):.*/\1/p' "$work/dump" | head -n 4 | tr '\n' ' ')" \
    'words diagram ruled_candidates header_footer '
ok 'a page that does not exist is an error' sh -c "! '$dump' '$work/list.pdf' 99"

faults=
for file in "$work"/*.pdf "$SAMPLES"/plain.pdf "$SAMPLES"/features.pdf "$SAMPLES"/rotations.pdf; do
    for page in 1 2 3; do
        "$dump" "$file" $page >"$work/dump" 2>&1
        [ $? -ne 2 ] || faults="$faults $(basename "$file"):$page"
    done
done
is 'no pass claims what it does not declare' "$faults" ''
done_testing
