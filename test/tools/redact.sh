#!/bin/sh
# redact, checked with qpdf, pdftotext, mutool and pdftocairo. $1 runs a tool.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.pdf

redact() { rm -f "$out"; "$runner" run redact "$@" -o "$out" >"$work/said" 2>&1; }
plain() { qpdf --qdf --object-streams=disable "${1:-$out}" -; }
# How often a text is in the file: in decoded streams and strings, and in UTF-16.
left() {
    plain "${2:-$out}" >"$work/plain.pdf"
    python3 -c 'import sys
data = open(sys.argv[2], "rb").read().lower()
text = sys.argv[1].lower()
print(sum(data.count(form) for form in (text.encode(), text.encode("utf-16-be"), text.encode("utf-16-be").hex().encode(), text.encode().hex().encode())))' "$1" "$work/plain.pdf"
}
figure() { sed -n "s/^report: $1 //p" "$work/said"; }
fails_with() { # CODE ARGUMENT...
    code=$1
    shift
    redact "$@" && return 1
    grep -q "$code" "$work/said" && [ ! -s "$out" ]
}
# Pixels that differ between page $2 of both documents.
pixels() {
    mutool draw -q -r 50 -c gray -o "$work/a.pgm" "$1" "$2"
    mutool draw -q -r 50 -c gray -o "$work/b.pgm" "$out" "$2"
    cmp -l "$work/a.pgm" "$work/b.pgm" | wc -l
}

# Each hiding place has the word Zebra.
python3 "$here/pdf_builder.py" "$work/all.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/Outlines 20 0 R/Metadata 8 0 R/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(var x = "Zebra")>>]>>/EmbeddedFiles<</Names[(Zebra) 6 0 R(b) 23 0 R]>>>>/OCProperties<</OCGs[9 0 R]/D<</OFF[9 0 R]/Order[9 0 R]>>>>/AcroForm<</Fields[11 0 R]/DA(/F 9 Tf)>>/PageLabels<</Nums[0<</P(Zebra)>>]>>/StructTreeRoot<</Type/StructTreeRoot/K 24 0 R/ParentTree<</Nums[0[24 0 R]]>>>>/PieceInfo<</X<</Private(Zebra)>>>>>>
<</Type/Pages/Count 3/Kids[3 0 R 17 0 R 26 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/StructParents 0/Contents 4 0 R/Annots[11 0 R 12 0 R 13 0 R 14 0 R]/Resources<</Font<</F 5 0 R/T 16 0 R>>/Properties<</H 9 0 R>>/XObject<</X 15 0 R>>/Pattern<</P 22 0 R>>>>>>
<<>> stream BT /F 12 Tf 14 TL 20 270 Td [(One Ze) 80 (bra) -300 (stays)] TJ 0 -20 Td (Z) Tj (e) Tj (bra and Horse) Tj T* (Cow ) ' 1 0 0 1 200 200 Tm 0 1 -1 0 200 200 Tm (up Zebra up) Tj ET /OC /H BDC BT /F 12 Tf 20 200 Td (hidden Zebra) Tj ET EMC /P <</MCID 0/ActualText(Zebra)>> BDC BT /F 12 Tf 20 180 Td (Zebra tagged) Tj ET EMC BT 3 Tr /F 12 Tf 20 160 Td (unseen Zebra) Tj ET /X Do BT 0 Tr /T 12 Tf 20 60 Td (Zebra!) Tj ET /Pattern cs /P scn 20 10 100 30 re f
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
<</Type/Filespec/F(Zebra.txt)/EF<</F 7 0 R>>>>
<</Type/EmbeddedFile>> stream about a Zebra
<</Type/Metadata/Subtype/XML>> stream <a>Z&#x65;bra and Zebra</a>
<</Type/OCG/Name(Zebra)>>
<</Title(Zebra report)/Author(Ann)>>
<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Zebra)/DV(zebra)/Rect[150 30 290 50]/P 3 0 R/DA(/F 9 Tf)/AP<</N 18 0 R>>>>
<</Type/Annot/Subtype/Text/Contents(a ZEBRA)/Rect[0 0 9 9]/RC(<p>Zebra</p>)>>
<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://example.com/%5Aebra)>>>>
<</Type/Annot/Subtype/FreeText/Rect[150 60 290 80]/Contents(other)/AP<</N 19 0 R>>>>
<</Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 12 Tf 20 120 Td (form Zebra form) Tj ET
<</Type/Font/Subtype/Type3/FontBBox[0 0 600 700]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 33/LastChar 126/Widths 25 0 R/Encoding<</Differences[33/exclam 90/Z 97/a/b 101/e 114/r]>>/CharProcs<</Z 21 0 R/e 21 0 R/b 21 0 R/r 21 0 R/a 21 0 R/exclam 21 0 R>>/Resources<<>>>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents[27 0 R 28 0 R]/Resources<</Font<</F 5 0 R>>/XObject<</X 15 0 R>>>>>>
<</Type/XObject/Subtype/Form/BBox[0 0 140 20]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 9 Tf 2 5 Td (Zebra) Tj ET
<</Type/XObject/Subtype/Form/BBox[0 0 140 20]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 9 Tf 2 5 Td (look at Zebra) Tj ET
<</Type/Outlines/First 29 0 R/Last 29 0 R/Count 1>>
<<>> stream 600 0 0 0 500 700 d1 0 0 500 700 re f
<</PatternType 1/PaintType 1/TilingType 1/BBox[0 0 90 20]/XStep 90/YStep 20/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 9 Tf 2 5 Td (Zebra tile) Tj ET
<</Type/Filespec/F(b.txt)/EF<</F 30 0 R>>>>
<</Type/StructElem/S/P/K 0/Pg 3 0 R/P 31 0 R/Alt(A striped animal)/ActualText(Zebra)>>
[600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600 600]
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 32 0 R/Resources<</Font<</F 5 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 270 Td (Ze
<<>> stream bra split, Horse) Tj ET /X Do
<</Title(About the Zebra)/Parent 20 0 R/Dest[3 0 R/Fit]>>
<</Type/EmbeddedFile>> stream about a horse
<</Type/StructElem/S/Document/K 24 0 R>>
<<>> stream BT /F 12 Tf 20 270 Td (Nothing here) Tj ET
END
ok 'the document has the word in many places' test "$(left Zebra "$work/all.pdf")" -gt 20
ok 'a word is removed' redact "$work/all.pdf" --text zebra
is 'it is nowhere in the file' "$(left Zebra)" 0
is 'poppler finds it on no page' "$(pdftotext -raw "$out" - | grep -ci 'z *e *b *r *a')" 0
is 'MuPDF finds it on no page' "$(mutool draw -q -F text "$out" 2>/dev/null | grep -ci zebra)" 0
for word in One stays Horse 'Cow' 'Nothing here' unseen; do
    is "$word stays" "$(pdftotext "$out" - | grep -q "$word" && echo yes)" yes
done
is 'other parts of the outline and of files stay' "$(plain | grep -ac -e '(About the ' -e 'about a horse')" 2
is 'the file with the word is gone' "$(pdfdetach -list "$out" | head -n 1)" '1 embedded files'
ok 'the result is sound' qpdf --check "$out"
is 'a page without the word keeps its content' "$(qpdf --show-object=32 --filtered-stream-data "$work/all.pdf" | cksum)" \
    "$(qpdf --json "$out" --json-key=pages | python3 -c 'import json,sys; print(json.load(sys.stdin)["pages"][2]["contents"][0].split()[0])' |
        xargs -I OBJECT qpdf --show-object=OBJECT --filtered-stream-data "$out" | cksum)"
is 'and looks as before' "$(pixels "$work/all.pdf" 3)" 0

# What is not removed stays where it was.
python3 "$here/pdf_builder.py" "$work/places.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>
<<>> stream BT /F 12 Tf 3 Tc 7 Tw 80 Tz 20 250 Td [(Ann Zebra ) 120 (and) -40 ( Bob)] TJ ( Zebra again ) Tj (end) Tj 14 TL (next Zebra line) ' 5 1 (quoted Zebra here) " ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
END
ok 'words in the midst of others are removed' redact "$work/places.pdf" --text Zebra --width exact
python3 - "$work/places.pdf" "$out" >"$work/moved" <<'END'
import re, subprocess, sys
def words(path):
    text = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, text=True).stdout
    found = re.findall(r'xMin="([\d.]+)" yMin="([\d.]+)".*?>(.*?)<', text)
    return sorted((w, float(x), float(y)) for x, y, w in found if "Zebra" not in w)
a, b = words(sys.argv[1]), words(sys.argv[2])
print([w for w, _, _ in a] == [w for w, _, _ in b] and max(abs(p[1] - q[1]) + abs(p[2] - q[2]) for p, q in zip(a, b)) < 0.01)
END
is 'the others have not moved' "$(cat "$work/moved")" True

# The width of a hole: names of different width leave the same, what follows them comes nearer with its line, columns stay.
python3 - "$work" <<'END'
import sys
widths = {"I": 278, "l": 222, "i": 222, "W": 944, "m": 833, "o": 556}
for number, name in enumerate(("Illiill", "Wommommo", "Wommommommommommommo")):
    x = 62.26 + sum(widths[c] for c in name) / 100 + 2.78
    open(f"{sys.argv[1]}/width{number}.txt", "w").write(f"""<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/Annots[6 0 R]>>
<<>> stream BT /F 10 Tf 30 250 Td (Before {name} after it.) Tj 0 -20 Td (Letter ) Tj ({name}) Tj ( by) Tj 1 0 0 1 250 230 Tm (Column) Tj 1 0 0 1 30 210 Tm (No name is in this line of text at all, and it ends here.) Tj ET 30 195 m 30 175 l 230 175 l 230 195 l S BT /F 10 Tf 32 185 Td ({name}) Tj 200 0 Td (right) Tj ET {x} 248 22 0.5 re f
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
<</Type/Annot/Subtype/Link/Rect[{x} 248 {x + 22} 259]/A<</S/URI/URI(http://example.com)>>>>
""")
END
for number in 0 1 2; do python3 "$here/pdf_builder.py" "$work/width$number.pdf" <"$work/width$number.txt"; done
# Where words, the link over "after" and the line under it are, in points of the page.
words_at() { pdftotext -bbox "$out" - | sed -n 's/.*xMin="\([0-9.]*\)" yMin="\([0-9.]*\).*>\('"$1"'\)<.*/\3 \1 \2/p' | awk '{ printf "%s %.1f %.1f,", $1, $2, $3 }'; }
link_at() { qpdf --json "$out" --json-key=qpdf | python3 -c 'import json,re,sys; print([round(x) for x in json.loads(re.search(r"\"/Rect\": (\[[^]]*)", sys.stdin.read()).group(1) + "]")])'; }
names=$(printf 'Illiill\nWommommo\nWommommommommommommo')
for width in line rounded exact; do
    for number in 0 1 2; do
        redact "$work/width$number.pdf" --text "$names" --width $width || echo "# $(cat "$work/said")"
        { words_at '[A-Za-z.,]*'; link_at; } >"$work/$width$number"
        pdftocairo -q -r 50 -gray -png -singlefile "$out" "$work/$width$number"
        cp "$out" "$work/$width$number.pdf"
    done
done
is 'width=line leaves the same words at the same places whatever was there' "$(cat "$work"/line? | sort -u | wc -l)" 1
is 'and the same picture' "$(cksum <"$work/line0.png") $(cksum <"$work/line2.png")" "$(cksum <"$work/line1.png") $(cksum <"$work/line1.png")"
is 'what follows moves, with its link; columns stay' "$(grep -o -e 'after [0-9.]*' -e 'by [0-9.]*' -e 'Column [0-9.]*' -e 'right [0-9.]*' -e '\[.*' "$work/line0" | tr '\n' ' ')" \
    'after 105.1 by 101.2 Column 250.0 right 232.0 [105, 248, 127, 259] '
is 'width=rounded has steps' "$(for number in 0 1 2; do grep -o 'after [0-9.]*' "$work/rounded$number"; done | tr '\n' ' ')" 'after 75.1 after 105.1 after 185.1 '
is 'width=exact leaves what follows in its place' "$(for number in 0 1 2; do grep -o 'after [0-9.]*' "$work/exact$number"; done | tr '\n' ' ')" 'after 81.1 after 124.5 after 213.3 '
is 'each hole is counted' "$(figure widthsEvened)$(redact "$work/width0.pdf" --text Illiill && figure widthsEvened)" 3
ok 'a width that cannot be hidden is told' redact "$work/width0.pdf" --text Illiill --regions 1:100,45,40,12
is 'where the line has an area of its own' "$(figure widthsMeasurable)" 1

# An area, and pixels below it.
python3 "$here/pdf_builder.py" "$work/image.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 2/Kids[3 0 R 6 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>
<<>> stream q 80 0 0 80 10 10 cm /I Do Q q 10 0 0 10 0 0 cm BI /W 2 /H 2 /BPC 8 /CS /G /F /AHx ID 11223344> EI Q
<</Type/XObject/Subtype/Image/Width 4/Height 4/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB 1<40506070a0b0>]/Filter/ASCIIHexDecode>> stream 00010001000100010001000100010001>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 7 0 R/Resources<</XObject<</I 5 0 R>>>>>>
<<>> stream q 80 0 0 80 10 10 cm /I Do Q
END
ok 'an area is removed' redact "$work/image.pdf" --hits '[{"page":1,"box":[10,10,50,50]},{"page":1,"box":[0,0,4,4]}]'
is 'two images were cut' "$(figure imagesCut)" 2
is 'another page that shows the same image is as before' "$(pixels "$work/image.pdf" 2)" 0
pdfimages -list "$out" | awk '$1 == 1 { print $4, $5, $6 }' >"$work/images"
is 'the cut image has colours in place of a table' "$(head -n 1 "$work/images")" '4 4 rgb'
pdfimages -f 1 -l 1 "$out" "$work/image"
is 'the pixels in the area are black, and the others are not' "$(python3 -c 'import sys
data = open(sys.argv[1], "rb").read()[-48:]
print([any(data[3 * (4 * y + x):3 * (4 * y + x) + 3]) for y in range(4) for x in range(4)].count(False), data[0:6].hex())' "$work/image-000.ppm")" '4 40506070a0b0'

# Patterns, presets, capital letters, and a part of what was found.
python3 "$here/pdf_builder.py" "$work/kinds.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 270 Td 20 TL (Case 1234-AB and Case 77) ' (zebra, Zebra) ' (mail ann@example.com) ' ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 1>>
<</Title(Case 1234-AB)/Parent 6 0 R/Dest[3 0 R/Fit]>>
END
text() { pdftotext -raw "$out" - | tr '\n' ' '; }
ok 'what fits a pattern and a preset is removed' redact "$work/kinds.pdf" --pattern '[0-9]{4}-[A-Z]+' --preset email
is 'and nothing else' "$(text)" "$(printf 'Case and Case 77 zebra, Zebra mail \f')"
is 'also from the outline' "$(left 1234)" 0
is 'each is counted' "$(figure hits)" 3
ok 'capital letters make a difference if that is wanted' redact "$work/kinds.pdf" --text Zebra --matchCase true
is 'then the other one stays' "$(text | grep -c zebra),$(text | grep -c Zebra)" 1,0
"$runner" run redact-find "$work/kinds.pdf" --text 'zebra' -o "$work/found.json" >/dev/null 2>&1
python3 - "$work/found.json" >"$work/part.json" <<'END'
import json, sys
found = json.load(open(sys.argv[1]))["hits"]
print(json.dumps(found[:1]))
END
ok 'a part of what redact-find found is removed' redact "$work/kinds.pdf" --hits "$(cat "$work/part.json")" --matchCase true
is 'and the rest stays' "$(text | grep -c Zebra),$(text | grep -c zebra)" 1,0

# Maps to Unicode.
python3 "$here/pdf_builder.py" "$work/map.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 270 Td (Zebra box) Tj ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>
<<>> stream begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <61> <7A> <0061> endbfrange 2 beginbfchar <5A> <005A> <20> <0020> endbfchar endcmap
END
ok 'a word is removed from a font with a map to Unicode' redact "$work/map.pdf" --text Zebra
is 'the map has no more than the letters that are left' "$(plain | grep -a '^<.*> <.*>$' | tr '\n' ' ')" '<62> <0062> <6f> <006f> <78> <0078> <20> <0020> '
is 'which are still read' "$(pdftotext "$out" - | grep -c 'box')" 1

# What fonts say of what is not shown any more.
python3 "$here/pdf_builder.py" "$work/fonts.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</D 5 0 R/T 6 0 R/F 9 0 R>>>>>>
<<>> stream BT /D 12 Tf 20 270 Td <0102030405> Tj 0 -20 Td <0606> Tj /T 12 Tf 0 -20 Td (xy) Tj /F 12 Tf 0 -20 Td (Ze\255bra stays) Tj ET % about the Zebra
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 1/LastChar 6/Widths[611 556 556 333 556 278]/Encoding<</Differences[1/Z/e/b/r/a/l]>>>>
<</Type/Font/Subtype/Type3/FontBBox[0 0 900 700]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 120/LastChar 121/Widths[900 900]/Encoding<</Differences[120/x/y]>>/CharProcs<</x 7 0 R/y 8 0 R>>/Resources<</Font<</F 9 0 R>>>>>>
<<>> stream 900 0 d0 BT /F 300 Tf (Zebra) Tj ET
<<>> stream 900 0 d0 0 0 500 700 re f
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
END
ok 'a word is removed from glyphs, comments and across a soft hyphen' redact "$work/fonts.pdf" --text Zebra
is 'it is nowhere in the file' "$(left Zebra)" 0
is 'nor are the names and widths of its glyphs' "$(plain | grep -ac -e '^ *\(/Z\|/e\|/b\|611\|333\)$')" 0
is 'but those of what is left' "$(plain | grep -ac -e '^ *\(/l\|278\)$')" 2
is 'which is drawn as before' "$(pdftotext "$out" - | grep -c stays)" 1

# Letters of another text in the place of a removed one.
python3 "$here/pdf_builder.py" "$work/over.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 2/Kids[3 0 R 6 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 270 Td (A Zebra here) Tj 0.3 0 Td (A Zebra here) Tj -0.3 -40 Td /Span<</ActualText(Zebra)>>BDC (Qqqqq) Tj EMC 0 -40 Td (Ze) Tj (bra) Tj ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 7 0 R/Resources<</Font<</F 5 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 270 Td (A Zebra here) Tj 0.7 0.7 -0.7 0.7 30 262 Tm /F 24 Tf (DRAFT) Tj ET
END
ok 'a word is removed over which another is drawn' redact "$work/over.pdf" --text Zebra
is 'letters of the other one are counted' "$(figure lettersOfOtherTexts)" 2
is 'with their page and place' "$(sed -n 's/.*overlap_removed.*first at //p' "$work/said")" 2:31,17,32,17
is 'and the others stay' "$(plain | grep -ac '(AFT)')" 1
ok 'copies of a word, and what it replaces, are none' redact "$work/over.pdf" --text Zebra --pages 1
is 'and there is no warning' "$(grep -c overlap_removed "$work/said")" 0

# A soft hyphen that is drawn at the end of a line is a part of the word that goes on; one after the last letter is not.
python3 "$here/pdf_builder.py" "$work/soft.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R/G 7 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 270 Td (One Ele\255) Tj 0 -14 Td (phant stands) Tj 0 -40 Td (by Zebra\255) Tj 0 -14 Td (fish ponds) Tj /G 12 Tf 0 -40 Td (a Pan\255da) Tj 0 -20 Td (some well\255known) Tj ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>
<<>> stream begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7E> <0020> endbfrange 1 beginbfchar <AD> <00AD> endbfchar endcmap
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
END
for word in Elephant:9 Zebra:5 Panda:6 well-known:10; do
    letters=${word#*:}
    word=${word%:*}
    ok "a word next to a soft hyphen is found ($word)" "$runner" run redact-find "$work/soft.pdf" --text "$word" -o "$work/soft.json" --force
    ok 'and removed by its place' redact "$work/soft.pdf" --hits "$(cat "$work/soft.json")"
    figure glyphsRemoved >"$work/glyphs"
    ok 'or by its text' redact "$work/soft.pdf" --text "$word"
    is 'with the soft hyphens in it, and with no other' "$(cat "$work/glyphs"),$(figure glyphsRemoved)" "$letters,$letters"
done

# What was found once by a pattern goes from all pages that were searched.
python3 "$here/pdf_builder.py" "$work/again.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 270 Td (Case 1234-AB) Tj 0 -20 Td (noted as 1234-AB here) Tj ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
END
ok 'a number that one place names' redact "$work/again.pdf" --pattern 'Case [0-9]{4}-[A-Z]+'
is 'leaves the other place, which is another text' "$(left 1234-AB)" 1

# The outlines of glyphs that nothing shows any more.
python3 "$here/pdf_builder.py" "$work/blank.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>
END
cat >"$work/outlines.py" <<'END'
import glob, struct, sys
for path in glob.glob(sys.argv[1] + "/*.ttf"):
    data = open(path, "rb").read()
    tables = {data[12 + 16 * i:16 + 16 * i]: struct.unpack(">I", data[20 + 16 * i:24 + 16 * i])[0] for i in range(struct.unpack(">H", data[4:6])[0])}
    long = struct.unpack(">h", data[tables[b"head"] + 50:][:2])[0]
    n = struct.unpack(">H", data[tables[b"maxp"] + 4:][:2])[0]
    ends = struct.unpack(">%d%s" % (n + 1, "I" if long else "H"), data[tables[b"loca"]:][:(n + 1) * (4 if long else 2)])
    print(sum(ends[i + 1] > ends[i] for i in range(1, n)))
END
outlines() { rm -rf "$work/extracted" && mkdir "$work/extracted" && (cd "$work/extracted" && mutool extract "$1" >/dev/null 2>&1) && python3 "$work/outlines.py" "$work/extracted"; }
"$runner" run watermark "$work/blank.pdf" --text 'Zebra box' --font 'DejaVu Sans' -o "$work/font.pdf" >/dev/null 2>&1
is 'a font has the outlines of seven letters' "$(outlines "$work/font.pdf")" 7
ok 'a word in it is removed' redact "$work/font.pdf" --text Zebra
is 'then it has those of the three that are left' "$(outlines "$out")" 3
is 'which are drawn' "$(pdftotext "$out" - | tr -d '\n\f')" box

# A JPEG picture keeps its data where nothing was cut.
pdftoppm -q -r 60 -jpeg -singlefile "$work/all.pdf" "$work/picture"
python3 - "$work/picture.jpg" "$work/jpeg.pdf" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
at = 2
while not 0xc0 <= data[at + 1] <= 0xc2:
    at += 2 + struct.unpack(">H", data[at + 2:at + 4])[0]
high, wide = struct.unpack(">HH", data[at + 5:at + 9])
parts = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
         b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>",
         b"<</Length 28>>stream\nq 300 0 0 300 0 0 cm /I Do Q\nendstream",
         b"<</Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode/Length %d>>stream\n" % (wide, high, len(data)) + data + b"\nendstream"]
out = b"%PDF-1.7\n"
for number, part in enumerate(parts):
    out += b"%d 0 obj\n" % (number + 1) + part + b"\nendobj\n"
open(sys.argv[2], "wb").write(out + b"trailer<</Size 6/Root 1 0 R>>\n%%EOF\n")
END
ok 'an area of a JPEG picture is cut' redact "$work/jpeg.pdf" --hits '[{"page":1,"box":[101,101,199,199]}]'
is 'which stays one' "$(pdfimages -list "$out" | awk 'NR == 3 { print $9 }')" jpeg
pdfimages -j "$out" "$work/kept"
is 'and does not grow' "$(($(wc -c <"$work/kept-000.jpg") * 100 / $(wc -c <"$work/picture.jpg") / 110))" 0
pdfimages "$work/jpeg.pdf" "$work/before"
pdfimages "$out" "$work/after"
is 'the area is black, and what is farther away than a block is as it was' "$(python3 - "$work/before-000.ppm" "$work/after-000.ppm" <<'END'
import re, sys
def read(path):
    data = open(path, "rb").read()
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+\d+\s", data)
    return int(head[1]), int(head[2]), data[head.end():]
(w, h, a), (_, _, b) = read(sys.argv[1]), read(sys.argv[2])
unit = w / 300
darkest, same = 0, True
for y in range(h):
    for x in range(w):
        at = 3 * (y * w + x)
        px, py = (x + .5) / unit, (y + .5) / unit
        if 103 < px < 197 and 103 < py < 197:
            darkest = max(darkest, *b[at:at + 3])
        elif not (101 * unit - 18 < x < 199 * unit + 18 and 101 * unit - 18 < y < 199 * unit + 18):
            same &= a[at:at + 3] == b[at:at + 3]
print(darkest < 24, same)
END
)" 'True True'

# Pictures in other codes are cut to the pixel. Those of bits stay small, as JBIG2.
/usr/bin/python3 "$here/redact_pictures.py" make "$work/codes.pdf" "$work/codes"
ok 'an area of pictures in other codes is cut' redact "$work/codes.pdf" --regions '1-7:16,8,40,24'
is 'the area is black, and all else as it was; coefficients of inks are kept' \
    "$(/usr/bin/python3 "$here/redact_pictures.py" check "$out" "$work/codes" 16,8,40,24 2>/dev/null)" \
    "wavelets image True True
gray-wavelets image True True
own-colours image True True
scan jbig2 True True
symbols jbig2 True True
fax jbig2 True True
inks jpeg-True True True"
is 'a profile that a picture had in its data is kept' "$(plain | grep -ac ICCBased)" 1

# The data of an XFA form are text of the document, too.
python3 "$here/pdf_builder.py" "$work/xfa.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]/XFA[(template) 4 0 R(datasets) 5 0 R]>>>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>
<<>> stream <template/>
<<>> stream <xfa:data><a>the Zebra</a></xfa:data>
END
ok 'a text that only an XFA form has is removed' redact "$work/xfa.pdf" --text Zebra
is 'with the form' "$(left zebra),$(plain | grep -ac XFA)" 0,0

# Labels.
ok 'a label is written into the boxes' redact "$work/places.pdf" --text Zebra --fill label --label 'Имя 名'
is 'as outlines, not as text' "$(pdftotext "$out" - | grep -c 名),$(plain | grep -ac 'RdLabel1 Do')" 0,4
mutool draw -q -r 100 -c gray -o "$work/label.pgm" "$out" 1 2>/dev/null
redact "$work/places.pdf" --text Zebra --fill black --width rounded
mutool draw -q -r 100 -c gray -o "$work/black.pgm" "$out" 1 2>/dev/null
is 'white on black' "$(cmp -l "$work/label.pgm" "$work/black.pgm" | awk '$2 == 377 { n++ } END { print (n > 100) }')" 1
ok 'a label with the text is refused' fails_with 'the label has one of the texts' "$work/places.pdf" --text Zebra --fill label --label 'a zebra'
ok 'so is one that nothing asks for' fails_with 'go together' "$work/places.pdf" --text Zebra --label x
ok 'and one without a character that can be seen' fails_with 'can be seen' "$work/places.pdf" --text Zebra --fill label --label "$(printf '\342\200\213')"

# Pages that cannot be redacted.
python3 "$here/pdf_builder.py" "$work/unreadable.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 2/Kids[3 0 R 8 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Rotate 90/Contents 4 0 R/Annots[7 0 R]/Resources<</Font<</F 5 0 R>>/XObject<</I 6 0 R>>>>>>
<<>> stream q 200 0 0 4 20 2 cm /I Do Q BT /F 24 Tf 20 260 Td (Zebra) Tj 0 -100 Td (Horse) Tj ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Filter/NoSuchDecode>> stream 0 0 1 1 re f
<</Type/Annot/Subtype/Link/Rect[20 100 80 120]/A<</S/URI/URI(http://example.com)>>>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 9 0 R/Resources<</Font<</F 5 0 R>>>>>>
<<>> stream BT /F 24 Tf 20 260 Td (Second page) Tj ET
END
ok 'a page with a part that cannot be read is refused' fails_with 'page 1 cannot be redacted' "$work/unreadable.pdf" --text Zebra
ok 'or becomes a picture' redact "$work/unreadable.pdf" --text Zebra --unreadable rasterize
is 'which is told' "$(figure pagesRasterized)$(grep -c page_rasterized "$work/said")" 11
is 'without text, with its link' "$(pdftotext -l 1 "$out" - | tr -d '\f\n'),$(plain | grep -ac example.com)" ,1
is 'the other page keeps its text' "$(pdftotext -f 2 "$out" - | head -n 1)" 'Second page'
# Dark pixels of the page as it is shown, turned by 90 degrees: all of them where the word was, some where the other word is.
mutool draw -q -r 72 -c gray -o "$work/page.pgm" "$out" 1 2>/dev/null
dark() { # LEFT TOP RIGHT BOTTOM
    python3 -c 'import re,sys
data = open(sys.argv[1], "rb").read()
head = re.match(rb"P5\s+(?:#[^\n]*\n)?(\d+)\s+(\d+)\s+\d+\s", data)
wide, (left, top, right, bottom) = int(head[1]), map(int, sys.argv[2:])
at = data[head.end():]
values = [at[y * wide + x] < 128 for y in range(top, bottom) for x in range(left, right)]
print(round(100 * sum(values) / len(values)))' "$work/page.pgm" "$@"
}
is 'the place of the word is black' "$(dark 263 25 275 75)" 100
is 'the other word is seen' "$(n=$(dark 158 20 180 85); [ "$n" -gt 10 ] && [ "$n" -lt 60 ] && echo yes)" yes

# What cannot be done.
ok 'a text that is not there is an error' fails_with nothing_to_redact "$work/image.pdf" --text Zebra
ok 'or not, if that is asked for' redact "$work/image.pdf" --text Zebra --ifNone ok
# Content that no page shows.
python3 "$here/pdf_builder.py" "$work/undrawn.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/Dests<</x[9 0 R/Fit]>>>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Annots[7 0 R]/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R/Y 12 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 270 Td (Nothing is here) Tj ET /Y Do
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
<</Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 12 Tf 20 120 Td (an unused Zebra) Tj ET
<</Type/Annot/Subtype/Widget/FT/Btn/T(b)/Rect[150 30 290 50]/P 3 0 R/AP<</N 8 0 R/D 10 0 R>>>>
<</Type/XObject/Subtype/Form/BBox[0 0 140 20]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 9 Tf 2 5 Td (Press) Tj ET
<</Type/Page/MediaBox[0 0 300 300]/Contents 11 0 R/Resources<</Font<</F 5 0 R>>>>>>
<</Type/XObject/Subtype/Form/BBox[0 0 140 20]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 9 Tf 2 5 Td (Pressed Tiger) Tj ET
<<>> stream BT /F 12 Tf 20 270 Td (A Lion outside) Tj ET
<</Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 12 Tf 20 90 Td (a drawn Horse) Tj ET
END
for word in Zebra Tiger; do
    ok "a text that no page shows is something to remove ($word)" redact "$work/undrawn.pdf" --text "$word"
    is 'and goes' "$(left "$word")" 0
done
ok 'so is one on a page outside of the page tree' redact "$work/undrawn.pdf" --text Lion
is 'which goes, and is counted' "$(left Lion)$(left outside)$(figure orphanPagesRemoved)" 001
ok 'the result is sound' qpdf --check "$out"
ok 'such a page without the text' redact "$work/undrawn.pdf" --text Tiger
is 'stays' "$(left outside)$(figure orphanPagesRemoved)" 1
ok 'another number of hits than expected is an error' fails_with 'hits, and not 5' "$work/places.pdf" --text Zebra --expect 5
ok 'an area outside of its page is an error' fails_with 'hits\[1\] lies outside of page 1' "$work/image.pdf" \
    --hits '[{"page":1,"box":[0,0,9,9]},{"page":1,"box":[200,0,300,9]}]'
ok 'so is a page that there is not' fails_with 'hits\[0\] is on page 3' "$work/image.pdf" --hits '[{"page":3,"box":[0,0,9,9]}]'
ok 'without anything to remove the request is refused' fails_with missing_field "$work/image.pdf"
ok 'a signed document is refused' fails_with signatures=break "$SAMPLES/signed.pdf" --text the --ifNone ok
ok 'unless its signatures may go' redact "$SAMPLES/signed.pdf" --text the --ifNone ok --signatures break
is 'then it has none' "$(left ByteRange)" 0

# Earlier revisions.
python3 - "$work/places.pdf" "$work/revised.pdf" <<'END'
import sys
data = open(sys.argv[1], "rb").read()
at = len(data)
size = data.count(b" 0 obj") + 1
new = b"4 0 obj\n<</Length 37>>\nstream\nBT /F 12 Tf 20 250 Td (Horse) Tj ET   \nendstream\nendobj\n"
start = int(data.rsplit(b"startxref", 1)[1].split()[0])
table = b"xref\n4 1\n%010d 00000 n \ntrailer\n<</Size %d/Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (at, size, start, at + len(new))
open(sys.argv[2], "wb").write(data + new + table)
END
ok 'a document with an earlier revision is redacted' redact "$work/revised.pdf" --text Horse
is 'which is not in the result' "$(left Zebra)$(left Horse)" 00

# A field whose hint has the text shows what it did.
python3 "$here/pdf_builder.py" "$work/hint.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R 9 0 R]/DA(/F 9 Tf)/DR<</Font<</F 5 0 R>>>>>>>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Annots[6 0 R 9 0 R]/Resources<</Font<</F 5 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 270 Td (A form) Tj ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
<</Type/Annot/Subtype/Widget/FT/Tx/T(when)/TU(The day of the Zebra)/Rect[20 20 160 40]/P 3 0 R/AP<</N 7 0 R>>>>
<</Type/XObject/Subtype/Form/BBox[0 0 140 20]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 9 Tf 2 5 Td (dd.mm.yyyy) Tj ET
<</Type/XObject/Subtype/Form/BBox[0 0 140 20]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 9 Tf 2 5 Td (old words) Tj ET
<</Type/Annot/Subtype/Widget/FT/Tx/T(what)/V(A Tiger)/Rect[20 60 160 80]/P 3 0 R/AP<</N 8 0 R>>>>
END
ok 'a text in the hint of a field is removed' redact "$work/hint.pdf" --text Zebra
is 'and what the field shows stays' "$(left Zebra)$(left dd.mm.yyyy)$(left NeedAppearances)" 010
ok 'a text in its value is removed' redact "$work/hint.pdf" --text Tiger
is 'and what shows it is drawn anew' "$(left Tiger)$(left 'old words')$(left NeedAppearances)" 001

# Names that the document gives.
python3 "$here/pdf_builder.py" "$work/names.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/Dests<</Zebra[3 0 R/Fit]/Horse[3 0 R/Fit]>>/AcroForm<</Fields[6 0 R]>>>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Annots[5 0 R 6 0 R]/Resources<</Font<</F 7 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 270 Td (Zebra) Tj ET
<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest/Zebra>>
<</Type/Annot/Subtype/Widget/FT/Btn/Ff 32768/T(r)/V/Zebra/AS/Zebra/Rect[20 20 40 40]/AP<</N<</Zebra 8 0 R/Off 8 0 R>>>>>>
<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>
<</Type/XObject/Subtype/Form/BBox[0 0 20 20]>> stream 0 0 20 20 re f
END
ok 'a document with names of destinations and states is redacted' redact "$work/names.pdf" --text Zebra
is 'they have other names' "$(left Zebra)" 0
is 'the same wherever they are used' "$(plain | grep -aoE '/(\*|#2a){3}' | wc -l)" 5

# Words that are names in content, too, and forms that use the resources of their page.
python3 "$here/pdf_builder.py" "$work/format.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</Zebra1 5 0 R>>/XObject<</Image1 6 0 R>>>>>>
<<>> stream /Artifact <</Type/Pagination/Subtype/Footer>> BDC BT /Zebra1 12 Tf 20 20 Td (at the foot) Tj ET EMC /Figure <</MCID 0>> BDC BT /Zebra1 12 Tf 20 270 Td (See Figure 720 of the Image, Zebra) Tj 0 -30 Td (smell\\227by smells) Tj ET EMC /Zebra BMC EMC /Image1 Do
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 7 0 R>>
<</Type/XObject/Subtype/Form/BBox[0 0 300 300]>> stream BT /Zebra1 12 Tf 20 120 Td (drawn words) Tj ET
<<>> stream /CIDSystemInfo <</Registry (Adobe) /Ordering (UCS)>> def begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <7e> <0020> endbfrange endcmap
END
for word in Figure 720 Image Artifact Adobe smells; do
    ok "\"$word\" is removed, whatever the format has by this name" redact "$work/format.pdf" --text "$word" --ifNone ok
    is 'and the rest is shown' "$(pdftotext -raw "$out" - | grep -c -e 'at the foot' -e 'drawn words')$(pdftotext "$out" - | grep -c "$word")" 20
done
ok 'a text in names of resources and marks is removed' redact "$work/format.pdf" --text Zebra
is 'and what they name is drawn' "$(left Zebra),$(pdftotext -raw "$out" - | grep -c -e 'at the foot' -e 'drawn words')" 0,2

# What content says without showing it, also in a form; a code that means more than eight characters.
python3 "$here/pdf_builder.py" "$work/said.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[9 0 R]/DR<</XObject<</Y 8 0 R>>>>>>>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R/G 10 0 R>>/XObject<</X 6 0 R>>>>>>
<<>> stream (Zebra) 1 w /Span<</MCID 0/W[<</A<FEFF005A0065006200720061>>>]/O[1/a/b/c/d 2]/T(Zebra)>>BDC BT /F 12 Tf 20 270 Td (Other words) Tj ET EMC BT /G 12 Tf 20 200 Td <01> Tj ET /X Do (Zebra)
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
<</Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</Font<</F 5 0 R>>>>>> stream % a Zebra
<<>> stream begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <01> <0061002000730074007200690070006500640020005A0065006200720061> endbfchar endcmap
<</Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 12 Tf 20 270 Td (one more Zebra) Tj ET
<</Type/Annot/Subtype/Widget/FT/Btn/Ff 65536/T(b)/Rect[150 30 290 50]/AP<</N 8 0 R>>>>
<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode 7 0 R>>
END
ok 'what content says, long meanings of codes and what is on no page are cleaned' redact "$work/said.pdf" --text Zebra
is 'of the text nothing is left' "$(left Zebra)$(pdftotext "$out" - | grep -c striped)" 00
is 'other text stays' "$(pdftotext "$out" - | grep -c 'Other words')" 1

# Names that people give, and what pictures, profiles, functions and strings say.
python3 - "$work/named.txt" <<'END'
import sys
comment = b"by Jane Zebra"
jpeg = b"\xff\xd8\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + b"\xff\xd9"
lines = [b"<</Type/Catalog/Pages 2 0 R/StructTreeRoot 8 0 R/Metadata 11 0 R>>",
         b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
         b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/StructParents 0/Annots[10 0 R 14 0 R 15 0 R]/Resources<</Font<</F 5 0 R>>/ColorSpace<</S 6 0 R>>/XObject<</I 12 0 R>>>>>>",
         b"<<>> stream BT /F 12 Tf 20 270 Td (Jane Zebra) Tj ET /S cs 1 scn 9 9 9 9 re f /Zebra_Head <</MCID 0>> BDC BT /F 12 Tf 20 200 Td (A head) Tj ET EMC q 9 0 0 9 50 50 cm /I Do Q",
         b"<</Type/Font/Subtype/Type1/BaseFont/JaneZebraType/Encoding/WinAnsiEncoding>>",
         b"[/Separation/Jane#20Zebra#20Red/DeviceCMYK 13 0 R]",
         b"<</Client#20Jane#20Zebra(x)/ModDate(D:20240101 Jane Zebra)/Title(Letter_Jane_Zebra.docx)>>",
         b"<</Type/StructTreeRoot/K 9 0 R/RoleMap<</Jane#20Zebra_Head/H1>>/ParentTree<</Nums[0[9 0 R]]>>>>",
         b"<</Type/StructElem/S/Jane#20Zebra_Head/P 8 0 R/Pg 3 0 R/K 0/ID(jane-zebra)>>",
         b"<</Type/Annot/Subtype/Text/Contents(x)/Rect[0 0 9 9]/RC(<p>Jane <b>Zeb</b>ra</p>)>>",
         b"<<>> stream <a><b>Jane Zeb</b>ra</a>",
         b"<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode>> stream " + jpeg,
         b"<</FunctionType 4/Domain[0 1]/Range[0 1 0 1 0 1 0 1]>> stream { pop 0 0 0 1 % Jane Zebra",
         b"<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/SubmitForm/F<</FS/URL/F(http://example.com/%4aane+zebra)>>>>>>",
         b"<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://example.com/jane-zebra)>>>>"]
open(sys.argv[1], "wb").write(b"\n".join(lines) + b"\n")
END
python3 - "$work/named.txt" "$work/named.pdf" "$here" <<'END'
import sys
sys.path.insert(0, sys.argv[3])
import pdf_builder
objects = []
for line in open(sys.argv[1], "rb").read().rstrip(b"\n").split(b"\n"):
    keys, mark, data = line.partition(b">> stream ")
    objects.append(pdf_builder.stream(data + (b"\n}" if b"FunctionType" in keys else b""), keys[2:]) if mark else line)
out, offsets = b"%PDF-1.7\n", []
for number, text in enumerate(objects, 1):
    offsets.append(len(out))
    out += pdf_builder.an_object(number, text)
start = len(out)
out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1) + b"".join(b"%010d 00000 n \n" % at for at in offsets)
out += b"trailer\n<</Size %d/Root 1 0 R/Info 7 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, start)
open(sys.argv[2], "wb").write(out)
END
ok 'a name is removed from names, pictures, functions and strings, however its words are joined' redact "$work/named.pdf" --text 'Jane Zebra'
for form in 'Jane Zebra' Jane_Zebra jane-zebra 'jane+zebra' 4aane JaneZebra 'Jane#20Zebra' 'Jane Zeb' '<b>Zeb'; do
    is "\"$form\" is gone" "$(left "$form")" 0
done
is 'the ink, the role and the picture are still used' "$(plain | grep -ac -e '/Separation' -e '/H1' -e '/DCTDecode')" 3
is 'and the result is sound' "$(qpdf --check "$out" 2>&1 | grep -v JPEG | grep -c -i error)" 0

# Keys that a document or a program made up, and names below them; what a specification defines, and what content uses, still works.
python3 "$here/pdf_builder.py" "$work/keys.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/XX_Zebra 1/XX_Data 11 0 R/XX_Name 13 0 R/Collection<</Schema<</Zebra<</Subtype/S/N(x)>>>>/Sort<</S[/Zebra/X]>>>>/AcroForm<</Fields[7 0 R]/DR<</Font<</Zebra 5 0 R/ZEBRA 8 0 R>>>>>>>>
<</Type/Pages/Count 2/Kids[3 0 R 14 0 R]/Zebra_1(x)>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Annots[7 0 R]/Resources 6 0 R/M#fcller 1>>
<<>> stream BT /F 12 Tf 20 270 Td (a Zebra, and the Parent) Tj /Zebra 12 Tf 0 -20 Td (Font) Tj /T 12 Tf 0 -20 Td (A) Tj ET /Span/P BDC EMC
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
<</ZebraData<</By[/Zebra]>>/Zebra 1/Font<</F 5 0 R/Zebra 8 0 R/Zebra_2 8 0 R/T 9 0 R>>/Properties<</P<</Zebra 1/zebra 2/ZEBRA 3>>>>/ColorSpace 12 0 R>>
<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[150 30 290 50]/DA(/Zebra 12 Tf 0 g)>>
<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>
<</Type/Font/Subtype/Type3/FontBBox[0 0 700 700]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 65/LastChar 65/Widths[600]/Encoding<</Differences[65/Zebra]>>/CharProcs<</Zebra 10 0 R>>/Resources<<>>>>
<<>> stream 600 0 d0 0 0 600 700 re f
<</Type/ZebraData/Of[<</By/Zebra/Parent/Zebra>>/Zebra]/Parent 1 0 R/Parents/X>>
<</Zebra[/DeviceN[/Zebra/Parent]/DeviceCMYK 15 0 R<</MixingHints<</Solidities<</Zebra 1>>/PrintingOrder[/Zebra/Parent]>>>>]>>
/Zebra
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources 6 0 R>>
<</FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1 0 1]>> stream { 0 0 }
END
ok 'keys and names of their own are cleaned' redact "$work/keys.pdf" --text "$(printf 'Zebra\nMüller\nParent')"
is 'of the texts nothing is left' "$(left Zebra) $(plain | grep -ac -e 'M#fcller' -e "$(printf 'M\374ller')") $(plain | grep -ac '/Parents')" '0 0 0'
is 'no entry is lost where two names become the same' "$(plain | grep -aoE '/\*\*\*[_0-9]* [123]$' | sed 's/.* //' | sort -u | tr -d '\n')" 123
is 'keys that PDF defines stay' "$(qpdf --json "$out" --json-key=qpdf | grep -c '"/Parent":')" "$(qpdf --json "$work/keys.pdf" --json-key=qpdf | grep -c '"/Parent":')"
is 'the font of the field is still found' "$(qpdf --json "$out" --json-key=qpdf | python3 -c 'import json,re,sys
text = sys.stdin.read()
name = re.search(r"\"/DA\": \"u:/(\S+) 12 Tf 0 g", text).group(1)
print(re.search(r"\"/DR\": {\s*\"/Font\": {[^}]*\"/" + re.escape(name) + r"\": \"\d+ 0 R\"", text) is not None)')" True
glyph() { pdftocairo -q -r 100 -gray -png -singlefile -x 20 -y 70 -W 60 -H 40 "$1" - | cksum; }
is 'the glyph is drawn as before' "$(glyph "$out")" "$(glyph "$work/keys.pdf")"
ok 'with pages, names that other pages use stay' redact "$work/keys.pdf" --text Zebra --pages 1
second() { pdftocairo -q -r 50 -gray -png -singlefile -f 2 "$1" - | cksum; }
is 'so that they show what they did' "$(second "$out")" "$(second "$work/keys.pdf")"
ok 'and the result is sound' qpdf --check "$out"

# Destinations and fields whose names become the same stay different ones.
python3 "$here/pdf_builder.py" "$work/apart.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R/Names<</Dests<</Names[(Cat)[3 0 R/Fit](ZEBRA)[4 0 R/Fit](Zebra)[5 0 R/Fit]]>>>>/AcroForm<</Fields[10 0 R 11 0 R]>>>>
<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Annots[10 0 R 11 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>
<</Type/Outlines/First 7 0 R/Last 9 0 R/Count 3>>
<</Title(one)/Parent 6 0 R/Next 8 0 R/Dest(Cat)>>
<</Title(two)/Parent 6 0 R/Prev 7 0 R/Next 9 0 R/A<</S/GoTo/D(ZEBRA)>>>>
<</Title(three)/Parent 6 0 R/Prev 8 0 R/Dest(Zebra)>>
<</Type/Annot/Subtype/Widget/FT/Tx/T(Zebra)/V(x)/Rect[150 30 290 50]/P 3 0 R>>
<</Type/Annot/Subtype/Widget/FT/Tx/T(zebra)/V(y)/Rect[150 60 290 80]/P 3 0 R>>
END
ok 'destinations and fields are renamed' redact "$work/apart.pdf" --text Zebra
is 'each item of the outline still leads to its page' "$(mutool show "$out" outline | grep -o 'page=[0-9]' | tr -d '\n')" page=1page=2page=3
keys() { /usr/bin/python3 -c 'import sys, pikepdf
tree = pikepdf.open(sys.argv[1]).Root.Names.Dests
nodes = list(tree.Kids) if "/Kids" in tree else [tree]
print([([str(key) for key in list(node.Names)[::2]], [str(limit) for limit in node.get("/Limits", [])]) for node in nodes])' "$1"; }
is 'readers that look for a name by halves find it' "$(keys "$out")" "[(['***', '***_2', 'Cat'], [])]"
is 'the fields have different names' "$(qpdf --json "$out" --json-key=acroform | grep '"fullname"' | sort -u | wc -l)" 2
is 'and nothing is left of the text' "$(left Zebra)" 0
sed 's/<<\/Names\[(Cat)\[3 0 R\/Fit\](ZEBRA)/<<\/Kids[<<\/Limits[(Cat)(Cat)]\/Names[(Cat)[3 0 R\/Fit]]>><<\/Limits[(ZEBRA)(Zebra)]\/Names[(ZEBRA)/; s/\[5 0 R\/Fit\]\]>>>>/[5 0 R\/Fit]]>>]>>>>/' \
    "$work/apart.pdf" >"$work/nodes.pdf"
redact "$work/nodes.pdf" --text Zebra
is 'also where the tree had nodes' "$(keys "$out")$(mutool show "$out" outline | grep -o 'page=[0-9]' | tr -d '\n')" \
    "[(['***', '***_2', 'Cat'], [])]page=1page=2page=3"
done_testing
