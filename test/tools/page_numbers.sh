#!/bin/sh
# page-numbers, judged by poppler, MuPDF and qpdf. $1 runs a tool: `$1 run page-numbers FILE -o OUT`.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.pdf
here=$(dirname "$0")

number() { "$runner" run page-numbers "$@" -o "$out" 2>&1; }
blue() { number "$@" --color '#00f'; }
ink() { python3 "$here/ink.py" "$out" "${1:-blue}"; }
sound() { qpdf --check "${1:-$out}"; }
says() { ! number "$@" >"$work/said" && grep -q "$code" "$work/said"; }
warns() { number "$@" >"$work/said" && grep -q "$code" "$work/said"; }
size() { stat -c %s "$1"; }
# Each line of ink has these gaps: an expression of l, t, r and b.
but=
each() { ink | sed "$but" | awk '{ l = $2; t = $3; r = $4; b = $5 } NF != 6 || !('"$1"') { print; bad = 1 }
    END { exit bad || NR == 0 }'; }
# What stands on each page after its own text: "1,2,3".
numbers() { for page in $(seq "${pages:-3}"); do
    mutool draw -q -F text "$out" "$page" 2>/dev/null | sed 's/^Page [0-9]*$//' | tr -d '\n\f'
    printf ,
done | sed 's/,$//'; }

ok 'page-numbers works' number "$SAMPLES/plain.pdf"
ok 'the result is sound' sound
is 'pages are numbered from 1' "$(numbers)" 1,2,3
blue "$SAMPLES/plain.pdf" >/dev/null
ok 'at the bottom in the middle, 24 points from the edge' \
    each 'b > 23 && b < 32 && (l - r) ^ 2 < 9'
for position in bottom-left:l,b bottom-right:r,b top-left:l,t top-center:c,t top-right:r,t \
    1:l,t 2:c,t 3:r,t 4:l,m 5:c,m 6:r,m 7:l,b 8:c,b 9:r,b; do
    near=$(echo "${position#*:}" | sed 's/\([lrtb]\)/\1 > 22 \&\& \1 < 33/g; s/,/ \&\& /
        s/c/(l - r) ^ 2 < 16/; s/m/(t - b) ^ 2 < 25/')
    ok "numbering at ${position%:*}" blue "$SAMPLES/boxes.pdf" --position "${position%:*}" --format 88
    ok 'is there on every page, whatever its boxes and its content' each "$near"
done
blue "$SAMPLES/rotations.pdf" --position bottom-right --format 88 >/dev/null
but=5d # a turn by 45 degrees: none for poppler, 90 for MuPDF
ok 'and on pages turned in any way' each 'r > 22 && r < 33 && b > 22 && b < 33'
but=
ok 'the result is sound' sound
blue "$SAMPLES/plain.pdf" --position outer >/dev/null
is 'outer is right on odd pages' "$(ink | awk '{ printf "%s", ($2 > $4) ? "r" : "l" }')" rlr
blue "$SAMPLES/plain.pdf" --position inner >/dev/null
is 'inner the other way round' "$(ink | awk '{ printf "%s", ($2 > $4) ? "r" : "l" }')" lrl
blue "$SAMPLES/plain.pdf" --position bottom-left --margin 60 >/dev/null
ok 'a margin is kept' each 'l > 58 && l < 64 && b > 58 && b < 68'
blue "$SAMPLES/plain.pdf" --fontSize 50 --format X >/dev/null
ok 'a size is what it says: an X of 50 points is 36 high' each '(400 - t - b - 36) ^ 2 < 4'
blue "$SAMPLES/boxes.pdf" --format 1000000000000000000000000000000000000000000000000000000000001 --fontSize 40 >/dev/null
ok 'what is too long for the page is made smaller' each 'l > 20 && r > 20 && l < 32 && r < 32'
code=text_shrunk
ok 'with a warning' warns "$SAMPLES/plain.pdf" --fontSize 500 --format '{n} of {total}'
ok 'and no other' [ "$(grep -c ^warning "$work/said")" = 1 ]
code=margin_reduced
ok 'a margin that leaves too little is made smaller, with a warning' warns "$SAMPLES/plain.pdf" --margin 1000
ok 'and no other' [ "$(grep -c ^warning "$work/said")" = 1 ]
number "$SAMPLES/plain.pdf" --fontSize 50 >"$work/said"
is 'what fits has none' "$(grep -c ^warning "$work/said")" 0

numbered() { number "$@" >/dev/null && numbers; }
is 'braces' "$(numbered "$SAMPLES/plain.pdf" --format '{{{n}}} {{n}}')" '{1} {n},{2} {n},{3} {n}'
is 'start' "$(numbered "$SAMPLES/plain.pdf" --start 7)" 7,8,9
is 'from 0' "$(numbered "$SAMPLES/plain.pdf" --start 0 --format '{n}{roman}')" 00,1i,2ii
is 'pages that show none are counted' "$(numbered "$SAMPLES/plain.pdf" --pages odd)" 1,,3
is 'those that are skipped are not' "$(numbered "$SAMPLES/plain.pdf" --skipFirst 1)" ,1,2
is 'of the last one' "$(numbered "$SAMPLES/plain.pdf" --skipFirst 1 --format '{n} of {total}')" \
    ',1 of 2,2 of 2'
is 'romans' "$(numbered "$SAMPLES/plain.pdf" --start 1998 --format '{ROMAN} {roman}')" \
    'MCMXCVIII mcmxcviii,MCMXCIX mcmxcix,MM mm'
is 'letters' "$(numbered "$SAMPLES/plain.pdf" --start 25 --format '{alpha}')" y,z,aa
is 'braces' "$(numbered "$SAMPLES/plain.pdf" --format '{{{n}}' --pages 2)" ',{2},'
is 'the name of the file' "$(numbered "$SAMPLES/plain.pdf" --format '{file}' --pages 1)" plain.pdf,,
before=$(date -u +%F)
got=$(numbered "$SAMPLES/plain.pdf" --format '{date}' --pages 1)
is 'today' "$(echo "$got" | sed "s/$before\|$(date -u +%F)/today/")" today,,
is 'any script' "$(numbered "$SAMPLES/plain.pdf" --format '第{n}页')" 第1页,第2页,第3页

labels() { qpdf --json "$out" | jq -c '.qpdf[1] as $o |
    $o["obj:" + ($o.trailer.value["/Root"])].value["/PageLabels"]["/Nums"]'; }
number "$SAMPLES/plain.pdf" >/dev/null
is 'labels are not set unasked' "$(labels)" null
number "$SAMPLES/plain.pdf" --setPageLabels true --start 5 >/dev/null
is 'labels say the same' "$(labels)" '[0,{"/S":"/D","/St":5}]'
number "$SAMPLES/plain.pdf" --setPageLabels true --skipFirst 1 --format 'A-{ROMAN}' >/dev/null
is 'what is in front of the number too; pages that are skipped are told apart' "$(labels)" \
    '[0,{"/S":"/r","/St":1},1,{"/P":"u:A-","/S":"/R","/St":1}]'
number "$SAMPLES/plain.pdf" --setPageLabels true --start 0 --format 'Page {n}' >/dev/null
is 'a label can be 0' "$(labels)" '[0,{"/P":"u:0"},1,{"/S":"/D","/St":1}]'
number "$SAMPLES/features.pdf" --setPageLabels true --skipFirst 2 >/dev/null
is 'labels of pages that are skipped stay' \
    "$(labels | jq -c '[.[] | numbers] | last')" 2

number "$SAMPLES/features.pdf" >/dev/null
is 'outline, destinations, form, tags, layers and labels survive' \
    "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac Zulu)" \
    "$(qpdf --qdf --object-streams=disable "$SAMPLES/features.pdf" - | grep -ac Zulu)"
is 'numbers are no part of the content that is read aloud' \
    "$(qpdf --qdf "$out" - | grep -ac '^/Artifact<</Type/Pagination/Subtype/PageNum>>BDC')" 6
ok 'a damaged document is repaired on the way in' number "$SAMPLES/damaged.pdf"
ok 'and the result is sound' sound

code=text_not_encodable
ok 'a character that no font has is refused' says "$SAMPLES/plain.pdf" \
    --format "$(printf '{n}\364\217\277\275')"
ok 'and named' grep -q 'U+10FFFD' "$work/said"
code=font_substituted
ok 'a font that is not installed is replaced, with a warning' warns "$SAMPLES/plain.pdf" \
    --font 'No Such Font'
number "$SAMPLES/plain.pdf" --font 'Noto Serif' >/dev/null
ok 'one that is installed is used' sh -c "pdffonts '$out' | grep -q 'NotoSerif.*yes yes yes'"
code=signature_invalidated
ok 'a broken signature is told' warns "$SAMPLES/merge_one.pdf"
code=page_range_clamped
ok 'a page list beyond the end is clamped' warns "$SAMPLES/plain.pdf" --pages 2-9
code=page_out_of_range
ok 'something must be left after skipping' says "$SAMPLES/plain.pdf" --skipFirst 3
ok 'of the pages asked for too' says "$SAMPLES/plain.pdf" --skipFirst 1 --pages 1
code=invalid_parameter
ok 'romans end' says "$SAMPLES/plain.pdf" --format '{roman}' --start 4000
ok 'so do letters' says "$SAMPLES/plain.pdf" --format '{alpha}' --start 781
ok 'a word that is none is refused' says "$SAMPLES/plain.pdf" --format '{page}'
ok 'so is a position that is none' says "$SAMPLES/plain.pdf" --position 0
ok 'and a colour that is none' says "$SAMPLES/plain.pdf" --color 12

qpdf --encrypt secret owner 256 -- "$SAMPLES/plain.pdf" "$work/locked.pdf"
code=password_required
ok 'an encrypted document needs inputPassword' says "$work/locked.pdf"
ok 'with it, it is numbered' number "$work/locked.pdf" --inputPassword secret
ok 'and needs the same password' qpdf --check --password=secret "$out"
ok 'and does not open without' sh -c "! qpdf --check '$out'"

python3 "$here/open_content.py" "$work/open.pdf"
ok 'pages whose content ends inside a token are numbered' \
    number "$work/open.pdf" --color '#f00' --format '{n}000' --position top-center --margin 5
is 'and every number is seen' "$(ink red | awk 'NF == 6 && $3 < 20 && ($2 - $4) ^ 2 < 9' | wc -l)" 29

# Many pages, and some that share resources which are large.
# shellcheck disable=SC2046 # words
qpdf --empty --pages $(yes "$SAMPLES/plain.pdf" | head -n 100) -- --object-streams=generate "$work/many.pdf"
number "$work/many.pdf" --format 'Page {n} of {total}' >/dev/null
ok 'a file grows by 60 kB and 1 kB a page at most' \
    [ $(($(size "$out") - $(size "$work/many.pdf"))) -lt $((60000 + 300 * 1000)) ]
is 'fonts are there once' "$(qpdf --json "$out" | jq '[.qpdf[1][] | .value? | objects |
    select(.["/FontFile2"] or .["/FontFile3"])] | length')" 1
number "$SAMPLES/shared.pdf" --pages 3-9 >/dev/null
is 'a copy of shared resources is shared too' "$(qpdf --json "$out" | jq '[.qpdf[1][] | .value? |
    objects | select(.["/XObject"])] | length')" 2
done_testing
