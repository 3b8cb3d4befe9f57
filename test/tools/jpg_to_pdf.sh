#!/bin/sh
# jpg-to-pdf, judged by poppler, qpdf and MuPDF. $1 runs a tool: `$1 run jpg-to-pdf FILE... -o OUT`.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.pdf

convert() { "$runner" run jpg-to-pdf "$@" -o "$out" 2>&1; }
says() { ! convert "$@" >"$work/said" && grep -q "$code" "$work/said"; }

echo nonsense >"$work/a.jpg"
code=corrupt_file
ok 'what is no picture is refused' says "$work/a.jpg"
done_testing
