#!/bin/sh
# ocr: text layers judged with pdftotext, qpdf, pdfimages and pdftoppm.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.pdf
said=$work/said
/usr/bin/python3 "$here/ocr_scans.py" "$work"

ocr() { "$runner" run ocr "$@" -o "$out" >"$said" 2>&1; }
text() { pdftotext "$@" - | tr -s '\n\f ' ' '; }
says() { grep -q "$1" "$said"; }
streams() { # FILE: the bytes of its pictures
    pdfimages -list "$1" | awk 'NR > 2 { print $11 }' | while read -r id; do
        qpdf --raw-stream-data --show-object="$id" "$1" | sha256sum
    done
}
look_level() { /usr/bin/python3 "$here/ocr_level.py" "$1"; }
no() { ! "$@"; }
look() { pdftoppm -r 60 "$1" | sha256sum; }
first='The quick harbour master wrote down the name of each vessel'

ok 'ocr works' ocr "$work/scan.pdf" --language eng
is 'the text of the first page' "$(text -l 1 "$out" | cut -c1-59)" "$first"
is 'and of the second' "$(text -f 2 "$out" | cut -c1-48)" 'was lost to water in the flood of the year 1953.'
is 'the pictures keep their bytes' "$(streams "$out")" "$(streams "$work/scan.pdf")"
is 'the pages look the same' "$(look "$out")" "$(look "$work/scan.pdf")"
ok 'the result is sound' qpdf --check "$out"
ok 'the report counts pages and words' sh -c "grep -q 'pagesRecognised 2' '$said' && grep -q 'words 9[0-9]' '$said'"
ok 'the font is embedded, with a map to Unicode' sh -c "pdffonts '$out' | grep -q 'PlatenGlyphless.*CID TrueType.*yes no  yes'"
pdftotext -bbox -l 1 "$out" "$work/bbox"
is 'words are within two points of their places' "$(/usr/bin/python3 "$here/ocr_boxes.py" "$work/words.txt" "$work/bbox")" 'all'
cp "$out" "$work/read.pdf"
ok 'a page with text is left alone' ocr "$work/read.pdf"
ok 'which is said' says nothing_recognised
ok 'and the file comes back as it was' cmp "$out" "$work/read.pdf"

for how in page form; do
    old=$work/layer-in-$how.pdf
    ok "a layer in the $how is left alone" ocr "$old" --language eng
    ok 'byte by byte' cmp "$out" "$old"
    ok 'mode=redo replaces it' ocr "$old" --language eng --mode redo
    is 'with the words of the picture' "$(text "$out" | cut -c1-59)" "$first"
    is 'and no other' "$(text "$out" | grep -c 'Tbe\|haib\|mastor\|wroto')" 0
    is 'nothing of it is in the file' "$(qpdf --qdf --object-streams=disable "$out" - | grep -c 'Tbe\|mastor')" 0
    is 'the picture keeps its bytes' "$(streams "$out")" "$(streams "$old")"
    is 'the page looks the same' "$(look "$out")" "$(look "$old")"
done
ok 'a layer is replaced under a stamp that is seen' ocr "$work/layer-and-stamp.pdf" --language eng --mode redo
is 'which stays, once' "$(text "$out" | grep -o 'Stamped 42' | grep -c .)" 1
is 'and looks the same' "$(look "$out")" "$(look "$work/layer-and-stamp.pdf")"
is 'the words are those of the picture' "$(text "$out" | grep -c "$first")$(text "$out" | grep -c 'Tbe\|mastor')" 10
ok 'unseen text that seen text depends on' ocr "$work/layer-mixed.pdf" --language eng --mode redo
ok 'is kept, with a warning' says 'earlier_text_kept.*pages 1$'
is 'and not written twice' "$(text "$out" | grep -c "$first")" 0
cp "$work/read.pdf" "$work/again.pdf"
for _ in 1 2; do
    ocr "$work/again.pdf" --language eng --mode redo && cp "$out" "$work/again.pdf"
done
is 'replacing our own layer twice adds nothing' "$(text "$out")" "$(text "$work/read.pdf")"
ok 'nor does the file grow' test "$(stat -c %s "$out")" -le $(($(stat -c %s "$work/read.pdf") + 100))

ok 'two scans get layers' ocr "$work/scan.pdf" --language eng
ok 'layers that do not fit are made of them' /usr/bin/python3 "$here/poor_layers.py" "$out" "$work"
poor() { # FILE WHAT: what is said of a document whose text is left alone
    ok "$1 is left alone" ocr "$work/$1.pdf" --language eng
    ok 'byte by byte' cmp "$out" "$work/$1.pdf"
    ok 'and what is wrong is said, with what to do' says "text_layer_poor: .*mode=redo.*($2: pages 1,2)\$"
    ok 'which works' ocr "$work/$1.pdf" --language eng --mode redo
    is 'the text is then that of the picture' "$(text -l 1 "$out" | cut -c1-59)" "$first"
    ok 'and no more is said' no says text_layer_poor
}
poor odd 'words that no language has'
poor short 'text that has no words'
poor misplaced 'words in other places than their ink'
ok 'a layer that is near' ocr "$work/near.pdf" --language eng
ok 'is good enough' no says text_layer_poor
o=$work/odd.pdf n=$work/near.pdf
qpdf --empty --pages "$o" 1 "$n" 1,2,1,2 "$n" 1,2,1,2 "$n" 1,2,1,2 "$o" 2 "$n" 1 -- "$work/many.pdf"
ok 'of many pages some are checked' ocr "$work/many.pdf"
ok 'and all if one of these does not fit' says 'text_layer_poor: .*pages 1,14)$'
for scan in german skewed faded paper on-its-side; do
    ocr "$work/$scan.pdf" && cp "$out" "$work/read-again.pdf"
    ok "a layer of $scan" ocr "$work/read-again.pdf"
    ok 'fits' sh -c "grep -q nothing_recognised '$said' && ! grep -q text_layer_poor '$said'"
done

for scan in left-out left-out-turned left-out-skewed; do
    ok "a line that is left out ($scan)" ocr "$work/$scan.pdf" --language eng --rotate true --deskew true
    ok 'is counted' says 'inkWithoutText [12]$'
done
ok 'what was not recognised' ocr "$work/left-out.pdf" --language eng
ok 'is named by its place' says 'ink_without_text: .*page 1: 2[0-9]-2[89][0-9] across, [78][0-9]-\(8\|9\|10\)[0-9] up$'
for scan in scan skewed faded paper scenery; do
    ok "of $scan" ocr "$work/$scan.pdf" --language eng
    ok 'nothing is left out' no says ink_without_text
done

ok 'a page with text and a picture is left alone' ocr "$work/picture-and-text.pdf" --language eng --mode redo
ok 'as it has text' says nothing_recognised
ok 'mode=force reads the picture' ocr "$work/picture-and-text.pdf" --language eng --mode force
is 'its words are there' "$(text "$out" | grep -c "$first")" 1
is 'the text is there once' "$(text "$out" | grep -o 'Typed heading' | grep -c .)" 1
is 'the page looks the same again' "$(look "$out")" "$(look "$work/picture-and-text.pdf")"

ok 'a picture becomes a PDF' ocr "$work/photo.jpg" --language eng
is 'with its text' "$(text "$out" | cut -c1-59)" "$first"
is 'and its own bytes' "$(pdfimages -all "$out" "$work/picture" && sha256sum <"$work/picture-000.jpg")" "$(sha256sum <"$work/photo.jpg")"
is 'without a resolution it is as long as A4' "$(pdfinfo "$out" | grep -c 'Page size: *84[12]')" 1
ok 'so does a PNG' ocr "$work/scan.png" --language eng
is 'with its text, too' "$(text "$out" | cut -c1-59)" "$first"
is 'and its size' "$(pdfinfo "$out" | grep -c 'Page size: *39[67]')" 1
ok 'and a TIFF' ocr "$work/pages.tif" --language eng
is 'of which each picture is a page' "$(text -f 2 "$out" | cut -c1-48)" 'was lost to water in the flood of the year 1953.'
ok 'the PDF is sound' qpdf --check "$out"
rules() { /usr/bin/python3 "$here/pdfa_rules.py" "$@"; }
for scan in scan.pdf photo.jpg pages.tif turned.pdf layer-in-page.pdf; do
    ok "PDF/A of $scan" ocr "$work/$scan" --language eng --outputFormat pdfa --mode redo
    is 'keeps the rules of PDF/A-2b' "$(rules "$out")" conforms
    is 'with its text' "$(text "$out" | cut -c1-59)" "$first"
done
ok 'it is sound' qpdf --check "$out"
is 'exiftool reads the claim' "$(exiftool -s3 -PDFVersion -XMP-pdfaid:all "$out" | tr '\n' ' ')" '1.7 2 B '
ok 'PDF/A of an encrypted scan' ocr "$work/locked.pdf" --language eng --outputFormat pdfa --inputPassword open
ok 'is not encrypted, which is said' says encryption_removed
is 'and keeps the rules' "$(rules "$out")" conforms
ok 'PDF/A of layers of a scan' ocr "$work/paper.pdf" --language eng --outputFormat pdfa --compress true --clean true
is 'keeps the rules, too' "$(rules "$out")" conforms
ok 'PDF/A of several files' ocr "$work/photo.jpg" "$work/scan.pdf" --language eng --outputFormat pdfa
is 'keeps them as well' "$(rules "$out")" conforms
ok 'PDF/A of pages with fonts is refused' no ocr "$SAMPLES/plain.pdf" --outputFormat pdfa
ok 'with the page and the reason' says 'unsupported_content: page 1 has text in fonts'
ok 'as is that of a form' no ocr "$work/annotated.pdf" --language eng --outputFormat pdfa
ok 'whose annotations would be lost' says 'page 1 has annotations'
ok 'of a document with an outline' ocr "$work/outlined.pdf" --language eng --outputFormat pdfa
ok 'it is left out, which is said' says 'not_in_archive.*outline'
is 'and the result keeps the rules' "$(rules "$out")" conforms
is 'the rules are not those of CMYK without a profile' "$(rules "$work/cmyk.pdf" | grep -c '6.2.4.3 CMYK')" 1
is 'nor of LZW' "$(rules "$work/lzw.pdf" | grep -c '6.1.7.2 /LZWDecode.*6.2.8 Interpolate')" 1
is 'nor of transfer functions' "$(rules "$work/transfer.pdf" | grep -c '6.2.5 graphics state')" 1
is 'nor of actions of pages' "$(rules "$work/javascript.pdf" | grep -c '6.5.2 page')" 1
is 'nor of fonts that are not embedded' "$(rules "$SAMPLES/features.pdf" | grep -c '6.2.11.4 font')" 1
is 'nor of annotations without appearance' "$(rules "$work/annotated.pdf" | grep -c '6.3.3 appearance')" 1
ok 'CMYK is refused' no ocr "$work/cmyk.pdf" --language eng --outputFormat pdfa
ok 'by its name' says 'page 1 has colours in CMYK'
ok 'LZW' ocr "$work/lzw.pdf" --language eng --outputFormat pdfa
is 'is written otherwise' "$(rules "$out")" conforms
ok 'a transfer function is refused' no ocr "$work/transfer.pdf" --language eng --outputFormat pdfa
ok 'actions' ocr "$work/javascript.pdf" --language eng --outputFormat pdfa
ok 'are left out' says 'not_in_archive.*actions'
is 'from the result' "$(rules "$out")" conforms
ok 'several files become one document' ocr "$work/pages.tif" "$SAMPLES/plain.pdf" "$work/photo.jpg" "$work/locked.pdf" --language eng --inputPassword open
is 'with all their pages' "$(pdfinfo "$out" | grep Pages | tr -dc 0-9)" $((5 + $(pdfinfo "$SAMPLES/plain.pdf" | grep Pages | tr -dc 0-9)))
is 'in the order of the files' "$(for page in 1 2 4; do text -f $page -l $page "$out" | cut -c1-20; done | tr '\n' '|')" \
    "$(echo "$first" | cut -c1-20)|was lost to water in|$(text -f 2 -l 2 "$SAMPLES/plain.pdf" | cut -c1-20)|"
is 'their pictures keep their bytes' "$(pdfimages -all -f 1 -l 99 "$out" "$work/joined" && cat "$work"/joined-*.jpg | sha256sum)" "$(pdfimages -all "$work/scan.pdf" "$work/own" && cat "$work/photo.jpg" "$work"/own-*.jpg | sha256sum)"
ok 'what was encrypted is said' says encryption_removed
ok 'and the whole is sound' qpdf --check "$out"
ok 'a signed file among several is refused by its number' no ocr "$SAMPLES/plain.pdf" "$SAMPLES/signed.pdf"
ok 'as the result is not signed' says 'file 2 is signed'
ok 'unless that is wanted' ocr "$SAMPLES/plain.pdf" "$SAMPLES/signed.pdf" --signatures break
ok 'a file that cannot be read is named' no ocr "$work/photo.jpg" "$SAMPLES/no-pages.pdf"
ok 'by its place' says 'file 2'

ocr "$work/german.pdf"
ok 'the report names it' says 'languageDeu 1$'
is 'the language is found' "$(text "$out" | grep -c 'für das Amt die Größe und')" 1
ok 'also if the page is upside down' ocr "$work/upside-down.pdf"
is 'a page upside down is read' "$(text "$out" | grep -c "$first")" 1
ocr "$work/few-upside-down.pdf"
is 'also one with few words' "$(text "$out" | grep -c 'kept with the accounts')" 1
ocr "$work/on-its-side.pdf" --language eng
is 'a page on its side is read' "$(text -raw "$out" | grep -c "$first")" 1
ocr "$work/skewed.pdf" --language eng
is 'a skewed page is read' "$(mutool draw -F txt "$out" 2>/dev/null | tr -s '\n ' ' ' | grep -c "$first")" 1
is 'but stays askew' "$(look_level "$out")" 'askew wide'
is 'its picture keeps its bytes' "$(streams "$out")" "$(streams "$work/skewed.pdf")"
for page in skewed skewed-annotated skewed-on-its-side; do
    ocr "$work/$page.pdf" --language eng --deskew true --rotate true
    is "the picture of $page.pdf keeps its bytes" "$(streams "$out")" "$(streams "$work/$page.pdf")"
    case $page in
    *annotated)
        is 'a page with annotations stays askew' "$(look_level "$out")" 'askew wide'
        ok 'which is said' says 'page_not_straightened.*pages 1$'
        ;;
    *)
        is 'with deskew it is shown level' "$(look_level "$out")" 'level wide'
        ok 'which is said' says 'straightened 1$'
        pdftotext -bbox -l 1 "$out" "$work/bbox"
        is 'and the words of a line are level' "$(sed -n 's/.*yMin="\([0-9]*\).*>\(The\|quick\|vessel\|of\)<.*/\1/p' "$work/bbox" | sort -u | wc -l)" 4
        is 'over their ink' "$(/usr/bin/python3 "$here/ocr_ink.py" "$out")" 'all'
        ;;
    esac
    ok 'the result is sound' qpdf --check "$out"
done
ok 'the page was turned' says 'turned 1$'
for page in upside-down on-its-side; do
    ocr "$work/$page.pdf" --language eng --rotate true
    is "$page.pdf is turned" "$(look_level "$out")" 'level wide'
    is 'upright' "$(/usr/bin/python3 "$here/ocr_ink.py" "$out")" 'all'
    is 'with its words' "$(text "$out" | cut -c1-59)" "$first"
done
ok 'a page in layers' ocr "$work/paper.pdf" --language eng --compress true
ok 'which is said' says 'newPictures 1$'
ok 'has a tenth of the bytes' test "$(($(stat -c %s "$out") * 10))" -le "$(stat -c %s "$work/paper.pdf")"
is 'looks the same' "$(/usr/bin/python3 "$here/ocr_look.py" "$work/paper.pdf" "$out")" 'same'
is 'has its letters as a mask' "$(pdfimages -list "$out" | grep -c 'jbig2')" 1
is 'and its text' "$(text "$out" | cut -c1-59)" "$first"
ok 'the result is sound' qpdf --check "$out"
ok 'with clean' ocr "$work/paper.pdf" --language eng --clean true --deskew true
is 'the paper is white, but not the photograph' "$(/usr/bin/python3 "$here/ocr_look.py" "$work/paper.pdf" "$out")" 'white'
ok 'text alone is not turned' no ocr "$work/skewed.pdf" --deskew true --outputFormat text
ocr "$work/faded.pdf" --language eng
is 'pale letters on grainy paper are read' "$(text "$out" | grep -c "$first")" 1
ocr "$work/turned.pdf" --language eng --pages 1
is 'a page with a /Rotate of 90 degrees is read' "$(text -raw -l 1 "$out" | grep -c "$first")" 1
is 'and the other one was not wanted' "$(text -f 2 "$out" | tr -d ' ')" ''
ok 'an encrypted document is read' ocr "$work/locked.pdf" --language eng --inputPassword open
is 'and keeps its password' "$(pdfinfo -upw open "$out" | grep -c 'Encrypted: *yes')" 1

out=$work/plain.txt
ok 'the text alone' ocr "$work/scan.pdf" --language eng --outputFormat text
is 'the text alone has its lines' "$(head -1 "$work/plain.txt")" 'The quick harbour master wrote down the name of'
is 'and a form feed between pages' "$(tr -cd '\f' <"$work/plain.txt" | wc -c)" 1
for format in hocr alto; do
    out=$work/places.$(echo "$format" | sed s/alto/xml/)
    ok "the text as $format" ocr "$work/scan.pdf" --language eng --outputFormat "$format"
    is 'has its words in their places' "$(/usr/bin/python3 "$here/ocr_places.py" "$format" "$out" "$work/words.txt")" 'all'
done
ok 'a row says what became of each page' sh -c "grep -q 'page 1: recognised, eng, confidence 9.*, words 48' '$said' && grep -q 'page 2: recognised' '$said'"
out=$work/plain.txt
ok 'pages with text' ocr "$work/read.pdf" --outputFormat text
ok 'are not in what was recognised, which is said' says 'pages_not_included.*2 pages'
ok 'also of each' says 'page 2: withText$'
out=$work/out.pdf

ok 'a blank page has no words' ocr "$work/blank.pdf"
is 'none at all' "$(text "$out" | tr -d ' ')" ''
ok 'a page of one pixel' ocr "$work/dot.pdf"
ok 'a page that takes too long' ocr "$work/noise.pdf" --pageTimeout 1
ok 'is named' says 'page_too_slow.*pages 1$'
is 'and keeps its picture' "$(streams "$out")" "$(streams "$work/noise.pdf")"

head -c 3000 "$work/scan.png" >"$work/cut.png"
ok 'a picture that is cut off is refused' no ocr "$work/cut.png"
ok 'as damaged' says corrupt_file
if [ -e "$work/vertical.pdf" ] && tesseract --list-langs 2>&1 | grep -qx jpn && tesseract --list-langs 2>&1 | grep -qx jpn_vert; then
    ok 'vertical lines' ocr "$work/vertical.pdf"
    ok 'are found to be so' says 'recognised, jpn_vert'
fi
ok 'a language that is not installed is refused' no ocr "$work/scan.pdf" --language eng+tlh
ok 'with the name of its package' says 'tlh is not installed here: apt-get install tesseract-ocr-tlh'
ok 'words that are no languages are refused' no ocr "$work/scan.pdf" --language 'deu, eng'

qpdf "$SAMPLES/features.pdf" --pages "$SAMPLES/features.pdf" 1-z "$work/scan.pdf" 1 -- "$work/mixed.pdf"
last=$(qpdf --show-npages "$work/mixed.pdf")
parts() { qpdf --json --json-key=outlines --json-key=acroform --json-key=attachments "$1" | grep -v '"object"\|R"'; }
ok 'a document with one scanned page' ocr "$work/mixed.pdf" --language eng
is 'that page is read' "$(text -f "$last" "$out" | cut -c1-59)" "$first"
is 'the other pages have no more text than before' "$(text -l $((last - 1)) "$out")" "$(text -l $((last - 1)) "$work/mixed.pdf")"
is 'outline, form and attachments are there' "$(parts "$out")" "$(parts "$work/mixed.pdf")"
is 'the pages look the same as before' "$(look "$out")" "$(look "$work/mixed.pdf")"
is 'tags are kept' "$(pdfinfo -struct "$out" | sha256sum)" "$(pdfinfo -struct "$work/mixed.pdf" | sha256sum)"

case $runner in
*/platen)
    "$runner" run sign "$work/scan.pdf" --signerName Ann -o "$work/signed.pdf" >"$said" 2>&1
    ok 'a signed document is refused' no ocr "$work/signed.pdf" --language eng
    ok 'with what to do' says 'unsupported_content.*signatures=break'
    ok 'unless its signatures may be broken' ocr "$work/signed.pdf" --language eng --signatures break
    ok 'which is said, too' says signature_invalidated
    is 'it is read' "$(text -l 1 "$out" | cut -c1-59)" "$first"
    ;;
esac
done_testing
