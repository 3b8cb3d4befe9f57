#!/bin/sh
# repair, judged by qpdf, poppler and MuPDF. $1 runs a tool: `$1 run repair FILE... -o OUT`.
. "$(dirname "$0")/tap.sh"
runner=$1
damage="python3 $(readlink -f "$(dirname "$0")")/damage.py"
out=$work/out.pdf

repair() { "$runner" run repair "$@" -o "$out" 2>&1; }
warns() { repair "$1" >"$work/said" && grep -q "$2" "$work/said"; }
says() { ! repair "$@" >"$work/said" && grep -q "$code" "$work/said"; }
words() { pdftotext "$1" - 2>/dev/null | tr -s '[:space:]' '\n' | sort; }
whole() { qpdf --check "$out" && [ "$(words "$out")" = "$(words "$work/sound.pdf")" ]; }
pages() { pdfinfo "$1" | awk '/^Pages:/ { print $2 }'; }
# KIND: how much of the text is there after the damage, in percent.
recovered() {
    $damage "$1" "$work/sound.pdf" "$work/bad.pdf"
    repair "$work/bad.pdf" >"$work/said" || return 1
    words "$out" >"$work/got"
    words "$work/sound.pdf" >"$work/want"
    comm -12 "$work/got" "$work/want" | wc -l >"$work/common"
    share=$(($(cat "$work/common") * 100 / $(wc -l <"$work/want")))
    echo "$share percent of the words are there"
    [ "$share" -ge "$2" ]
}

$damage make "$work/sound.pdf"
ok 'a sound document is taken' warns "$work/sound.pdf" nothing_to_repair
ok 'and comes back as it was' cmp "$work/sound.pdf" "$out"
qpdf --linearize --object-streams=generate "$work/sound.pdf" "$work/linear.pdf"
ok 'a linearized one too' warns "$work/linear.pdf" nothing_to_repair
ok 'without a change' cmp "$work/linear.pdf" "$out"
sed 's,/S [0-9]*\([0-9] /Length\),/S 9\1,' "$work/linear.pdf" >"$work/bad.pdf"
ok 'hint tables that end before they begin are damage' warns "$work/bad.pdf" repaired
ok 'and all of the document is there' whole

sed 's,/Size [0-9]*,/Size 99,' "$work/sound.pdf" >"$work/bad.pdf"
ok 'a wrong count of objects is damage' warns "$work/bad.pdf" repaired
ok 'and is right then' whole

$damage bomb "$work/sound.pdf" "$work/bad.pdf"
ok 'data that unpacks to very much is not taken for damage' warns "$work/bad.pdf" nothing_to_repair

for kind in direct xref startxref trailer header pages catalog loop count dangling endobj endstream length \
    junk generation utf8 streamed crlf; do
    $damage $kind "$work/sound.pdf" "$work/bad.pdf"
    ok "a document with damage of the kind $kind is repaired" warns "$work/bad.pdf" repaired
    ok "all of it is there: $kind" whole
done
ok 'MuPDF opens the last without a word' sh -c "mutool draw -q -r 20 -F pgm -o /dev/null '$out' 2>&1 |
    grep -v 'ICC support' | cmp -s - /dev/null"
$damage mail "$work/sound.pdf" "$work/bad.pdf"
ok 'a document in a mail is taken out of it' warns "$work/bad.pdf" unwrapped
ok 'all of it is there' whole
ok 'and it is what it was, byte for byte' cmp "$out" "$work/sound.pdf"
$damage twice "$work/sound.pdf" "$work/bad.pdf"
ok 'what several programs did after each other is undone' warns "$work/bad.pdf" text_mode_undone
ok 'byte for byte' cmp "$out" "$work/sound.pdf"
$damage added "$work/sound.pdf" "$work/bad.pdf"
ok 'a byte that was added is found' warns "$work/bad.pdf" repaired
ok 'and nothing is missing' whole
is 'nor is anything said to be' "$(grep -c 'pages_partial\|content_damaged' "$work/said")" 0
ok 'line feeds that were carriage returns are told from others' recovered cr 90
ok 'a packed content with damaged bytes gives what can be read of it' recovered flate 25
ok 'the pages of which parts may be missing are named' grep -q 'pages_partial.*pages 1' "$work/said"
# A page that was not damaged is what it was.
$damage flateone "$work/sound.pdf" "$work/bad.pdf"
ok 'of a document in which one page is damaged' warns "$work/bad.pdf" 'pages_partial.*pages 1$'
content() { mutool show -b "$1" "pages/$2/Contents" 2>/dev/null | md5sum; }
ok 'the report lists that page for programs' grep -q 'partialPages 1$' "$work/said"
ok 'and those that are complete' grep -q 'completePages 2-4$' "$work/said"
for n in 2 3 4; do
    is "page $n has the content it had, byte for byte" "$(content "$out" "$n")" "$(content "$work/sound.pdf" "$n")"
done
is 'unlike the damaged one' "$([ "$(content "$out" 1)" = "$(content "$work/sound.pdf" 1)" ] || echo other)" other
ok 'half a document gives what is in that half' recovered half 35
ok 'object streams are read without their index' recovered packed 99
ok 'and so is content that no page names' recovered orphan 90
ok 'what was lost is told' sh -c "grep -q pages_lost '$work/said' || grep -q page_tree '$work/said'"

for kind in flushed unsummed; do
    $damage $kind "$work/sound.pdf" "$work/bad.pdf"
    ok "data without its end mark is marked: $kind" warns "$work/bad.pdf" repaired
    is 'and not said to be damaged' "$(grep -c 'pages_partial\|content_damaged' "$work/said")" 0
    ok 'all of it is there' whole
done
$damage nostream "$work/sound.pdf" "$work/bad.pdf"
ok 'content that is not a stream is damage, and its page is named' warns "$work/bad.pdf" 'pages_partial.*pages 2$'
$damage lostpage "$work/sound.pdf" "$work/bad.pdf"
ok 'a page that is gone is counted' warns "$work/bad.pdf" pages_lost
is 'the others are there' "$(pages "$out")" 3
is 'and are not said to be damaged' "$(grep -c pages_partial "$work/said")" 0
$damage pages "$work/sound.pdf" "$work/bad.pdf"
ok 'pages whose place is a guess are named' warns "$work/bad.pdf" 'pages_guessed.*pages 1-4'

qpdf --object-streams=disable --encrypt secret owner 256 -- "$work/sound.pdf" "$work/locked.pdf"
$damage xref "$work/locked.pdf" "$work/bad.pdf"
code=password_required
ok 'an encrypted document needs its password' says "$work/bad.pdf"
code=wrong_password
ok 'and the right one' says "$work/bad.pdf" --inputPassword wrong
ok 'with it, it is repaired' repair "$work/bad.pdf" --inputPassword secret
ok 'and stays encrypted' qpdf --check --password=secret "$out"
ok 'it does not open without' sh -c "! qpdf --check '$out'"

# Of a linearized one the first of two trailers has what the key is made of.
qpdf --allow-weak-crypto --linearize --encrypt '' owner 128 --use-aes=y -- "$work/sound.pdf" "$work/locked.pdf"
head -c -60 "$work/locked.pdf" >"$work/bad.pdf"
ok 'an encrypted document whose last trailer is cut off in its identifier' warns "$work/bad.pdf" repaired
is 'has all of its text' "$(words "$out")" "$(words "$work/sound.pdf")"

# The pages of these lie in object streams, encrypted with them.
same_limits() {
    qpdf --password=owner --show-encryption "$1" | grep -v 'password' >"$work/limits"
    qpdf --password=owner --show-encryption "$out" | grep -v 'password' | cmp - "$work/limits"
}
opened() { qpdf --password="$1" --decrypt --qdf --object-streams=disable "$out" "$work/open.pdf"; }
for key in 40 '128 --use-aes=n' '128 --use-aes=y' '128 --use-aes=y --cleartext-metadata' \
    '256 --print=none'; do
    # shellcheck disable=SC2086 # several words
    qpdf --allow-weak-crypto --object-streams=generate --encrypt secret owner $key -- \
        "$work/sound.pdf" "$work/locked.pdf"
    $damage unindexed "$work/locked.pdf" "$work/bad.pdf"
    ok "encrypted object streams are read: $key" repair "$work/bad.pdf" --inputPassword secret
    ok 'all of it is there' sh -c "qpdf --password=secret --decrypt '$out' '$work/open.pdf' &&
        pdftotext '$work/open.pdf' '$work/got' && pdftotext '$work/sound.pdf' - | cmp - '$work/got'"
    ok 'strings are' sh -c "qpdf --password=secret --decrypt --qdf '$out' - |
        grep -aF '/Lang (en-\\(GB\\))'"
    ok 'what its owner forbade stays forbidden' same_limits "$work/locked.pdf"
    ok "and its owner's password opens it" opened owner
done
code=password_required
ok 'which takes their password' says "$work/bad.pdf"
code=wrong_password
ok 'and no other' says "$work/bad.pdf" --inputPassword wrong
qpdf --object-streams=generate --encrypt '' owner 256 -- "$work/sound.pdf" "$work/locked.pdf"
$damage unindexed "$work/locked.pdf" "$work/bad.pdf"
ok 'or none, if there is none' repair "$work/bad.pdf"
ok 'and nothing is missing' whole

$damage removed "$work/sound.pdf" "$work/bad.pdf"
ok 'a document of which someone took a page is repaired' warns "$work/bad.pdf" repaired
is 'and the page does not come back' "$(pages "$out")" 3
$damage digit "$work/sound.pdf" "$work/bad.pdf"
ok 'a page whose number another object has taken is found' warns "$work/bad.pdf" repaired
ok 'in its place' sh -c "pdftotext '$work/sound.pdf' '$work/want' && pdftotext '$out' - |
    cmp - '$work/want'"

# qpdf's recovery has the first page and nothing of the third, salvage the reverse.
page() { mutool draw -q -F txt -o - "$2" "$1" 2>/dev/null; }
$damage stale "$work/sound.pdf" "$work/bad.pdf"
ok 'what was saved in different ways is put together' repair "$work/bad.pdf"
ok 'the page that one way lost is whole' sh -c "pdftotext -l 1 '$out' '$work/got' &&
    pdftotext -l 1 '$work/sound.pdf' - | cmp - '$work/got'"
ok 'the one that the other lost shows what can be read' test "$(page 3 "$out" | wc -w)" -ge 100
is 'and no page is there twice' "$(for n in 1 2 3 4; do page $n "$out" | md5sum; done | sort -u | wc -l)" 4

# Salvage has the first page and the last two, qpdf's recovery those in the middle.
$damage apart "$work/sound.pdf" "$work/bad.pdf"
ok 'ways that found different numbers of pages are put together' repair "$work/bad.pdf"
is 'each page is there' "$(pages "$out")" 4
ok 'the one that the first way lost is in its place' sh -c "pdftotext -f 2 '$out' '$work/got' &&
    pdftotext -f 2 '$work/sound.pdf' - | cmp - '$work/got'"
ok 'and the result is sound' qpdf --check "$out"

# Nothing but the table of objects is lost: no page has to be looked at.
head -c -200 "$work/sound.pdf" >"$work/cut.pdf"
ok 'a file that was cut in its table is repaired' warns "$work/cut.pdf" repaired
ok 'and whole' whole

code=corrupt_file
echo '%PDF-1.7 and nothing else' >"$work/junk.pdf"
ok 'a document without a page is refused' says "$work/junk.pdf"

if [ "${1##*/}" != platen ]; then
    repair "$work/cut.pdf" >"$work/said"
    ok 'its pages are counted' grep -q 'figure pagesRecovered' "$work/said"
    is 'and were not looked at' "$(grep -c 'figure words' "$work/said")" 0
    $damage nostream "$work/sound.pdf" "$work/bad.pdf"
ok 'content that is not a stream is damage, and its page is named' warns "$work/bad.pdf" 'pages_partial.*pages 2$'
$damage lostpage "$work/sound.pdf" "$work/bad.pdf"
    ok 'the report has figures of what was found' warns "$work/bad.pdf" 'figure pagesRecovered 3'
    $damage stale "$work/sound.pdf" "$work/bad.pdf"
    ok 'and of what was put together' warns "$work/bad.pdf" 'figure pagesCombined 1'
    $damage nostream "$work/sound.pdf" "$work/bad.pdf"
ok 'content that is not a stream is damage, and its page is named' warns "$work/bad.pdf" 'pages_partial.*pages 2$'
$damage lostpage "$work/sound.pdf" "$work/bad.pdf"
    ok 'and of what was lost' warns "$work/bad.pdf" 'figure pagesLost 1'
    ok 'and of what is whole' grep -q 'figure pagesComplete 3' "$work/said"
fi

# The same recovery stands behind other tools.
$damage pages "$work/sound.pdf" "$work/bad.pdf"
if [ "${1##*/}" = platen ]; then
    ok 'rotate opens what only we can' sh -c "'$runner' run rotate '$work/bad.pdf' --degrees 90 -o '$out' 2>&1 |
        grep -q repaired"
    is 'with every page' "$(pages "$out")" 4
    ok 'and so does to-png' "$runner" run to-png "$work/bad.pdf" --dpi 20 -o "$work/out.zip"
    is 'with every page' "$(unzip -l "$work/out.zip" | grep -c png)" 4
fi
done_testing
