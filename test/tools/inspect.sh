#!/bin/sh
# inspect, which a dry run asks: one line a file. $1 runs a tool: `$1 run inspect FILE... -o OUT`.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.txt

inspect() { "$runner" run inspect "$@" -o "$out" 2>&1; }
line() { sed -n "${1}p" "$out" | cut -d' ' -f1-5; }

qpdf --encrypt user owner 256 -- "$SAMPLES/plain.pdf" "$work/locked.pdf"
qpdf --encrypt '' owner 256 -- "$SAMPLES/plain.pdf" "$work/open.pdf"
printf '%%PDF-1.7 and nothing else' >"$work/broken.pdf"
ok 'inspect works' inspect "$SAMPLES/plain.pdf" "$work/locked.pdf" "$work/open.pdf" \
    "$SAMPLES/damaged.pdf" "$work/broken.pdf"
is 'a sound document has its pages' "$(line 1)" '3 0 0 0 -'
is 'one with a password says that it needs one' "$(line 2)" '0 1 0 0 password_required'
is 'one that opens without is encrypted all the same' "$(line 3)" '3 1 0 0 -'
is 'a damaged one says that it was repaired' "$(line 4)" '3 0 1 0 -'
is 'one beyond repair says why' "$(line 5)" '0 0 0 0 corrupt_file'
ok 'with a password' inspect "$work/locked.pdf" --inputPassword user
is 'it is opened' "$(line 1)" '3 1 0 0 -'
inspect "$work/locked.pdf" --inputPassword wrong >"$work/said"
is 'unless that is wrong' "$(line 1)" '0 1 0 0 wrong_password'
pdftoppm -r 20 -png "$SAMPLES/plain.pdf" "$work/picture"
inspect "$work"/picture*1.png "$SAMPLES/plain.pdf" >"$work/said"
is 'a picture is a page' "$(line 1)" '1 0 0 0 -'
is 'and has its place in the order' "$(line 2)" '3 0 0 0 -'
done_testing
