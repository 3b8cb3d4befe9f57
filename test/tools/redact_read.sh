#!/bin/sh
# redact-read: the work of redact where platen-ocr is installed: pages are read as pictures. $1 runs a tool.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.pdf
said=$work/said
tool=redact
finder=redact-find
[ "${runner##*/}" = platen ] || { tool=redact-read && finder=redact-find-read; } # what the program alone has
/usr/bin/python3 "$(dirname "$0")/redact_read_pages.py" "$work"

redact() { rm -f "$out"; "$runner" run "$tool" "$@" --language eng -o "$out" >"$said" 2>&1; }
figure() { sed -n "s/^report: $1 //p; s/^figure $1 //p" "$said"; }
says() { grep -q "$1" "$said"; }
no() { ! "$@"; }
fails() { # WHAT ARGUMENT...: the job fails with this message, and there is no result
    what=$1
    shift
    redact "$@" && return 1
    says redaction_incomplete && says "$what" && [ ! -s "$out" ]
}
# What Tesseract reads on a page of the result, drawn by poppler.
seen() {
    pdftoppm -r 200 -gray -f "$1" -singlefile "$out" "$work/seen"
    OMP_THREAD_LIMIT=1 tesseract "$work/seen.pgm" - -l eng 2>/dev/null
}

ok 'a text is removed' redact "$work/typed.pdf" --text Meier
is 'and both pages are read as pictures' "$(figure pagesReadAsPictures)" 2
ok 'without a warning, and nothing is said of recognition' no says 'ocr_not_installed\|proof_partial\|withText'
ok 'ocr=off reads none' redact "$work/typed.pdf" --text Meier --ocr off
is 'which the report shows' "$(figure pagesReadAsPictures)" ''

ok 'a text that is typed on one page and in a picture on another fails the job, with the page and the place' \
    fails 'page 2, at 2:[0-9]*,[0-9]*,[0-9]*,[0-9]*:' "$work/pictured.pdf" --text Meier
place=$(sed -n 's/.* at \(2:[0-9,]*\): nothing.*/\1/p' "$said")
ok 'which is where it is' python3 -c '
import sys
x, y, w, h = map(int, sys.argv[1].split(":")[1].split(","))
sys.exit(not (95 < x < 110 and 90 < y < 105 and 40 < w < 60 and 10 < h < 25))' "$place"
ok 'with the place among the regions nothing is left' redact "$work/pictured.pdf" --text Meier --regions "$place"
is 'the rest of the page is there' "$(seen 2 | grep -c -e 'harbour master' -e typed)" 2
is 'and the name is not' "$(seen 2 | grep -c Meier)" 0
ok 'a text stays on pages that were not to be searched' redact "$work/both.pdf" --text Meier --pages 1
is 'where it is typed' "$(pdftotext -f 2 "$out" - | grep -c Meier)" 1
ok 'only pages that were searched count' redact "$work/pictured.pdf" --text Meier --pages 1

place_of() { # TEXT QUAD: a list of hits with one
    echo "[{\"page\":1,\"text\":\"$1\",\"quads\":[$2]}]" >"$work/hits.json"
}
place_of Meier '[102,146,142,146,102,126,142,126]'
ok 'a hit whose text layer is not where its picture is fails the job' \
    fails 'page 1, at 1:' "$work/misplaced.pdf" --hits "$(cat "$work/hits.json")"
place_of Meier '[98,206,147,206,98,185,147,185]'
ok 'one that is where it is passes' redact "$work/layered.pdf" --hits "$(cat "$work/hits.json")"
is 'one page was read' "$(figure pagesReadAsPictures)" 1
is 'and the name is not on it' "$(seen 1 | grep -c Meier)" 0
ok 'names that are similar are no false alarm' redact "$work/similar.pdf" --text Meier
ok 'and stay' sh -c "pdftotext '$out' - | grep -q 'Meler and Mrs Maier'"
place_of Meier '[102,206,147,206,102,186,147,186]'
ok 'a hit may stay in another place' redact "$work/twice.pdf" --hits "$(cat "$work/hits.json")"
is 'where it is' "$(pdftotext "$out" - | grep -c Meier)" 1

# Scans without a text layer.
find() { "$runner" run "$finder" "$@" --language eng -o "$work/hits.json" --force >"$said" 2>&1; }
count() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["count"])' "$work/hits.json"; }
for scan in scan skewed sideways; do
    ok "a text in the pixels of a scan ($scan) is found" find "$work/$scan.pdf" --text Meier
    is 'once' "$(count)" 1
    ok 'which says how it was read' says 'text_recognised: .*: 1 ([0-9]* %)'
    ok 'its place is what is removed' redact "$work/$scan.pdf" --hits "$(cat "$work/hits.json")"
    is 'which Tesseract sees' "$(seen 1 | grep -c -e 'Captain' -e 'list of boats')$(seen 1 | grep -c Meier)" 10
    ok 'redact finds it itself' redact "$work/$scan.pdf" --text Meier
    is 'and cuts it' "$(seen 1 | grep -c -e 'Captain' -e 'list of boats')$(seen 1 | grep -c Meier)" 10
    is 'the page has no text, as before' "$(pdftotext "$out" - | tr -d '\f\n ')" ''
done
ok 'a pattern finds it, too' redact "$work/scan.pdf" --pattern 'M[a-z]+er\b'
is 'and removes it' "$(seen 1 | grep -c Meier)" 0
ok 'ocr=off finds nothing' redact "$work/scan.pdf" --text Meier --ocr off --ifNone ok
ok 'which is said' says no_text_layer
ok 'ocr=force finds it in a picture on a page with text' redact "$work/pictured.pdf" --text Meier --ocr force
is 'and cuts it' "$(seen 2 | grep -c Meier)" 0

if [ "$tool" = redact ]; then
    mkdir "$work/programs"
    ln -s "$(readlink -f "$(dirname "$runner")")/platen-render" "$work/programs/"
    ok 'without platen-ocr the work is done, too' redact "$work/typed.pdf" --text Meier --programs "$work/programs"
    ok 'and it is said that nothing was read' says 'ocr_not_installed: .*not read as pictures'
    is 'by no figure, either' "$(figure pagesReadAsPictures)" ''
    ok 'so does redact-find of scans' sh -c "'$runner' run redact-find '$work/scan.pdf' --text Meier --programs '$work/programs' -o '$work/hits.json' --force 2>&1 | grep -q '^warning: ocr_not_installed'"
fi
ok 'a long document is read as far as there is room' redact "$work/many.pdf" --text Meier
is 'the pages are counted' "$(($(figure pagesReadAsPictures) + $(figure pagesNotReadAsPictures)))" 101
ok 'and those that were not read are named' says 'proof_partial: .*pages [0-9,]*101'
done_testing
