#!/bin/sh
# sanitize, checked with qpdf, pdftotext and pdfdetach. $1 runs a tool.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.pdf

sanitize() { "$runner" run sanitize "$@" -o "$out" >"$work/said" 2>&1; }
plain() { qpdf --qdf --object-streams=disable "${1:-$out}" -; }
places() { python3 "$here/page_places.py" "$out"; }
# How often what each kind hides is in the file.
left() { plain | grep -ac "$1"; }

# Everything at once: each thing that is to go has SECRET in its name, with the number of its kind.
python3 "$here/pdf_builder.py" "$work/all.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(SECRET1)/Next<</S/Launch/F(SECRET2)/Next<</S/GoTo/D[3 0 R/Fit]>>>>>>/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(SECRET1)>>]>>/EmbeddedFiles<</Names[(SECRET3) 6 0 R]>>>>/Metadata 8 0 R/OCProperties<</OCGs[9 0 R 10 0 R]/D<</OFF[9 0 R]/Order[9 0 R 10 0 R]>>>>/AcroForm<</Fields[11 0 R]/XFA(SECRET1)>>/AF[6 0 R]>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/PieceInfo<</X<</Private(SECRET4)>>>>/AA<</O<</S/SubmitForm/F(SECRET2)>>>>/Annots[11 0 R 12 0 R 13 0 R 14 0 R 15 0 R 16 0 R]/Resources<</Font<</F 5 0 R>>/Properties<</H 9 0 R/V 10 0 R>>/XObject<</X 17 0 R/Y 18 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 200 Td (Seen) Tj /OC /H BDC (SECRET5) Tj 0 -20 Td EMC (After) Tj ET /OC /V BDC BT /F 12 Tf 20 100 Td (Layer) Tj ET EMC /OC /H BDC /P BMC 0 0 9 9 re f q EMC EMC Q /X Do /Y Do
<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>
<</Type/Filespec/F(SECRET3)/EF<</F 7 0 R>>>>
<</Type/EmbeddedFile>> stream SECRET3
<</Type/Metadata/Subtype/XML>> stream <a>SECRET4</a>
<</Type/OCG/Name(SECRET5)>>
<</Type/OCG/Name(Visible)>>
<</Type/Annot/Subtype/Widget/FT/Tx/T(SECRET7)/V(SECRET7)/Rect[0 0 9 9]/P 3 0 R>>
<</Type/Annot/Subtype/Text/Contents(SECRET6)/Rect[0 0 9 9]/Popup 13 0 R>>
<</Type/Annot/Subtype/Popup/Rect[0 0 9 9]/Parent 12 0 R>>
<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(SECRET8)>>>>
<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</Type/Filespec/F(SECRET3)/EF<</F 7 0 R>>>>>>
<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/OC 9 0 R/A<</S/URI/URI(SECRET5)>>>>
<</Type/XObject/Subtype/Form/BBox[0 0 99 99]/OC 9 0 R>> stream (SECRET5) pop
<</Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</Font<</F 5 0 R>>/Properties<</H 9 0 R>>>>>> stream BT /F 9 Tf 20 50 Td /OC /H BDC (SECRET5) Tj EMC (Inner) Tj ET
END
is 'the document has all of them' "$(for n in 1 2 3 4 5 6 7 8; do plain "$work/all.pdf" | grep -ac SECRET$n; done | grep -c '^0')" 0
n=0
for kind in scripts actions attachments metadata layers annotations forms links; do
    n=$((n + 1))
    ok "$kind are removed" sanitize "$work/all.pdf" --remove "$kind"
    is 'and nothing of them is left in the file' "$(left SECRET$n)" 0
    ok 'the result is sound' qpdf --check "$out"
    is 'the other kinds stay' "$(for k in 1 2 3 4 5 6 7 8; do plain | grep -ac SECRET$k; done | grep -c '^0')" 1
    ok 'what was removed is counted' grep -q 'Removed [1-9]' "$work/said"
done
sanitize "$work/all.pdf" --remove scripts,actions,attachments,metadata,layers,annotations,forms,links
is 'all of them are removed' "$(left SECRET)" 0
is 'and what is seen stays, also what comes after hidden content' "$(pdftotext -layout "$out" - | tr -d '\f' | tr -s ' \n' ' ')" 'Seen After Layer Inner '
is 'an action after one that was removed stays' "$(left /GoTo)" 1

ok 'without a choice it is what nobody sees' sanitize "$SAMPLES/features.pdf"
is 'links, fields and tags stay' "$(places | sed 's/^pages [0-9]* //; s/destinations [0-9]* //')" 'links 9 widgets 7 elements 22 content 13 objects 0 lost 0'
is 'scripts and attachments do not' "$(left 'JavaScript\|EmbeddedFile')" 0
is 'pages look as before' "$(pdftotext "$out" - | cksum)" "$(pdftotext "$SAMPLES/features.pdf" - | cksum)"
ok 'a signed document' sanitize "$SAMPLES/signed.pdf" --remove forms,annotations
ok 'is written, and sound' qpdf --check "$out"
ok 'loops end' sanitize "$SAMPLES/loops.pdf"
ok 'an unknown kind is refused' sh -c "! '$runner' run sanitize '$SAMPLES/plain.pdf' --remove fonts -o '$out'"
done_testing
