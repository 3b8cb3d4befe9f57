#!/bin/sh
# pages, checked with qpdf, pdfinfo, pdftotext and pictures by mutool. $1 runs a tool.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.pdf

pages() { "$runner" run pages "$1" --operations "$2" -o "$out" >"$work/said" 2>&1; }
places() { python3 "$here/page_places.py" "${1:-$out}"; }
annots() { python3 "$here/page_places.py" "$out" annots | grep -c "^$1$"; }
sizes() { pdfinfo -l 100 "$out" | awk '/^Page.* size: /{printf "%s%sx%s", s, int($4), int($6); s=" "}'; }
# Where a word is: its left and top edge, of the first page that has it.
where() { pdftotext -bbox "$out" - | sed -n "s/.*xMin=\"\([0-9]*\)[^\"]*\" yMin=\"\([0-9]*\).*>$1<.*/\1 \2/p" | head -n 1; }
order() { pdftotext "$out" - | tr -d '\f' | grep -o 'Zulu[0-9]' | uniq | tr -d 'Zul\n'; }
gray() { mutool draw -q -c gray -r "$3" -o "$work/$1" "$2" 1; }
all=$(places "$SAMPLES/features.pdf" | sed 's/^pages [0-9]* //')

# Nothing is lost, whatever is done.
for operations in \
    '[{"op":"nup","columns":2,"rows":2}]' \
    '[{"op":"nup","columns":3,"rows":1,"size":"a4","gap":10,"margin":20,"order":"columns","direction":"rtl"}]' \
    '[{"op":"booklet"}]' \
    '[{"op":"booklet","size":"420x297mm","direction":"rtl"}]' \
    '[{"op":"poster","columns":2,"rows":2,"overlap":20}]' \
    '[{"op":"split","every":true,"at":0.4}]' \
    '[{"op":"scale","factor":0.5}]' \
    '[{"op":"resize","size":"a4"}]' \
    '[{"op":"reverse"},{"op":"blank","after":"0","count":2},{"op":"reorder","pages":"5,3"}]' \
    '[{"op":"crop","margins":5},{"op":"nup","columns":2,"rows":1},{"op":"split"}]'; do
    ok "it is done: $operations" pages "$SAMPLES/features.pdf" "$operations"
    is 'links, fields, destinations and tags are all there, on pages of the document' "$(places | sed 's/^pages [0-9]* //')" "$all"
    ok 'and qpdf finds it sound' qpdf --check "$out"
done

# They are where the content is. Page 1 is turned, 400 by 300 points; its link is at 10,10 of the unturned one.
pages "$SAMPLES/features.pdf" '[{"op":"nup","columns":2,"rows":2}]'
is 'four pages share a sheet' "$(sizes)" '400x300 400x300'
is 'a link moves with its page, and a turned page is upright' "$(annots '1 Link 5 250 15 295')" 3
is 'so does a field' "$(annots '1 Widget 170 155 180 220')" 1
is 'what a field shows is turned with it' "$(where look-Zulu1)" '168 80'
is 'a destination that showed a page shows its place on the sheet' "$(pdfinfo -dests "$out" | grep old-Zulu2 | tr -s ' ')" ' 1 [ FitR 200 150 400 300] "old-Zulu2"'
pages "$SAMPLES/features.pdf" '[{"op":"scale","factor":0.5}]'
is 'scaled pages have their links where the words are' "$(annots '1 Link 5 5 50 15')" 3
is 'and their sizes' "$(sizes)" '150x200 150x200 150x200 150x200 150x200 150x200'
is 'what is written into a field later has half the size' "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac '/DA (/Helv 5 Tf 0 g)')" 1
is 'a destination is the half of it, too' "$(pdfinfo -dests "$out" | grep dest-Zulu2 | tr -s ' ')" ' 2 [ XYZ 0 100 null ] "dest-Zulu2"'
pages "$SAMPLES/features.pdf" '[{"op":"poster","columns":2,"rows":1,"pages":"1","overlap":0}]'
is 'a poster has a page for each part' "$(sizes | cut -d' ' -f1-3)" '400x300 400x300 300x400'

# Pictures of pages are the same.
python3 "$here/page_patterns.py" "$work/patterns.pdf"
gray a.pgm "$work/patterns.pdf" 144
pages "$work/patterns.pdf" '[{"op":"nup","columns":1,"rows":1}]'
gray b.pgm "$out" 144
is 'a page alone on a sheet looks as before: patterns, shadings, content that is not closed' "$(python3 "$here/page_patterns.py" compare "$work/a.pgm" "$work/b.pgm")" same
pages "$work/patterns.pdf" '[{"op":"scale","factor":2}]'
gray b.pgm "$out" 72
is 'and so does one twice as large at half the resolution' "$(python3 "$here/page_patterns.py" compare "$work/a.pgm" "$work/b.pgm")" same

# Order.
pages "$SAMPLES/features.pdf" '[{"op":"reverse"}]'
is 'reverse' "$(order)" 654321
pages "$SAMPLES/features.pdf" '[{"op":"delete","pages":"2,last"}]'
is 'delete' "$(order)" 1345
pages "$SAMPLES/features.pdf" '[{"op":"reorder","pages":"4-6"}]'
is 'reorder: pages that are not named come after those that are' "$(order)" 456123
pages "$SAMPLES/features.pdf" '[{"op":"duplicate","pages":"3","count":2}]'
is 'duplicate' "$(pdfinfo "$out" | awk '/^Pages/{print $2}')" 8
is 'and the copies have their fields' "$(annots '.* Widget .*')" 9
pages "$SAMPLES/plain.pdf" '[{"op":"blank","after":"1","size":"100x200mm"}]'
is 'blank' "$(pdftotext "$out" - | tr -d '\n' | awk -F'\f' '{print ($2 == "") NF}')" 15
pages "$SAMPLES/plain.pdf" '[{"op":"booklet"}]'
is 'a booklet has the last place and the first page on its first sheet' \
    "$(pdftotext -raw "$out" - | tr -d '\n' | tr '\f' '|' | tr -dc '0-9|')" '1|23|'
is 'and twice its width' "$(sizes | cut -dx -f1)" "$(pdfinfo "$SAMPLES/plain.pdf" | awk '/Page size/{print $3 * 2}')"

# Crop, resize.
pages "$SAMPLES/features.pdf" '[{"op":"crop","box":[50,20,200,100]}]'
is 'crop: the box is that of the page as it is shown' "$(sizes | cut -d' ' -f1)" '100x200'
is 'and nothing of what it hides is lost' "$(places | sed 's/^pages [0-9]* //')" "$all"
pages "$work/patterns.pdf" '[{"op":"crop","auto":true,"padding":10}]'
is 'auto crops to what is drawn' "$(sizes)" '320x420'
pages "$SAMPLES/plain.pdf" '[{"op":"resize","size":"100x100mm","fit":"stretch"}]'
is 'resize' "$(sizes | cut -d' ' -f1)" '283x283'

# Over and under.
"$runner" run pages "$SAMPLES/features.pdf" --operations '[{"op":"compose","place":"under"}]' --with "$SAMPLES/plain.pdf" -o "$out" >"$work/said" 2>&1
is 'compose: the pages of the other document in their order, then its last one' \
    "$(pdftotext "$out" - | tr -d '\n' | tr '\f' '\n' | grep -o 'Page [0-9]\|page [0-9]' | tr -d '\n' | tr 'P' 'p')" \
    "$(pdftotext "$SAMPLES/plain.pdf" - | tr -d '\n' | tr '\f' '\n' | grep -o 'Page [0-9]\|page [0-9]' | tr 'P' 'p' | awk '{ a = a $0; last = $0 } END { print a last last last }')"
is 'and what the document has stays' "$(places | sed 's/^pages [0-9]* //')" "$all"

# Errors name the operation and its key.
says() { ! pages "$SAMPLES/plain.pdf" "$1" && grep -qF "$2" "$work/said"; }
ok 'an unknown operation' says '[{"op":"reverse"},{"op":"fold"}]' 'operations[1].op must be crop'
ok 'a value that is too large' says '[{"op":"nup","columns":99,"rows":1}]' 'operations[0].columns must be a whole number from 1 to 20'
ok 'a missing key' says '[{"op":"nup","columns":2}]' 'operations[0].rows is missing'
ok 'a key of another operation' says '[{"op":"reverse","factor":2}]' 'operations[0]: the operation reverse has no key "factor"'
ok 'two ways to crop at once' says '[{"op":"crop","margins":2,"auto":true}]' 'operations[0] needs exactly one of box, margins and auto'
ok 'a page that is not there' says '[{"op":"reverse"},{"op":"delete","pages":"9"}]' 'operations[1]'
ok 'nothing that is left' says '[{"op":"crop","margins":4000}]' 'operations[0]: nothing of page 1'
ok 'all pages deleted' says '[{"op":"delete","pages":"all"}]' 'no page would be left'
ok 'a page named twice' says '[{"op":"reorder","pages":"1,1"}]' 'names page 1 twice'
ok 'a page larger than PDF allows' says '[{"op":"scale","factor":100}]' 'a side has from 3 to 14400'
ok 'more pages than a document may have' says '[{"op":"duplicate","count":100},{"op":"duplicate","count":100},{"op":"duplicate","count":100}]' 'more than 100000 pages'
ok 'what is no JSON' says '[{' 'operations is not JSON'
ok 'margins that leave no room' says '[{"op":"nup","columns":20,"rows":1,"gap":1000}]' 'operations[0]: margin and gap leave nothing'
ok 'compose without the other document' says '[{"op":"compose"}]' 'compose needs the other document'

# What a page made of others cannot have.
python3 "$(dirname "$0")/pdf_builder.py" "$work/shown.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Trans<</S/Wipe>>/VP[<</BBox[0 0 9 9]>>]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/AA<</O<</S/Named/N/Print>>>>>>
END
for one in '{"op":"nup","columns":2,"rows":1}' '{"op":"booklet"}' '{"op":"poster","columns":2,"rows":1}' '{"op":"split"}'; do
    "$runner" run pages "$work/shown.pdf" --operations "[$one]" -o "$work/sheets.pdf" >"$work/shown.said" 2>&1
    ok "transitions and viewports that $one loses are named" grep -q page_extras_dropped "$work/shown.said"
done
ok 'so many pages, and not those that are not cut' grep -q ' 1 pages had' "$work/shown.said"
"$runner" run pages "$work/shown.pdf" --operations '[{"op":"reverse"},{"op":"crop","margins":[1,1,1,1]}]' -o "$work/sheets.pdf" >"$work/shown.said" 2>&1
is 'other operations keep them, without a warning' "$(grep -c page_extras "$work/shown.said") $(qpdf --qdf --object-streams=disable "$work/sheets.pdf" - | grep -ac '/Trans\|/VP\|/AA')" '0 3'
done_testing
