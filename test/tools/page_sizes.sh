#!/bin/sh
# page-sizes, judged by pdfinfo. $1 runs a tool: `$1 run page-sizes FILE -o OUT`.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out

sizes() { "$runner" run page-sizes "$@" -o "$out" 2>&1; }
# Each page as poppler shows it, to tenths of a point.
judged() { python3 "$here/page_sizes.py" "$1" | awk '{ printf "%.1f %.1f\n", $1, $2 }'; }
told() { sed 1d "$out" | awk '{ for (i = 0; i < $3; i++) printf "%.1f %.1f\n", $1, $2 }'; }

for file in plain merge_one merge_two shared features; do
    ok "the pages of $file are measured" sizes "$SAMPLES/$file.pdf"
    is 'as they are shown' "$(told)" "$(judged "$SAMPLES/$file.pdf")"
    is 'and counted' "$(head -n 1 "$out")" "$(qpdf --show-npages "$SAMPLES/$file.pdf") 0"
done
sizes "$SAMPLES/shared.pdf" >/dev/null
is 'equal pages are one line' "$(sed 1d "$out" | wc -l | tr -d ' ')" 1
qpdf --encrypt secret owner 256 -- "$SAMPLES/plain.pdf" "$work/locked.pdf"
code=password_required
says() { ! sizes "$@" >"$work/said" && grep -q "$code" "$work/said"; }
ok 'a document with a password is not opened without it' says "$work/locked.pdf"
ok 'with it it is' sizes "$work/locked.pdf" --inputPassword secret
is 'and said to be encrypted' "$(head -n 1 "$out")" '3 1'
done_testing
