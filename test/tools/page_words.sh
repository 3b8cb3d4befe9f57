#!/bin/sh
# page-words, compared with pdftotext and extract. $1 runs a tool: `$1 run page-words FILE -o OUT`.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.json
python3 "$here/extract.py" make "$work"
python3 "$here/model_pages.py" "$work"

page_words() { "$runner" run page-words "$@" -o "$out" >"$work/said" 2>&1; }
ask() { python3 "$here/extract.py" ask "$out" "$1"; }

page_words "$work/places.pdf" --pages 2
is 'a page has its size' "$(ask '(d["page"], d["width"], d["height"])')" '(2, 280, 390)'
words='[w["text"] for l in d["lines"] for w in l["words"]]'
is 'and its words' "$(ask "' '.join(sorted(''.join($words)))")" \
    "$(pdftotext -f 2 -l 2 -cropbox "$work/places.pdf" - | tr -d ' \n\f' | sed 's/./&\n/g' | LC_ALL=C sort | tr '\n' ' ' | sed 's/^ *//; s/ $//')"
page_words "$work/hebrew.pdf"
is 'lines from right to left are known' "$(ask 'd["lines"][0]["rightToLeft"]')" True
page_words "$work/raised.pdf"
is 'words without a space between them are joined' "$(ask 'any(w.get("joined") for l in d["lines"] for w in l["words"])')" True
ok 'several pages are several files' "$runner" run page-words "$work/places.pdf" -o "$work/out.zip"
is 'one for each page' "$(unzip -Z1 "$work/out.zip" | tr '\n' ' ')" '1.json 2.json 3.json 4.json 5.json 6.json '
page_words "$SAMPLES/features.pdf" --pages 1
is 'links are there' "$(ask 'd["links"][1]["uri"]')" https://example.com/Zulu1
page_words "$SAMPLES/features.pdf" --outline true
is 'the outline is written alone' "$(ask 'd["outline"][0]["title"]')" 'Chapter Zulu1'
page_words "$work/report.pdf" --outline true
is 'a document without one has an empty one' "$(ask 'd')" "{'outline': []}"
is 'a page with text is not a scan' "$(page_words "$work/report.pdf" --pages 1; ask '"scan" in d')" False
pdftoppm -r 50 -singlefile -png "$SAMPLES/plain.pdf" "$work/picture"
ok 'a picture becomes a page' "$runner" run jpg-to-pdf "$work/picture.png" -o "$work/scan.pdf"
page_words "$work/scan.pdf"
is 'a page that is a picture is a scan' "$(ask '(d["lines"], d["scan"])')" '([], True)'
ok 'a picture becomes part of a page' "$runner" run jpg-to-pdf "$work/picture.png" --pageSize a4 --margin 80 -o "$work/part.pdf"
page_words "$work/part.pdf"
is 'a page with a small picture is not' "$(ask '"scan" in d')" False
done_testing
