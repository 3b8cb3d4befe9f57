#!/bin/sh
# rotate, judged by pdfinfo and qpdf. $1 runs a tool: `$1 run rotate FILE... -o OUT`.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/signed.sh"
runner=$1
out=$work/out.pdf

rotate() { "$runner" run rotate "$@" -o "$out" 2>&1; }
# "90 0 180": how far each page of the result is turned.
turned() { pdfinfo -l 100 "${1:-$out}" | awk '/ rot: /{printf "%s%s", s, $4; s=" "}'; }
sound() { qpdf --check "${1:-$out}"; }
says() { ! rotate "$@" >"$work/said" && grep -q "$code" "$work/said"; }

ok 'rotate works' rotate "$SAMPLES/rotations.pdf" --degrees 90
is 'degrees are added to what the page has, inherited or not; junk counts as 0' \
    "$(turned)" '90 180 0 180 90 90 0 270 90'
ok 'the result is sound' sound
rotate "$SAMPLES/rotations.pdf" --degrees -90 >/dev/null
is 'negative degrees turn counterclockwise' "$(turned)" '270 0 180 0 270 270 180 90 270'
rotate "$SAMPLES/rotations.pdf" --degrees 360 >/dev/null
is 'a full turn changes nothing' "$(turned)" '0 90 270 90 0 0 270 180 0'
rotate "$SAMPLES/rotations.pdf" --degrees -360 --absolute true >/dev/null
is 'absolute replaces what the page has' "$(turned)" '0 0 0 0 0 0 0 0 0'
rotate "$SAMPLES/rotations.pdf" --degrees 180 --pages '1,r1' >/dev/null
is 'only the pages asked for turn' "$(turned)" '180 90 270 90 45 0 270 180 180'
ok 'a page list beyond the end is clamped' rotate "$SAMPLES/plain.pdf" --degrees 90 --pages 2-9
is 'and turns the pages there are' "$(turned)" '0 90 90'

rotate "$SAMPLES/features.pdf" --degrees 90 >/dev/null
is 'outline, destinations, form, tags, layers and labels survive' \
    "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac Zulu)" \
    "$(qpdf --qdf --object-streams=disable "$SAMPLES/features.pdf" - | grep -ac Zulu)"
ok 'and so do attachments' sh -c "qpdf --list-attachments '$out' | grep attached-Zulu2.txt"
ok 'a damaged document is repaired on the way in' rotate "$SAMPLES/damaged.pdf" --degrees 90
is 'with all its pages' "$(turned)" '90 90 90'
ok 'and the result is sound' sound

python3 "$(dirname "$0")/list_boxes.py" "$work/lists.pdf" "$work/doubled.pdf" "$work/kids.pdf"
rotate "$work/doubled.pdf" --degrees 90 >"$work/said"
is 'of a key that a dictionary has twice the last value counts, which is told' \
    "$(pdfinfo "$out" | sed -n 's/Page size: *//p')|$(grep -c 'repaired: .* a key twice' "$work/said")" '300 x 400 pts|1'
rotate "$work/kids.pdf" --degrees 90 >"$work/said"
is 'but a page tree with two is damaged' "$(grep -c 'repaired: the document was damaged' "$work/said")" 1

sed '1s/^%P//' "$SAMPLES/features.pdf" >"$work/headless.pdf"
ok 'one whose header is damaged is taken for what it is' rotate "$work/headless.pdf" --degrees 90
is 'with all its pages too' "$(turned)" '180 180 180 90 90 90'
damage="python3 $(readlink -f "$(dirname "$0")")/damage.py"
$damage make "$work/sound.pdf"
$damage directroot "$work/sound.pdf" "$work/direct.pdf"
ok 'a catalog in the trailer' rotate "$work/direct.pdf" --degrees 90
is 'becomes one that all readers find' "$(turned)" '90 90 90 90'
$damage deep "$work/sound.pdf" "$work/deep.pdf"
ok 'a tree of many levels' rotate "$work/deep.pdf" --degrees 90
is 'still turns its pages' "$(turned)" '180 180 180 180'
$damage directnode "$work/sound.pdf" "$work/direct.pdf"
ok 'a node that stands in its parent' rotate "$work/direct.pdf" --degrees 90
is 'has its pages, and they have it' "$(qpdf --qdf --object-streams=disable "$out" - |
    grep -ac '/Parent') $(turned)" '5 90 90 90 90'

code=invalid_parameter
ok 'degrees must be a multiple of 90' says "$SAMPLES/plain.pdf" --degrees 45
code=missing_field
ok 'degrees must be given' says "$SAMPLES/plain.pdf"
code=page_out_of_range
ok 'a page that is not there fails' says "$SAMPLES/plain.pdf" --degrees 90 --pages 4
code=corrupt_file
echo '%PDF-1.7 and nothing else' >"$work/junk.pdf"
ok 'what no reader can open is refused' says "$work/junk.pdf" --degrees 90
ok 'a document without pages is refused' says "$SAMPLES/no-pages.pdf" --degrees 90

qpdf --encrypt secret owner 256 -- "$SAMPLES/plain.pdf" "$work/locked.pdf"
code=password_required
ok 'an encrypted document needs inputPassword' says "$work/locked.pdf" --degrees 90
code=wrong_password
ok 'a wrong one is told from none' says "$work/locked.pdf" --degrees 90 --inputPassword bad
ok 'the right one opens it' rotate "$work/locked.pdf" --degrees 90 --inputPassword secret
ok 'the result needs the same password' qpdf --check --password=secret "$out"
ok 'and does not open without' sh -c "! qpdf --check '$out'"
ok 'the owner'\''s password opens it too' rotate "$work/locked.pdf" --degrees 90 \
    --inputPassword owner
ok 'and both stay as they were' qpdf --check --password=secret "$out"

python3 "$(dirname "$0")/excess.py" "$work"
ok 'a page named more often than a document may have pages is refused' \
    sh -c "! '$runner' run rotate '$work/pages.pdf' --degrees 90 -o '$out' >'$work/said' 2>&1"
ok 'with a clear code' grep -q limit_exceeded "$work/said"
ok 'a tree that lists very many things that are no pages takes seconds' \
    timeout 30 "$runner" run rotate "$work/no_pages.pdf" --degrees 90 -o "$out"
is 'and turns its page' "$(turned)" 90
for name in layers layers_picture; do
    ok "data that are deflated three times, to 400 MB, are refused ($name)" \
        sh -c "! '$runner' run rotate '$work/$name.pdf' --degrees 90 -o '$out' >'$work/said' 2>&1"
    ok "and the message says why ($name)" grep -q 'limit_exceeded: .*compressed several times' "$work/said"
done

python3 "$(dirname "$0")/pdf_builder.py" "$work/circle.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 3/Kids[3 0 R 4 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>
<</Type/Pages/Parent 2 0 R/Kids[4 0 R]/Count 2>>
END
ok 'a page tree that comes back to itself is written as far as it is understood' \
    rotate "$work/circle.pdf" --degrees 90

# A content stream whose length is itself: libqpdf makes it null when it is written. Its length has as many
# characters as the reference, so that the offsets of the cross-reference table stay right.
{
    printf '%s\n' '<</Type/Catalog/Pages 2 0 R>>' '<</Type/Pages/Kids[3 0 R]/Count 1>>' \
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R>>'
    printf '<<>> stream 9 9 m %9992s f\n' ''
} | python3 "$(dirname "$0")/pdf_builder.py" "$work/straight.pdf"
LC_ALL=C sed 's,/Length 10000,/Length 4 0 R,' "$work/straight.pdf" >"$work/looped.pdf"
rotate "$work/looped.pdf" --degrees 90 >"$work/said"
ok 'a stream whose length refers to itself is named, as it is not in the result' grep -q 'content_damaged.*object 4' "$work/said"

of_signed() { rotate "$1" --degrees 90; }
warns_of_signatures of_signed
for key in '128 --use-aes=y' 256; do
    # shellcheck disable=SC2086 # several words
    qpdf --allow-weak-crypto --encrypt '' owner $key -- "$SAMPLES/plain.pdf" "$work/locked.pdf"
    sed 's,/Standard /Length [0-9]*,/Standard,' "$work/locked.pdf" >"$work/short.pdf"
    ok "an encrypted document that does not say how long its key is: $key" rotate "$work/short.pdf" --degrees 90
    is 'has all of its text' "$(pdftotext "$out" -)" "$(pdftotext "$SAMPLES/plain.pdf" -)"
done
# What is encrypted by several crypt filters keeps them, and its encryption dictionary.
kinds=$(dirname "$0")/crypt_kinds.py
words() { python3 "$kinds" look "$1" | sort | tr '\n' ' '; }
every='ATTACHED CONTENT DOCUMENT IDENTITY NAMED PAGE PLAIN RELATED '
for cipher in V2 AESV2 AESV3; do
    for filters in '/StmF/Identity/StrF/Identity/EFF/StdCF' '/StmF/StdCF/StrF/StdCF/EFF/Identity' \
        '/StmF/StdCF/StrF/StdCF/EncryptMetadata false' '/StmF/StdCF/StrF/Identity'; do
        python3 "$kinds" make $cipher "$work/filters.pdf" "$filters"
        ok "it is turned: $cipher $filters" "$runner" run rotate "$work/filters.pdf" --degrees 90 \
            --inputPassword user -o "$work/turned.pdf"
        is 'and each stream is readable by its own filter' "$(words "$work/turned.pdf")" "$every"
        ok 'and qpdf finds it sound' qpdf --check --password=user "$work/turned.pdf"
    done
done

done_testing
