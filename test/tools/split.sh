#!/bin/sh
# split, judged by qpdf, poppler and unzip. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/signed.sh"
. "$(dirname "$0")/pdfa1.sh"
runner=$1
build() { python3 "$(dirname "$0")/pdf_builder.py" "$@"; } # OUT: from a line for each object
out=$work/out

split() { "$runner" run split "$@" --outputName result -o "$out" 2>&1; }
says() { ! split "$@" >"$work/said" && grep -q "$code" "$work/said"; }
warns() { split "$@" >"$work/said"; }
# "first third": the words on the pages that tell them apart, in order.
pages() { pdftotext "${1:-$out}" - | grep -Eo '(Page|Picture) [0-9]+|text-Zulu[0-9]' |
    awk '{sub(/.*[ u]/, ""); printf "%s%s", s, $0; s=" "}'; }
names() { unzip -Z1 "$out" | tr '\n' ' '; }
unpack() { rm -rf "$work/parts"; unzip -qo "$out" -d "$work/parts"; }
plain() { qpdf --qdf --object-streams=disable ${2:+--password="$2"} "${1:-$out}" "$work/plain"; }
# Whether every document of the last ZIP is sound.
sound() { unpack && for part in "$work"/parts/*.pdf; do qpdf --check "$part" || return 1; done; }

# What becomes of pages.
ok 'split works' split "$SAMPLES/shared.pdf" --pages '1-3,5,9-7,odd'
is 'one part an item, named after it' "$(names)" \
    'result_1-3.pdf result_5.pdf result_9-7.pdf result_odd.pdf '
ok 'all are sound' sound
is 'a part holds its pages' "$(pages "$work/parts/result_1-3.pdf")" '1 2 3'
is 'a range that goes backwards stays so' "$(pages "$work/parts/result_9-7.pdf")" '9 8 7'
split "$SAMPLES/plain.pdf" --mode each --pages 1-3,1-3 >/dev/null
is 'equal names are counted, each by itself' "$(names)" "$(for n in '' ' (2)'; do
    printf 'result_%s.pdf ' "1$n" "2$n" "3$n"; done)"
long=$(printf '漢%.0s' $(seq 66))
"$runner" run split "$SAMPLES/shared.pdf" --every 1 --outputName "$long" -o "$out" >/dev/null 2>&1
is 'a long name is cut to 200 bytes, the part stays' "$(unzip -Z1 "$out" | head -n 1 | wc -c | tr -d ' ') \
$(unzip -Z1 "$out" | head -n 1 | grep -c '漢_1.pdf')" '199 1'
split "$SAMPLES/shared.pdf" --pages '1-3,5,9-7,odd' >/dev/null; unpack
is 'odd is one part' "$(pages "$work/parts/result_odd.pdf")" '1 3 5 7 9'
split "$SAMPLES/shared.pdf" --pages 4 >/dev/null
is 'a single part is no ZIP' "$(pages)" 4
split "$SAMPLES/shared.pdf" --pages '9,2-4,9' --mode extract >/dev/null
is 'extract makes one document, in the order asked for' "$(pages)" '9 2 3 4 9'
ok 'and it is sound' qpdf --check "$out"
split "$SAMPLES/shared.pdf" --pages '2,4-5' --mode each >/dev/null
is 'each makes a document a page' "$(names)" 'result_2.pdf result_4.pdf result_5.pdf '
split "$SAMPLES/shared.pdf" --pages '1,4-6,r1' --mode remove >/dev/null
is 'remove leaves all others' "$(pages)" '2 3 7 8 9'
split "$SAMPLES/shared.pdf" --pages '8-20' >/dev/null
is 'an end beyond the last page is taken back' "$(pages)" '8 9 10'
split "$SAMPLES/shared.pdf" --every 4 >/dev/null
is 'every cuts after so many pages' "$(names)" 'result_1-4.pdf result_5-8.pdf result_9-10.pdf '
is 'which are the right ones' "$(unpack; pages "$work/parts/result_9-10.pdf")" '9 10'

code=page_out_of_range
ok 'a page that is not there fails' says "$SAMPLES/shared.pdf" --pages 11
ok 'removing all pages fails' says "$SAMPLES/shared.pdf" --pages all --mode remove
code=missing_field
ok 'something must be said' says "$SAMPLES/shared.pdf"
code=invalid_parameter
ok 'but not two things' says "$SAMPLES/shared.pdf" --pages 1 --every 2
code=unsupported_content
ok 'a level the outline does not have fails' says "$SAMPLES/shared.pdf" --level 1

# Sizes.
split "$SAMPLES/shared.pdf" --maxSize 30000 >/dev/null
ok 'maxSize makes sound parts' sound
is 'of at most so many bytes' "$(find "$work/parts" -size +30000c | wc -l | tr -d ' ')" 0
is 'with all pages' "$(for part in $(names); do pages "$work/parts/$part"; echo; done | tr '\n' ' ')" \
    '1 2 3 4 5 6 7 8 9 10 '
ok 'and no more parts than needed' test "$(names | wc -w)" -le 4
split "$SAMPLES/shared.pdf" --maxSize 5000 >/dev/null
is 'a page that is larger stands alone' "$(names | wc -w | tr -d ' ')" 10
said() { split "$@" >"$work/said"; sed -n 's/^warning:* part_too_large:* //p' "$work/said"; }
is 'all such pages are told' "$(said "$SAMPLES/shared.pdf" --maxSize 5000)" \
    '10 pages are each larger than maxSize: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10'
qpdf "$SAMPLES/shared.pdf" --pages . 4 -- "$work/one.pdf"
is 'or the one' "$(said "$work/one.pdf" --maxSize 5000)" 'page 1 alone is larger than maxSize'
qpdf --empty --pages "$SAMPLES/shared.pdf" 1-10,1-10,1-10,1-10 -- "$work/many.pdf"
is 'of many the first' "$(said "$work/many.pdf" --maxSize 1000 | sed 's/: .*, \([0-9]*, \.\.\.\)$/ \1/')" \
    '40 pages are each larger than maxSize 30, ...'
split "$SAMPLES/shared.pdf" --maxSize 1000000 >/dev/null
is 'what fits as a whole is one part' "$(pages)" '1 2 3 4 5 6 7 8 9 10'

# Resources.
for n in 1 10; do
    split "$SAMPLES/shared.pdf" --pages $n >/dev/null
    ok "page $n does not take the pictures of the others along" test "$(wc -c <"$out")" -lt 12000
    is 'but its own' "$(pdfimages -list "$out" | tail -n +3 | wc -l | tr -d ' ')" 1
done
split "$SAMPLES/shared.pdf" --pages 1 >/dev/null
is 'fonts that are not used go' "$(pdffonts "$out" | grep -c Courier)" 0

# What belongs to the pages, and what does not.
for n in 1 2 3 4 5 6; do
    ok "page $n of a document with everything" split "$SAMPLES/features.pdf" --pages $n
    plain
    is 'leaves all behind that belongs to others' \
        "$(grep -ao 'Zulu[0-9]' "$work/plain" | sort -u | tr '\n' ' ')" "Zulu$n "
    ok 'and is sound' qpdf --check "$out"
done
split "$SAMPLES/features.pdf" --pages 1 >/dev/null
plain
for word in 'Title (Chapter Zulu1)' 'Title (Section Zulu1b)' '(dest-Zulu1)' '/old-Zulu1' \
    'example.com/Zulu1' 'V (value-Zulu1)' 'V (both)' 'alt-Zulu1' 'actual-Zulu1' \
    'Name (Layer Zulu1 visible)' 'Title (Sample)' '<dc:title>' 'Lang (en)'; do
    ok "what belongs to it stays: $word" grep -aqF "$word" "$work/plain"
done
for word in EmbeddedFiles JavaScript Threads Bead OpenAction whole-; do
    ok "what belongs to the whole goes: $word" sh -c "! grep -aqF '$word' '$work/plain'"
done
is 'its rotation is inherited' "$(pdfinfo "$out" | awk '/rot:/{print $3}')" 90
is 'a link to another page goes' "$(grep -ac 'Subtype /Link' "$work/plain")" 1

split "$SAMPLES/features.pdf" --pages 1-3,4-6 >/dev/null
ok 'larger parts are sound' sound
first=$work/parts/result_1-3.pdf
second=$work/parts/result_4-6.pdf
is 'destinations lead to the right pages' "$(pdfinfo -dests "$second" |
    awk '/Zulu/{gsub(/"/, "", $NF); printf "%s%s:%s", s, $1, $NF; s=" "}')" \
    '1:dest-Zulu4 1:old-Zulu4 2:dest-Zulu5 2:old-Zulu5 3:dest-Zulu6 3:old-Zulu6'
plain "$first"
is 'links inside the part stay' "$(grep -ac 'Subtype /Link' "$work/plain")" 5
is 'the outline keeps its levels' \
    "$(mutool show "$first" outline 2>/dev/null | sed 's/^.	//; s/"\([^"]*\)".*/\1/')" \
    "$(printf 'Chapter Zulu1\n\tSection Zulu2\n\t\tDeep Zulu3\n\tSection Zulu1b')"
is 'a heading without a page stays above what is left' \
    "$(mutool show "$second" outline 2>/dev/null | grep -c Group)" 1
is 'fields keep their hierarchy' "$(mutool show "$first" form | grep -c 'address.city')" 1
is 'layers that are off stay off' "$(tr -d '\n ' <"$work/plain" | grep -aoE '/OFF\[[0-9]+0R\]' | wc -l | tr -d ' ')" 1
is 'page labels go on from where they were' \
    "$(plain "$second"; tr -d '\n ' <"$work/plain" | grep -ao '/PageLabels<</Nums\[[^]]*' )" \
    '/PageLabels<</Nums[0<</P(A-)/S/D/St7>>'
is 'tags stay' "$(pdfinfo -struct-text "$second" | grep -c text-Zulu)" 3
is 'with empty table cells' "$(pdfinfo -struct "$second" | grep -c TD)" 2
ok 'attachments are not copied into every part' sh -c \
    "qpdf --list-attachments '$first' 2>&1 | grep -q 'no embedded files'"

# Chapters.
ok 'level makes chapters' split "$SAMPLES/features.pdf" --level 1
is 'one part, as one entry of level 1 leads to a page' "$(pages)" '1 2 3 4 5 6'
split "$SAMPLES/features.pdf" --level 2 >/dev/null
is 'parts take the titles, and pages before the first are a part of their own' "$(names)" \
    'result_Section Zulu1b.pdf result_Section Zulu2.pdf result_Chapter Zulu4.pdf result_Section Zulu6.pdf '
is 'a part goes to the next entry' "$(unpack; pages "$work/parts/result_Chapter Zulu4.pdf")" '4 5'
qpdf --qdf --object-streams=disable "$SAMPLES/features.pdf" - | LC_ALL=C sed 's#Chapter Zulu4#In/Exp: Zulu4#' |
    fix-qdf >"$work/slash.pdf"
split "$work/slash.pdf" --level 2 >/dev/null
is 'a title is no path' "$(names | grep -o 'result_In[^.]*')" 'result_In_Exp_ Zulu4'
split "$SAMPLES/features.pdf" --level 3 >/dev/null
is 'pages before the first entry are a part of their own' "$(names)" \
    'result_1-2.pdf result_Deep Zulu3.pdf result_Section Zulu5.pdf '

# Hostile, damaged and locked documents.
ok 'a document that runs in circles is split' split "$SAMPLES/loops.pdf" --pages 1,2
ok 'into sound parts' sound
code=limit_exceeded
ok 'one whose objects lead on without end is refused' says "$SAMPLES/deep.pdf" --pages 1
ok 'a damaged one is repaired' split "$SAMPLES/damaged.pdf" --pages 2
is 'and split' "$(pages)" 2
for bits in 40 128 256; do
    qpdf --allow-weak-crypto --encrypt secret boss $bits -- "$SAMPLES/features.pdf" "$work/locked.pdf"
    code=password_required
    ok "a document locked with $bits bits needs its password" says "$work/locked.pdf" --pages 1
    for password in secret boss; do
        ok "$password opens it" split "$work/locked.pdf" --pages 1 --inputPassword $password
        ok 'the part is locked by the same user password' qpdf --check --password=secret "$out"
        ok 'and owner'\''s password' sh -c \
            "qpdf --show-encryption --password=boss '$out' | grep 'is owner password'"
        plain "$out" secret
        is 'and holds what it should' \
            "$(grep -ao 'Zulu[0-9]' "$work/plain" | sort -u | tr '\n' ' ')" 'Zulu1 '
    done
done

of_signed() { split "$1" --pages 1; }
warns_of_signatures of_signed
# A widget of which the page tree pretends to be a field.
build "$work/stray.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]>>>>
<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Annots[5 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>
<</Type/Annot/Subtype/Widget/FT/Tx/T(x)/Rect[0 0 50 10]/Parent 6 0 R>>
<</T(above)/Parent 2 0 R>>
END
ok 'a field that leads to the page tree ends there' split "$work/stray.pdf" --pages 1-2 --mode extract
is 'and the pages stay' "$(qpdf --show-npages "$out")" 2
plain
is 'as does the field' "$(grep -ac '/T (above)' "$work/plain")" 1

ok 'without a page it is still the document, and has its attachments' split "$SAMPLES/features.pdf" \
    --mode remove --pages 6
is 'with what is in them' "$(qpdf --show-attachment=attached-Zulu2.txt "$out")" \
    "$(qpdf --show-attachment=attached-Zulu2.txt "$SAMPLES/features.pdf")"
# An invoice: its data is attached, and associated by the catalog; scripts of each kind, one of which
# has the second page in its stream.
build "$work/invoice.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/Outlines 11 0 R/AF[5 0 R]/Names<</EmbeddedFiles<</Names[(data.xml)5 0 R]>>/JavaScript<</Names[(sum)7 0 R(go)<</S/GoTo/D[4 0 R/Fit]>>]>>>>/OpenAction 8 0 R/AA<</WP<</S/JavaScript/JS(print\(\))/Next<</S/GoTo/D[4 0 R/Fit]>>>>/DS<</S/Named/N/NextPage>>>>>>
<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>
<</Type/Filespec/F(data.xml)/AFRelationship/Data/EF<</F 6 0 R>>/X 2 0 R>>
<</Type/EmbeddedFile/Subtype/text#2Fxml>> stream <a/>
<</S/JavaScript/JS 9 0 R>>
<</S/JavaScript/JS(open\(\))>>
<</Leads 10 0 R>> stream sum()
<</Back[2 0 R 4 0 R]/Text(astray)>>
<</Type/Outlines/First 12 0 R/Last 15 0 R>>
<</Title(Links)/Parent 11 0 R/First 13 0 R/Last 14 0 R/Next 15 0 R>>
<</Title(Web)/Parent 12 0 R/Next 14 0 R/A<</S/URI/URI(https://example.com/)/Next<</S/GoTo/D[4 0 R/Fit]>>>>>>
<</Title(Gone)/Parent 12 0 R/Prev 13 0 R/A<</S/GoTo/D[4 0 R/Fit]>>>>
<</Title(Heading)/Parent 11 0 R/Prev 12 0 R>>
END
ok 'a document of which a page is removed' split "$work/invoice.pdf" --mode remove --pages 2
ok 'is sound' qpdf --check "$out"
whole() { mutool show "$out" "trailer/Root/$1" 2>/dev/null | tr -d '\n '; }
is 'and associates the file that is attached, and no copy' "$(whole AF | grep -o '[0-9]*0R')" \
    "$(whole Names/EmbeddedFiles/Names | grep -o '[0-9]*0R')"
is 'which says how it is related' "$(whole AF/1/AFRelationship)" /Data
is 'its scripts stay' "$(mutool show -b "$out" trailer/Root/Names/JavaScript/Names/2/JS)$(whole OpenAction/JS)" \
    'sum()(open\(\))'
is 'but no other actions among them' "$(whole Names/JavaScript/Names/4)$(whole AA)" \
    'null<</WP<</JS(print\(\))/S/JavaScript>>>>'
plain
is 'of the outline what leads out of the document stays, below its heading' \
    "$(grep -ao 'Title (.*)' "$work/plain" | sort | tr '\n' ' ')$(whole Outlines/First/First/A/URI)$(whole Outlines/First/First/A/Next)" \
    'Title (Links) Title (Web) (https://example.com/)null'
is 'and nothing they lead to' "$(grep -ac astray "$work/plain")" 0
ok 'parts have no scripts' split "$work/invoice.pdf" --pages 1
plain
is 'at all' "$(grep -ac /JS "$work/plain")" 0
is 'of which is warned once' "$(split "$work/invoice.pdf" --pages 1,2 | grep -c '^warning.*scripts_dropped')" 1
is 'where there were any' "$(split "$SAMPLES/shared.pdf" --pages 1,2 | grep -c scripts_dropped)" 0
split "$SAMPLES/pdfa1.pdf" --mode extract --pages 2 >/dev/null
ok 'a page of a PDF/A-1 is one' like_pdfa1 "$out"
# A structure element of a page that it does not name.
printf '%s\n' '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 5 0 R/MarkInfo<</Marked true>>>>' '<</Type/Pages/Kids[3 0 R]/Count 1>>' \
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/StructParents 0>>' \
    '<<>> stream /P<</MCID 0>>BDC 9 9 m 20 20 l S EMC' '<</Type/StructTreeRoot/K[6 0 R]/ParentTree<</Nums[0[6 0 R]]>>>>' \
    '<</Type/StructElem/S/P/P 5 0 R/K[0]>>' | python3 "$(dirname "$0")/pdf_builder.py" "$work/unplaced.pdf"
"$runner" run split "$work/unplaced.pdf" --pages 1 -o "$work/unplaced-out.pdf" >"$work/said" 2>&1
ok 'tags that name no page are dropped with a warning' grep -q 'tags_dropped.*1 pieces' "$work/said"

# Form fields that are on no page: "rate" without any widget; "note" with a widget that no page lists; of "address" one
# field of four is on a page, and one names the second page as its own; one of the two widgets of "choice" is on the
# first page; "seal" is an empty signature field; "direct" and "zone" are direct objects.
build "$work/fields.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/AcroForm<</DA(/Helv 9 Tf 0 g)/Fields[5 0 R 6 0 R 7 0 R 10 0 R 13 0 R<</FT/Tx/T(direct)/V(value-direct)>>]/CO[5 0 R 8 0 R]>>>>
<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Annots[8 0 R 11 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>
<</FT/Tx/T(rate)/V(value-rate)/AA<</C<</S/JavaScript/JS(count\(\))>>>>>>
<</FT/Tx/T(note)/V(value-note)/Type/Annot/Subtype/Widget/Rect[0 0 50 10]>>
<</T(address)/Kids[8 0 R 9 0 R 14 0 R<</FT/Tx/T(zone)/V(value-zone)>>]>>
<</FT/Tx/T(street)/V(value-street)/Parent 7 0 R/Type/Annot/Subtype/Widget/Rect[0 0 50 10]>>
<</FT/Tx/T(city)/V(value-city)/Parent 7 0 R/Type/Annot/Subtype/Widget/Rect[0 0 50 10]/P 4 0 R>>
<</FT/Btn/Ff 49152/T(choice)/V/two/Kids[11 0 R 12 0 R]>>
<</Parent 10 0 R/Type/Annot/Subtype/Widget/Rect[0 0 9 9]/AS/Off/AP<</N<</one null>>>>>>
<</Parent 10 0 R/Type/Annot/Subtype/Widget/Rect[0 0 9 9]/AS/two/AP<</N<</two null>>>>>>
<</FT/Sig/T(seal)>>
<</FT/Tx/T(land)/V(value-land)/Parent 7 0 R>>
END
held() { plain; grep -ao '(value-[a-z]*)' "$work/plain" | sort | tr -d '()\n' | sed 's/value-/ /g'; }
ok 'a document with fields on no page is reduced' warns "$work/fields.pdf" --mode remove --pages 2
is 'and keeps their values, but for one of the page that is gone' "$(held)" \
    ' direct land note rate street zone'
is 'below the fields that had them' "$("$runner" run form-fields "$out" -o - 2>/dev/null |
    grep -o '"name":"[a-z.]*"' | cut -d'"' -f4 | tr '\n' ' ')" \
    'rate note address.street address.land address.zone choice seal direct '
is 'without a warning of fields' "$(grep -c fields_dropped "$work/said")" 0
ok 'a part of it' warns "$work/fields.pdf" --mode extract --pages 1
is 'has those of its pages' "$(held)" ' street'
is 'with all widgets of a field that is on one' "$(grep -ac 'AS /two' "$work/plain")" 1
is 'and the warning counts the others, and names one' "$(sed -n 's/^warning: *fields_dropped: *//p' "$work/said" | sed 's/.*: 6/6/')" \
    '6, the first is "rate"'
ok 'a part with the page that a widget names' warns "$work/fields.pdf" --mode extract --pages 2
is 'has that field' "$(held)" ' city'
split "$work/fields.pdf" --mode remove --pages 1 >/dev/null
ok 'and the results are sound' qpdf --check "$out"

done_testing
