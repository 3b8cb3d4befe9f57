#!/bin/sh
# redact-find-read: the work of redact-find where platen-ocr is installed: scans are read. $1 runs a tool.
. "$(dirname "$0")/tap.sh"
runner=$1
said=$work/said
tool=redact-find
[ "${runner##*/}" = platen ] || tool=redact-find-read # what the program alone has
/usr/bin/python3 "$(dirname "$0")/redact_read_pages.py" "$work"

find() { "$runner" run "$tool" "$@" --language eng -o "$work/hits.json" --force >"$said" 2>&1; }
hits() { python3 -c 'import json, sys
for hit in json.load(open(sys.argv[1]))["hits"]:
    xs, ys = [q[i] for q in hit["quads"] for i in (0, 2, 4, 6)], [q[i] for q in hit["quads"] for i in (1, 3, 5, 7)]
    print(hit["page"], hit["text"], 103 < min(xs) < 109 and 153 < max(xs) < 160, 180 < min(ys) < 190 and 200 < max(ys) < 210)' "$work/hits.json"; }
says() { grep -q "$1" "$said"; }
no() { ! "$@"; }

for scan in scan skewed sideways; do
    ok "a scan is searched ($scan)" find "$work/$scan.pdf" --text meier
    is 'where its pixels are' "$(hits)" '1 Meier True True'
done
ok 'a page with text and a picture is searched in its text' find "$work/pictured.pdf" --text Meier --pages 2
is 'which does not have it' "$(hits)" ''
ok 'and with ocr=force in its picture' find "$work/pictured.pdf" --text Meier --pages 2 --ocr force
is 'which does' "$(hits)" '2 Meier True True'
ok 'ocr=off reads nothing' find "$work/scan.pdf" --text Meier --ocr off
ok 'and names the pages' says 'no_text_layer: .*pages 1,2'
ok 'a language that is not installed is refused' no find "$work/scan.pdf" --text Meier --language xyz
done_testing
