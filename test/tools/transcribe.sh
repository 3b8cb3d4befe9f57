#!/bin/sh
# transcribe: scans as pages of text, judged by poppler and qpdf; and the tools that read them.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.pdf
said=$work/said
/usr/bin/python3 "$(dirname "$0")/transcribe_scans.py" "$work"

# Clients call it by the tools that read pages, which the program of this tool alone does not have.
transcribe() { "$runner" run transcribe "$@" -o "$out" --force >"$said" 2>&1; }
text() { pdftotext "$@" - | tr -s '\n\f ' ' '; }
says() { grep -q "$1" "$said"; }
no() { ! "$@"; }
first='Report of the harbour The harbour master kept a list of each vessel'
fonts() { pdffonts "$1" | awk 'NR > 2 { sub(/PlatenScan.*-Bold/, "bold"); print $1 }' | LC_ALL=C sort | tr '\n' ' '; }

ok 'a scan is transcribed' transcribe "$work/plain.pdf" --language eng
is 'its text is there' "$(text "$out" | cut -c1-67)" "$first"
ok 'the page is named, with its confidence' says 'text_recognised: .*: 1 ([0-9]* %)$'
ok 'the result is sound' qpdf --check "$out"
is 'the heading is bold, and the text has serifs' "$(fonts "$out")" 'PlatenScanSerif bold '
is 'dots before lines are dots' "$(pdftotext "$out" - | grep -c '•')" 3
is 'its picture is not on the page' "$(pdfimages -list "$out" | wc -l)" 2
ok 'a skewed scan is level' transcribe "$work/skewed.pdf" --language eng
is 'with its text' "$(text "$out" | cut -c1-67)" "$first"
ok 'a scan upside down is turned' transcribe "$work/turned.pdf" --language eng
is 'and read' "$(text "$out" | cut -c1-67)" "$first"
ok 'a photo on a scan' transcribe "$work/photo.pdf" --language eng
is 'stays a picture' "$(pdftocairo -png -r 20 -singlefile "$out" "$work/look" && pdfimages -list "$out" | wc -l)" 3
ok 'whose parts are all in the result' no says scan_parts_left
ok 'a thin drawing on a scan' transcribe "$work/drawing.pdf" --language eng
ok 'is missed aloud' says 'scan_parts_left.*pages 1$'
ok 'a page without words' transcribe "$work/empty.pdf" --language eng
ok 'stays as it is' sh -c "[ \$(pdfimages -list '$out' | wc -l) = 3 ] && ! grep -q text_recognised '$said'"
ok 'a page with text' transcribe "$SAMPLES/plain.pdf"
is 'keeps it' "$(text "$out")" "$(text "$SAMPLES/plain.pdf")"
ok 'unless that is not wanted' transcribe "$SAMPLES/plain.pdf" --ocr force --language eng

layers=$work/layers
mkdir "$layers"
/usr/bin/python3 "$(dirname "$0")/ocr_scans.py" "$layers"
ok 'a scan gets a layer' "$runner" run ocr "$layers/scan.pdf" --language eng -o "$layers/read.pdf"
ok 'layers that do not fit are made of it' /usr/bin/python3 "$(dirname "$0")/poor_layers.py" "$layers/read.pdf" "$layers"
harbour='The quick harbour master wrote down the name of each vessel'
for poor in odd short misplaced; do
    ok "a layer that is $poor" transcribe "$layers/$poor.pdf" --language eng
    is 'is replaced' "$(text -l 1 "$out" | cut -c1-59)" "$harbour"
    ok 'which is said' says 'text_layer_replaced: .*pages 1,2)$'
done
for fits in read near; do
    ok "a layer that fits ($fits)" transcribe "$layers/$fits.pdf" --language eng
    ok 'stays' no says 'text_recognised\|text_layer'
done
ok 'a layer that does not fit on a page where nothing can be read' transcribe "$layers/nonsense.pdf" --language eng
ok 'stays, too' sh -c "pdftotext '$out' - | grep -q haRb0ur"
ok 'with a warning' says 'text_layer_poor: .*pages 1,2)$'
ok 'ocr=force reads a layer that fits, too' transcribe "$layers/read.pdf" --language eng --ocr force
is 'with the same words' "$(text "$out" | cut -c1-59)" "$harbour"
ok 'from the picture' says 'text_recognised: .*: 1 ([0-9]* %), 2 ([0-9]* %)$'

ok 'a language that is not installed is refused' no transcribe "$work/plain.pdf" --language tlh

case $runner in
*/platen)
    convert() { tool=$1 kind=$2; shift 2; "$runner" run "$tool" "$@" -o "$work/r.$kind" --force >"$said" 2>&1; }
    table='| Year | Vessels | Goods | | --- | --- | --- | | 1949 | 214 | 18,240 |'
    ok 'to-markdown reads a scan' convert to-markdown md "$work/skewed.pdf" --language eng
    ok 'with its heading' grep -qx '# Report of the harbour' "$work/r.md"
    is 'with its table' "$(tr '\n' ' ' <"$work/r.md" | grep -oF "$table")" "$table"
    is 'with its list' "$(grep -c '^- the ' "$work/r.md")" 3
    ok 'and says so' says text_recognised
    ok 'to-excel reads the table' convert to-excel xlsx "$work/plain.pdf" --language eng
    is 'with numbers as values' "$(unzip -p "$work/r.xlsx" xl/worksheets/sheet1.xml | grep -o '<v>18240</v>')" '<v>18240</v>'
    ok 'extract reads a scan' convert extract json "$work/plain.pdf" --language eng --what words
    is 'of whose words it says the language and how sure they are' "$(/usr/bin/python3 -c 'import json, sys
words = json.load(open(sys.argv[1]))["pages"][0]["words"]
print({w.get("language") for w in words}, all(0 < w["confidence"] < 1 for w in words), len({w["confidence"] for w in words}) > 1)' "$work/r.json")" \
        "{'en'} True True"
    ok 'to-word reads a scan' convert to-word docx "$work/plain.pdf" --language eng
    is 'without its picture' "$(unzip -l "$work/r.docx" | grep -c media/)" 0
    comments() { /usr/bin/python3 "$(dirname "$0")/uncertain.py" "$work/r.docx" "$work"; }
    for scan in struck struck-turned; do
        ok "a word of $scan that may be wrong" convert to-word docx "$work/$scan.pdf" --language eng --uncertain comment
        is 'has a comment, with how sure it is' "$(comments | grep -c '^q[^ ]* | q[^ ]* ([0-6][0-9]* %) | comment[0-9]*.png$')" 1
        is 'and its picture, upright and level' "$(/usr/bin/python3 "$(dirname "$0")/uncertain.py" like "$work/struck.png" "$work/$(comments | sed -n 's/^q.*| //p')")" alike
        is 'LibreOffice shows it' "$(soffice "-env:UserInstallation=file://$work/profile" --headless --convert-to odt --outdir "$work" "$work/r.docx" >"$work/junk" 2>&1 &&
            unzip -p "$work/r.odt" content.xml | grep -o '<office:annotation ' | grep -c .)" "$(comments | grep -c .)"
    done
    ok 'the same without comments' convert to-word docx "$work/struck.pdf" --language eng
    is 'has none' "$(comments)" ''
    is 'and counts the word' "$(grep -c 'wordsUncertain 1$' "$said")" 1
    ok 'words that are sure' convert to-word docx "$work/plain.pdf" --language eng --uncertain comment
    is 'have no comments' "$(comments)" ''
    ok 'extract reads a scan' convert extract json "$work/plain.pdf" --language eng
    ok 'with its words' grep -q harbour "$work/r.json"
    ok 'a poor layer is read again for to-text' convert to-text txt "$layers/odd.pdf" --language eng
    is 'with the words of the picture' "$(tr -s '\n ' ' ' <"$work/r.txt" | grep -o "$harbour" | wc -l)$(grep -c haRb0ur "$work/r.txt")" 10
    ok 'which is said once' sh -c "grep -q text_layer_replaced '$said' && ! grep -q text_layer_poor '$said'"
    ok 'redact-find reads it again, too' "$runner" run redact-find "$layers/odd.pdf" --language eng --text harbour -o "$work/hits.json" --force
    is 'and finds what is seen' "$(grep -o '"text": *"harbour"' "$work/hits.json" | grep -c .)" 2
    ok 'with ocr=off it finds what the layer has' convert redact-find json "$layers/odd.pdf" --ocr off --text harbour
    ok 'and says that this may not be all' says 'text_layer_poor: .*may not be found.*pages 1,2)$'
    ok 'of a good layer it says nothing' convert redact-find json "$layers/read.pdf" --text harbour
    ok 'but what was found' sh -c "! grep -q text_layer '$said'"
    ok 'with ocr=off it is not' convert to-text txt "$layers/odd.pdf" --ocr off
    ok 'but said' says 'text_layer_poor: .*(words that no language has: pages 1,2)$'
    ok 'ocr=force reads a good layer again' convert to-text txt "$layers/read.pdf" --language eng --ocr force
    ok 'as is said' says text_recognised
    ok 'ocr=off leaves a scan alone' convert to-text txt "$work/plain.pdf" --ocr off
    is 'which has no text then' "$(tr -d ' \n' <"$work/r.txt")" ''
    ok 'which is said' says 'no_text_layer.*pages 1$'
    ok 'a language is checked before anything is done' no convert to-text txt "$work/plain.pdf" --language tlh
    ok 'with the name of its package' says 'apt-get install tesseract-ocr-tlh'
    ;;
esac
done_testing
