#!/bin/sh
# split with blank, judged by qpdf, poppler and unzip. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out

make() { /usr/bin/python3 "$(dirname "$0")/blank_pages.py" "$@"; } # OUT KIND...: a page for each kind
# Clients call it as split, which the program of this tool alone does not know (direct.c).
split() { "$runner" run split-blank "$@" --outputName result -o "$out" 2>&1; }
says() { ! split "$@" >"$work/said" && grep -q "$code" "$work/said"; }
names() { unzip -Z1 "$out" | tr '\n' ' '; }
unpack() { rm -rf "$work/parts"; unzip -qo "$out" -d "$work/parts"; }
sound() { unpack && for part in "$work"/parts/*.pdf; do qpdf --check "$part" || return 1; done; }
blank() { # KIND: whether a page like that is one
    make "$work/one.pdf" words "$1" && split "$work/one.pdf" --blank remove >"$work/said" &&
        [ "$(qpdf --show-npages "$out")" = 1 ]
}

not_blank() { make "$work/one.pdf" words "$1" && split "$work/one.pdf" --blank remove >"$work/said" &&
    [ "$(qpdf --show-npages "$out")" = 2 ]; }

# What is blank is decided by what is drawn.
ok 'a page without content is blank' blank empty
ok 'white on white is' blank white
ok 'text that is not drawn is' blank hidden
ok 'what is covered by white is' blank covered
ok 'what is beyond the edge is' blank outside
ok 'a page of one light colour is' blank tinted
ok 'a point that is drawn is not' not_blank dot
ok 'a page number is not' not_blank words
ok 'a black page is not' not_blank black
ok 'white text on a dark page is not' not_blank on_dark

# Scans: what a scanner adds to an empty sheet is not taken for writing, and little writing not for that.
ok 'an empty sheet that was scanned is blank' blank clean
ok 'with dust' blank dusty
ok 'with holes' blank holes
ok 'with shadows along two edges' blank shadows
ok 'in light from a side' blank uneven
ok 'with the other side shining through' blank shown_through
ok 'with a streak of the scanner' blank streak
ok 'with invisible text over it' blank clean+hidden
ok 'a sheet with text is not' not_blank text
ok 'nor with a page number alone' not_blank number
ok 'nor with a line by pencil' not_blank pencil
ok 'nor with one small line of text' not_blank small
ok 'nor with a number that a program drew over the picture' not_blank clean+words

# What becomes of the pages.
make "$work/stack.pdf" clean words text dusty words empty empty words words clean
ok 'split at blank pages works' split "$work/stack.pdf" --blank drop
is 'and drops them, however many follow each other' "$(names)" 'result_2-3.pdf result_5.pdf result_8-9.pdf '
ok 'all parts are sound' sound
is 'a part has its pages' "$(qpdf --show-npages "$work/parts/result_2-3.pdf")" 2
ok 'split that keeps blank pages works' split "$work/stack.pdf" --blank keep
is 'they are the ends of parts, and no part is blank' "$(names)" \
    'result_1-4.pdf result_5-7.pdf result_8-10.pdf '
ok 'all parts are sound, too' sound
ok 'blank pages are removed' split "$work/stack.pdf" --blank remove
is 'from one document' "$(qpdf --show-npages "$out")" 5
ok 'which is sound' qpdf --check "$out"
is 'the report says how many were blank' "$(split "$work/stack.pdf" --blank drop | grep report)" 'report: blankPages 5'
ok 'a document without one is one part' split "$SAMPLES/plain.pdf" --blank drop
is 'with all pages' "$(qpdf --show-npages "$out")" "$(qpdf --show-npages "$SAMPLES/plain.pdf")"
is 'which is said' "$(split "$SAMPLES/plain.pdf" --blank drop | grep -c no_blank_page)" 1
make "$work/all.pdf" clean empty
code=page_out_of_range
ok 'a document of blank pages is refused' says "$work/all.pdf" --blank drop
ok 'by each choice' says "$work/all.pdf" --blank keep
code=invalid_parameter
ok 'an unknown choice is refused' says "$work/stack.pdf" --blank yes
case $runner in
*direct*) ;;
*)
    as_split() { "$runner" run split "$@" --outputName result -o "$out" 2>&1; }
    refuses() { ! as_split "$@" >"$work/said" && grep -q "$code" "$work/said"; }
    ok 'split does this with blank' as_split "$work/stack.pdf" --blank drop
    is 'in the same way' "$(names)" 'result_2-3.pdf result_5.pdf result_8-9.pdf '
    code='mode says what becomes of pages'
    ok 'mode has no meaning with blank' refuses "$work/stack.pdf" --blank drop --mode each
    code=invalid_parameter
    ok 'nor have pages' refuses "$work/stack.pdf" --blank drop --pages 1
    ok 'it works as a step' "$runner" run pipeline "$work/stack.pdf" \
        --steps '[{"tool":"split","params":{"blank":"drop"}},{"tool":"merge"}]' -o "$out"
    is 'before another one' "$(qpdf --show-npages "$out")" 5
    ;;
esac

# Damaged and locked documents.
sed 's/^startxref/startxrfe/' "$work/stack.pdf" >"$work/broken.pdf"
ok 'a damaged document is split' split "$work/broken.pdf" --blank drop
is 'at the same pages' "$(names)" 'result_2-3.pdf result_5.pdf result_8-9.pdf '
sed 's/Count 10/Count 4/' "$work/stack.pdf" >"$work/count.pdf"
ok 'one with a wrong number of pages, too' split "$work/count.pdf" --blank drop
is 'at the pages that there are' "$(names)" 'result_2-3.pdf result_5.pdf result_8-9.pdf '
# The picture of the first page ends early: nobody knows what it showed.
/usr/bin/python3 - "$work/stack.pdf" "$work/cut.pdf" <<'PY'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
at = data.index(b"\xff\xda") + 40
end = data.index(b"\nendstream", at)
data[at:end] = b"\xff\xd8" * ((end - at) // 2) + b" " * ((end - at) % 2)
open(sys.argv[2], "wb").write(data)
PY
split "$work/cut.pdf" --blank drop >"$work/said"
is 'a page that cannot be read is not blank' "$(names)" 'result_1-3.pdf result_5.pdf result_8-9.pdf '
ok 'and warned of' grep -q page_damaged "$work/said"
qpdf --encrypt secret boss 256 -- "$work/stack.pdf" "$work/locked.pdf"
code=password_required
ok 'a locked document needs its password' says "$work/locked.pdf" --blank drop
ok 'which opens it' split "$work/locked.pdf" --blank remove --inputPassword secret
ok 'the result is locked as it was' qpdf --check --password=secret "$out"

ok 'a signature that the rewrite breaks' split "$SAMPLES/merge_one.pdf" --blank remove
is 'is told' "$(split "$SAMPLES/merge_one.pdf" --blank remove | grep -c signature_invalidated)" 1
done_testing
