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
done_testing
