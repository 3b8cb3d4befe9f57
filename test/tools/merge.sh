#!/bin/sh
# merge, judged by qpdf, poppler and mutool. $1 runs a tool: `$1 run merge FILE... -o OUT`.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/signed.sh"
. "$(dirname "$0")/pdfa1.sh"
runner=$1
out=$work/out.pdf
one=$SAMPLES/merge_one.pdf
two=$SAMPLES/merge_two.pdf

merge() { "$runner" run merge "$@" -o "$out" 2>&1; }
says() { ! merge "$@" >"$work/said" && grep -q "$code" "$work/said"; }
warns() { merge "$@" >"$work/said" && grep -q "$code" "$work/said"; }
# What stands at a path of the result; of a reference, what it refers to.
show() { mutool show "${2:-$out}" "$1" 2>/dev/null | grep -v '^[0-9]* 0 obj$\|^endobj$' | tr '\n' ' ' | tr -s ' ' | sed 's/ $//'; }
pages() { qpdf --show-npages "${1:-$out}"; }
sound() { qpdf --check "$out"; }
size() { wc -c <"$1"; }
# "1 a|2 b|": the outline, each item behind the number of its page.
outline() { mutool show "$out" outline 2>/dev/null | sed 's/#page=\([0-9]*\).*/\1/' | awk -F'\t' '{
    depth = NF - 2; title = $(NF - 1); gsub(/"/, "", title); printf "%d %s %s|", depth, title, $NF }'; }
titles() { mutool show "$out" outline 2>/dev/null | grep -o '"[^"]*"' | tr -d '\n'; }
fields() { mutool show "$out" form 2>/dev/null | sed -n "s/^.*field: *//p"; }
count() { qpdf --qdf --object-streams=disable "$out" - | grep -ac -- "$1"; }
draws() { mutool draw -q -r 30 -F pnm -o - "$1" "$2" 2>/dev/null | cksum; }
text() { pdftotext -f "$1" -l "$1" "$out" - 2>/dev/null | tr '\n' ' '; }

ok 'two files are merged' merge "$one" "$two"
ok 'the result is sound' sound
is 'it has the pages of both' "$(pages)" 4
is 'in the order they came in' "$(text 1 | cut -c1-10) $(text 3 | cut -c1-10)" 'one page 1 two page 1'
is 'pages look as they did, layers hidden by name and by base state included' \
    "$(draws "$out" 1) $(draws "$out" 3)" "$(draws "$one" 1) $(draws "$two" 1)"

is 'each file has an outline entry, and its own outline below' "$(titles)" \
    '"merge_one""one one""one one.one""one two""merge_two""two one""two one.one""two two"'
is 'an item that named a destination leads to the same page' \
    "$(show trailer/Root/Outlines/Last/Last/A/D)" '(chapter_2)'
is 'clashing destinations have a number' "$(pdfinfo -dests "$out" | awk 'NR>1{printf "%s %s ", $1, $NF}')" \
    '2 "chapter" 2 "number" 2 "old" 4 "chapter_2" 4 "number_2" 4 "old_2" '
is 'a link to a page of its own file does so still' \
    "$(mutool show "$out" pages/3/Annots/1/Dest/1 | head -n 1)" \
    "$(mutool show "$out" pages/4 | head -n 1)"
is 'a link by name takes the new name' "$(show pages/3/Annots/2/Dest)" '(chapter_2)'
is 'a link that leads nowhere does not lead into another file' \
    "$(show pages/3/Annots/4/Dest)" '(nowhere_2)'
is 'actions that follow actions are rewritten too' \
    "$(show pages/3/Annots/3/A/Next/D) $(show pages/3/Annots/6/A/T)" '(old_2) (name_2)'
is 'a link into an attachment finds it' "$(show pages/3/Annots/5/A/T/N)" '(data.txt_2)'

is 'fields of the same name are renamed, fields that hold others are joined' \
    "$(for i in 1 2 3 4 5 6 7; do show trailer/Root/AcroForm/Fields/$i/T; printf ' '; done)" \
    '(name) (person) (seal) (secret) (name_2) (seal_2) (secret_2) '
is 'a field without a namesake keeps its name' \
    "$(for i in 1 2 3 4; do show trailer/Root/AcroForm/Fields/2/Kids/$i/T; printf ' '; done)" \
    '(first) (city) (last) (city_2) '
is 'its value' "$(show trailer/Root/AcroForm/Fields/2/Kids/3/V)" '(last of two)'
is 'and its widgets on all pages' "$(show trailer/Root/AcroForm/Fields/2/Kids/4/Kids/2/Rect)" \
    '[ 10 70 110 90 ]'
is 'fonts of the same name but not the same are told apart' \
    "$(show trailer/Root/AcroForm/DR/Font/F/BaseFont) $(show trailer/Root/AcroForm/DR/Font/F_2/BaseFont)" \
    '/Courier /Times-Roman'
is 'and the fields say which' "$(show trailer/Root/AcroForm/Fields/2/Kids/3/DA)" '(/F_2 12 Tf 0 g)'
sed 's/(\/F 12 Tf 0 g)/(\/#46 2 Tf%\/F)/' "$two" >"$work/escaped.pdf"
ok 'a form with #xx and a comment in an appearance is merged' "$runner" run merge "$one" "$work/escaped.pdf" -o "$work/escaped-merged.pdf"
is 'and the font is found there, but not in the comment' \
    "$(show trailer/Root/AcroForm/Fields/2/Kids/3/DA "$work/escaped-merged.pdf")" '(/F_2 2 Tf%/F)'
is 'what a form says for all its fields is said by each' \
    "$(show trailer/Root/AcroForm/Fields/5/DA)" '(/F_2 10 Tf 0 g)'
is 'the order of calculation is that of both' "$(show trailer/Root/AcroForm/CO | wc -w)" 8
is 'a signature that no longer holds is gone' "$(pdfsig "$out" 2>&1 | grep -c 'not signed')" 2
is 'but its look is not' "$(text 3 | grep -o 'look of two' | wc -l)" 2
code=signature_invalidated
ok 'and the result says so' warns "$one" "$two"
code=xfa_dropped
ok 'so it does of an XML form' warns "$one" "$two"
is 'which is gone' "$(show trailer/Root/AcroForm/XFA)" null

is 'attachments of one name are both there' \
    "$(qpdf --show-attachment=data.txt "$out"; qpdf --show-attachment=data.txt_2 "$out")" \
    'data of onedata of two'
is 'under the file name they had' "$(pdfdetach -list "$out" | grep -c ': data.txt$')" 2
is 'scripts too' "$(show trailer/Root/Names/JavaScript/Names | grep -o 'init[_2]*' | tr '\n' ' ')" \
    'init init_2 '
is 'a file without page labels counts from 1, the next as it did' \
    "$(show trailer/Root/PageLabels/Nums)" '[ 0 << /S /D >> 2 << /S /D >> 3 << /S /r >> ]'
is 'all layers are there' "$(show trailer/Root/OCProperties/OCGs | wc -w)" 14
is 'each file has its group of them' "$(show trailer/Root/OCProperties/D/Order/2/1)" '(merge_two)'

is 'the structure has one root' "$(pdfinfo -struct "$out" 2>/dev/null | grep -c '^[^ ]')" 1
is 'and all elements' "$(pdfinfo -struct "$out" 2>/dev/null | grep -c 'Document\|Sect\|Div\|Form\|Span\|Figure')" 13
is 'with the parent tree that pages, widgets and form XObjects refer to' \
    "$(show pages/1/StructParents) $(show pages/3/StructParents) $(show pages/3/Annots/7/StructParent) $(show pages/3/Resources/XObject/Fm/StructParents)" \
    '0 4 6 7'
is 'roles that mean something else have another name' \
    "$(show trailer/Root/StructTreeRoot/RoleMap/Body) $(show trailer/Root/StructTreeRoot/RoleMap/Body_2)" \
    '/Sect /Div'
is 'so have classes' "$(show trailer/Root/StructTreeRoot/ClassMap/Wide_2/Width)" 20
is 'and identifiers' "$(count '(id1_2)')" 3
is 'a file in another language says so' "$(count '/Lang (de)')" 2
is 'the metadata is the first file'\''s' "$(pdfinfo "$out" | sed -n 's/^Title: *//p')" 'Title of one'

is 'a picture that both files have is stored once' \
    "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac '/Subtype /Image')" 1
cp "$one" "$work/again.pdf"
merge "$one" "$work/again.pdf" >/dev/null
ok 'a file merged with itself is hardly larger' test "$(size "$out")" -lt "$(size "$one")"
is 'and what is hidden in it stays hidden, twice' "$(draws "$out" 3)" "$(draws "$one" 1)"

merge "$one" "$two" --bookmarks files >/dev/null
is 'bookmarks=files: one entry for each file' "$(titles)" '"merge_one""merge_two"'
merge "$one" "$two" --bookmarks flat >/dev/null
is 'bookmarks=flat: the outlines one after another' "$(titles)" \
    '"one one""one one.one""one two""two one""two one.one""two two"'
merge "$one" "$two" --bookmarks none >/dev/null
is 'bookmarks=none: no outline' "$(titles)$(show trailer/Root/PageMode)" null

code=signature_invalidated
ok 'forms=flatten works' warns "$one" "$two" --forms flatten
ok 'the result is sound' sound
is 'it has no form' "$(show trailer/Root/AcroForm)" null
is 'no widget, and no value of a hidden field' "$(count Widget)$(count unseen)" 00
is 'fields are part of the page' "$(text 1 | grep -o 'look of one' | wc -l)" 2
is 'the structure holds nothing that is gone' "$(count OBJR)" 0
is 'other annotations stay' "$(show pages/3/Annots/1/Subtype)" /Link

python3 "$(dirname "$0")/open_content.py" "$work/open.pdf"
ok 'forms=flatten works where content ends inside a token' \
    merge "$work/open.pdf" "$work/open.pdf" --forms flatten
ink() { python3 "$(dirname "$0")/ink.py" "$out" blue; }
is 'and every field is seen' "$(ink | awk 'NF == 6 && $2 > 99 && $2 < 102 && $5 > 18 && $5 < 22' | wc -l)" 58

# Fields whose form asks for appearances that are not there.
here=$(dirname "$0")
python3 "$here/fields.py" "$work/asked.pdf"
ok 'forms=flatten draws fields that have a value and no appearance' \
    merge "$work/asked.pdf" "$one" --forms flatten
ok 'the result is sound' sound
is 'text, choices, lines and combs show; a password does not' \
    "$(text 1 | grep -o 'Plain words\|Ünicöde€\|To the right\|The first line\|Berries\|Turned\|Drawn anew\|\*\*\*\*\*\*\|hidden' | sort | tr '\n' ',')" \
    '******,Berries,Drawn anew,Plain words,The first line,To the right,Turned,Ünicöde€,'
is 'the renderer draws the check of the one box that is checked' \
    "$(pdftoppm -r 72 -f 1 -l 1 -x 23 -y 367 -W 10 -H 10 -mono "$out" | tail -c +10 | tr -d '\000' | wc -c | awk '{ print ($1 > 0) }') $(pdftoppm -r 72 -f 1 -l 1 -x 53 -y 367 -W 10 -H 10 -mono "$out" | tail -c +10 | tr -d '\000' | wc -c)" \
    '1 0'
is 'and the dot of the radio button' "$(count ' w [.]15 [.]5 m ')" 1
is 'and no form is left' "$(show trailer/Root/AcroForm)" null
python3 "$here/fields.py" "$work/unknown.pdf" unknown
code=field_kept
ok 'a field that cannot be drawn is not removed, and the result says so' \
    warns "$work/unknown.pdf" "$work/asked.pdf" --forms flatten
is 'it is the only one' "$(fields | tr '\n' ' ')$(count /Widget)" '1'
ok 'the result is sound' sound

python3 "$here/fields.py" "$work/scripts.pdf" scripts
ok 'forms=flatten draws values in scripts that the standard fonts do not have' \
    merge "$work/scripts.pdf" "$one" --forms flatten
ok 'the result is sound' sound
is 'and no field is left' "$(show trailer/Root/AcroForm)" null
is 'all of them are text' \
    "$(text 1 | grep -o 'שלום\|مرحبا\|Zażółć gęślą jaźń\|สวัสดี\|中文\|Ěščřžý\|שורה שנייה\|Ż\|ó\|ł\|w\|Přehled\|Выбор\|OwnŁ' | LC_ALL=C sort | tr '\n' ',')" \
    'OwnŁ,Přehled,Zażółć gęślą jaźń,w,ó,Ěščřžý,ł,Ż,Выбор,שורה שנייה,שלום,مرحبا,สวัสดี,中文,'
is 'a list box shows its options from its first visible one on' \
    "$(text 1 | grep -o 'Apples\|Berries\|Cherries\|Dates\|[uvxy] ' | tr -d '\n ')" ApplesBerriesCherriesDatesy
is 'the selected options are marked' \
    "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac '^0.6 0.7569 0.8549 rg .* re f$')" 2
is 'fonts of the form are used' \
    "$(pdffonts -l 1 "$out" | grep -o '^Helvetica-Bold\|^Courier ' | sort | tr -d ' \n')" \
    CourierHelvetica-Bold
is 'both renderers see the value in red' "$(python3 "$here/ink.py" "$out" red 1 | grep -c 'none\|differs')" 0

ok 'what goes round in circles is merged' merge "$SAMPLES/merge_loops.pdf" "$one" "$SAMPLES/merge_loops.pdf"
ok 'and the result is sound' sound
is 'with its outline cut where it meets itself' "$(titles | sed 's/"merge_one".*two"//')" \
    '"merge_loops""a""b""merge_loops""a""b"'
awk -v n=40000 'BEGIN { print "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj"
    print "<</Type/Pages/Count 1/Kids[3 0 R]>>\nendobj\n3 0 obj"
    print "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/PieceInfo 4 0 R>>\nendobj"
    for (i = 4; i < n; i++) print i " 0 obj\n<</Next " i + 1 " 0 R>>\nendobj"
    print n " 0 obj\n(the end)\nendobj\ntrailer\n<</Root 1 0 R>>" }' >"$work/chain.pdf"
ok 'a chain of 40,000 objects is no problem' merge "$one" "$work/chain.pdf"
is 'and has its end' "$(count '(the end)')" 1

for i in 1 2 3 4 5 6 7 8 9 10; do files="$files $SAMPLES/plain.pdf $SAMPLES/shared.pdf"; done
# shellcheck disable=SC2086
ok 'twenty files are merged' merge $files
is 'with all pages' "$(pages)" 130
ok 'and common parts once' test "$(size "$out")" -lt "$((2 * $(size "$SAMPLES/shared.pdf")))"

qpdf --encrypt secret owner 256 -- "$one" "$work/locked.pdf"
code=encryption_removed
ok 'an encrypted file is merged with its password' \
    warns "$two" "$work/locked.pdf" --inputPassword secret
is 'and the result is not encrypted' "$(qpdf --is-encrypted "$out" && echo yes)" ''
code='password_required.*file 2 (locked.pdf)'
ok 'without the password the file is named' says "$two" "$work/locked.pdf"
code='wrong_password.*file 1 (locked.pdf)'
ok 'and with another' says "$work/locked.pdf" "$two" --inputPassword other
echo '%PDF-1.7 and nothing else' >"$work/junk.pdf"
code='corrupt_file.*file 3 (junk.pdf)'
ok 'a file that no reader can open is named' says "$one" "$two" "$work/junk.pdf"
code=too_few_files
ok 'one file is too few' says "$one"
code=invalid_parameter
ok 'bookmarks has four values' says "$one" "$two" --bookmarks some
python3 "$(dirname "$0")/excess.py" "$work"
ok 'many contents of one length are told from each other in time' \
    timeout 30 "$runner" run merge "$work/many.pdf" "$one" -o "$out"
ok 'and so are very many fields of a page drawn' \
    timeout 30 "$runner" run merge "$work/fields.pdf" "$one" --forms flatten -o "$out"
is 'all of them' "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac '/Field[0-9]* Do Q')" 10005

of_signed() { merge "$1" "$SAMPLES/plain.pdf"; }
warns_of_signatures of_signed

# What is put together again is read from memory, when the result is written: it has to be there
# still.
for n in 1 2; do
    qpdf --qdf --object-streams=disable "$SAMPLES/plain.pdf" - |
        sed "s|/Pages [0-9]|/Gone 9|; s|(Page |($n |" >"$work/lost$n.pdf"
done
code=repaired
ok 'files that have to be put together again are merged' warns "$work/lost1.pdf" "$work/lost2.pdf"
is 'with what is on their pages' "$(text 3 | cut -c1-2) $(text 6 | cut -c1-2)" '13 23'
merge "$SAMPLES/pdfa1.pdf" "$SAMPLES/pdfa1.pdf" >/dev/null
ok 'two PDF/A-1 are one' like_pdfa1 "$out"
# ISO 32000-2, 7.12: what a prefix stands for may be an array.
qpdf --qdf --object-streams=disable "$one" - |
    sed 's#/Type /Catalog#/Type /Catalog /Extensions << /ISO_ [ << /BaseVersion /2.0 /ExtensionLevel 32001 >> ] >>#' |
    fix-qdf >"$work/extended.pdf" 2>/dev/null
ok 'files whose extensions are arrays are merged' merge "$work/extended.pdf" "$work/extended.pdf"
is 'and the result says so' "$(count '/ExtensionLevel 32001')" 1

# The pages of the result, each by the first words on it.
order() { for i in $(seq "$(pages)"); do text "$i" | cut -c1-10 | tr -d ' \n\f'; printf ' '; done; }
turns() { pdfinfo -f 1 -l 100 "${1:-$out}" | sed -n 's/^Page.*rot: *//p' | paste -sd' '; }
arrange() { list=$1; shift; merge "$@" --arrange "$list"; }
ok 'pages of two files are put into a new order' arrange '2:2,1:2-1,2:1' "$one" "$two"
is 'the pages asked for come, in this order' "$(order)" 'twopage2 onepage2 onepage1 twopage1 '
ok 'the result is sound' sound
is 'they look as they did' "$(draws "$out" 1) $(draws "$out" 3)" "$(draws "$two" 2) $(draws "$one" 1)"
is 'outlines lead to where the pages are now' "$(outline)" \
    '1 merge_one 2|2 one one 3|3 one one.one 2|2 one two 2|1 merge_two 1|2 two one 4|3 two one.one 1|2 two two 1|'
is 'a link to a page of its own file does so still' \
    "$(mutool show "$out" pages/4/Annots/1/Dest/1 | head -n 1)" "$(mutool show "$out" pages/1 | head -n 1)"
ok 'a page may be turned, and come twice' arrange ' 1 : 1 @ 90 , 1:1@270,1:1 ' "$one" "$two"
is 'each of them is turned by itself' "$(turns)" '90 270 0'
is 'and has its words' "$(order | cut -d' ' -f1,3)" 'onepage1 onepage1'
ok 'the result is sound' sound
is 'what belongs to a file of which no page is wanted does not come' "$(titles | grep -c two)" 0
ok 'what a page is turned by is added to its own' arrange '1:all@180' "$SAMPLES/rotations.pdf"
is 'where that is no multiple of 90 it counts as none' "$(turns)" \
    "$(turns "$SAMPLES/rotations.pdf" | tr ' ' '\n' | awk '{ print (($1 % 90 ? 0 : $1) + 180) % 360 }' | paste -sd' ')"
ok 'one file is enough' arrange '1:r1,1:odd' "$SAMPLES/plain.pdf"
is 'pages are named as in page lists' "$(order)" 'Page3 Page1 Page3 '
ok 'a blank page can be put between' arrange '1:2@90,1:blank,2:1,2:blank' "$SAMPLES/boxes.pdf" "$one"
is 'there are as many pages' "$(pages)" 4
is 'it is of the size of the page before it, as that is shown' \
    "$(python3 "$here/page_sizes.py" "$out" | sed -n '2p;4p' | paste -sd' ')" \
    "$(python3 "$here/page_sizes.py" "$out" | sed -n '1p;3p' | paste -sd' ')"
is 'and nothing is on it' "$(text 2 | tr -d ' \f')" ''
ok 'a blank page may be the first' arrange '1:blank,1:1' "$one"
is 'of the size of the first page' "$(python3 "$here/page_sizes.py" "$out" | uniq | wc -l | tr -d ' ')" 1
code='page_out_of_range.*item 2 of arrange, "1:9".*9'
ok 'a page that is not there is named' says "$one" --arrange '1:1,1:9'
code='invalid_parameter.*item 2 of arrange, "3:1".*no file 3: 2 were given'
ok 'so is a file' says "$one" "$two" --arrange '1:1,3:1'
for bad in '1' '1:' ':1' '0:1' '-1:1' '1:0' '1:1@' '1:1@45' '1:1@90@90' '1:!1' '1:1,' '1:1;2:1' '1:1-2-3' \
    '99999999999999999999:1' '1:99999999999' '1@90:1' "1:$(printf '%0200d' 1)"; do
    code='invalid_parameter.*item [12] of arrange'
    ok "'$(echo "$bad" | cut -c1-20)' is refused" says "$one" "$two" --arrange "$bad"
done
code='limit_exceeded.*100000 pages'
ok 'a list that makes too many pages is refused' says "$SAMPLES/shared.pdf" \
    --arrange "$(yes 1:1- | head -n 10001 | paste -sd,)"
code=page_range_clamped
ok 'the end of a range is taken back to the last page' warns "$one" --arrange '1:1-9'

for kind in plain computed function; do
    python3 "$here/scripts.py" "$work/$kind.pdf" $kind
done
scripts() { qpdf --json=2 "$out" | python3 "$here/scripts.py" -; }
ok 'forms with scripts are merged' merge "$work/plain.pdf" "$work/plain.pdf"
is 'scripts of fields, pages, entries and documents use the new names of fields, in strings that are names' \
    "$(scripts | grep '_2')" "$(printf '%s\n' "// \"net\" is not 'tax' event.value = this.getField('net_2').value /* \"net\" */ + 1;" \
        'AFSimple_Calculate("PRD", "net_2, address_2.café");' \
        'AFSimple_Calculate("SUM", new Array("net_2", "tax_2"));' \
        'var re = /"net"/; if (event.target.name == "net_2") app.alert("net worth");')"
ok 'the result is sound' sound
code='script_names.*net_2'
ok 'a script that makes names while it runs is named' warns "$work/plain.pdf" "$work/computed.pdf"
code='script_functions.*total'
ok 'and so are functions of the same name' warns "$work/function.pdf" "$work/function.pdf"

done_testing
