#!/bin/sh
# flatten, judged by qpdf, poppler and form-fields. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.pdf
python3 "$here/filled.py" make "$work"
python3 "$here/fields.py" "$work/fields.pdf"

flatten() { "$runner" run flatten "$@" -o "$out" >"$work/said" 2>&1; }
says() { grep -q "$1" "$work/said"; }
kinds() { qpdf --qdf --object-streams=disable "$out" - | grep -ao '/Subtype /\(Widget\|Square\|Popup\|Underline\|Link\)' | sort | tr -d '\n'; }
words() { pdftotext "$out" - | grep -q "$1"; }
red() { pdftoppm -r 36 -singlefile "$out" "$work/page" && python3 -c 'import sys; d = open(sys.argv[1], "rb").read(); print(d.count(b"\xff\x00\x00") > 20)' "$work/page.ppm"; }

ok 'flatten works' flatten "$work/notes.pdf"
is 'what does something stays, and what cannot be drawn' "$(kinds)" '/Subtype /Link/Subtype /Underline'
ok 'which is warned of' says annotation_kept
ok 'as are the texts of comments' says comments_removed
is 'comments are still seen' "$(red)" True
ok 'and the values of fields' words 'A value'
ok 'the result is sound' qpdf --check "$out"
flatten "$work/notes.pdf" --what fields
is 'fields alone' "$(kinds)" '/Subtype /Link/Subtype /Popup/Subtype /Square/Subtype /Underline'
flatten "$work/notes.pdf" --what annotations
is 'annotations alone' "$(kinds)" '/Subtype /Link/Subtype /Underline/Subtype /Widget'
ok 'a form becomes pages' flatten "$work/fields.pdf"
"$runner" run form-fields "$out" -o "$work/list.json" 2>"$work/said"
is 'without fields' "$(python3 "$here/filled.py" ask "$work/list.json" 'len(f)')" 0
ok 'with its values' words 'Plain words'
python3 "$here/fields.py" "$work/unknown.pdf" unknown
ok 'a value that cannot be drawn' flatten "$work/unknown.pdf"
ok 'stays a field, and is named' says field_kept
ok 'a document without either is as it was' flatten "$SAMPLES/plain.pdf"
is 'without a warning' "$(cat "$work/said")" ''

# Layers: H is hidden and V is shown; an expression hides one content and a soft mask, a glyph and an appearance have some, too.
python3 "$here/pdf_builder.py" "$work/layers.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[6 0 R]/Order[6 0 R 7 0 R]>>>>>>
<</Type/Pages/Count 2/Kids[3 0 R 16 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Annots[12 0 R 13 0 R]/Resources 15 0 R>>
<<>> stream /OC /H BDC BT /F 12 Tf 20 250 Td (SECRET) Tj ET EMC /OC /V BDC /Span <</MCID 0>> BDC BT /F 12 Tf 20 200 Td (Shown) Tj ET EMC EMC /OC /E BDC BT /F 12 Tf 20 150 Td (SECRET) Tj ET EMC /OC /N BDC BT /F 12 Tf 20 100 Td (Negated) Tj ET EMC /S gs /X Do /Y Do BT /T 9 Tf 20 20 Td (a) Tj ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>
<</Type/OCG/Name(SECRET)>>
<</Type/OCG/Name(Visible)>>
<</Type/OCMD/VE[/And 7 0 R[/Not 7 0 R]]>>
<</Type/OCMD/VE[/Not 6 0 R]>>
<</Type/XObject/Subtype/Form/BBox[0 0 99 99]/OC 6 0 R>> stream (SECRET) pop
<</Type/XObject/Subtype/Form/BBox[0 0 300 300]/OC 7 0 R/Resources 15 0 R>> stream /OC /H BDC BT /F 9 Tf 20 50 Td (SECRET) Tj ET EMC BT /F 9 Tf 90 50 Td (Inner) Tj ET
<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/OC 6 0 R/A<</S/URI/URI(SECRET)>>>>
<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/OC 7 0 R/A<</S/URI/URI(a)>>/AP<</N 14 0 R>>>>
<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 15 0 R>> stream /OC /H BDC BT /F 9 Tf (SECRET) Tj ET EMC
<</Font<</F 5 0 R/T 18 0 R>>/Properties<</H 6 0 R/V 7 0 R/E 8 0 R/N 9 0 R>>/XObject<</X 10 0 R/Y 11 0 R>>/ExtGState<</S<</SMask<</S/Luminosity/G 17 0 R>>>>>>>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources 15 0 R>>
<</Type/XObject/Subtype/Form/Group<</S/Transparency/CS/DeviceGray>>/BBox[0 0 300 300]/Resources 15 0 R>> stream 1 g 0 0 300 300 re f /OC /H BDC BT /F 9 Tf 9 9 Td (SECRET) Tj ET EMC
<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 97/LastChar 97/Widths[1000]/Encoding<</Differences[97/a]>>/CharProcs<</a 19 0 R>>>>
<<>> stream 1000 0 d0 0 0 500 500 re f /OC /H BDC BT /F 9 Tf (SECRET) Tj ET EMC
END
seen() { pdftoppm -r 72 "$1" | cksum; }
plain() { qpdf --qdf --object-streams=disable "$out" - | grep -ac "$1"; }
ok 'layers become part of the pages' flatten "$work/layers.pdf" --what layers
is 'what is hidden is removed from everywhere' "$(plain SECRET)" 0
is 'what is shown belongs to no layer' "$(plain '/OC\b\|/OCG\|/OCMD\|OCProperties')" 0
is 'tags of the content stay' "$(plain MCID)" 2
is 'pages look as before' "$(seen "$out")" "$(seen "$work/layers.pdf")"
is 'and say as much' "$(pdftotext "$out" - | tr -s '\f\n' ' ')" 'Shown Negated Inner a Shown Negated Inner a '
is 'links of the layers stay or go' "$(kinds)" '/Subtype /Link'
ok 'layers are counted' says 'layersFlattened\|Layers'
ok 'without layers nothing changes' flatten "$SAMPLES/plain.pdf" --what layers
done_testing
