#!/bin/sh
# compress, judged by qpdf, poppler and MuPDF. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.pdf

compress() { "$runner" run compress "$@" -o "$out" 2>&1; }
says() { ! compress "$@" >"$work/said" && grep -q "$code" "$work/said"; }
warns() { compress "$@" | grep -q "$code"; }
sound() { qpdf --check "${1:-$out}"; }
size() { stat -c %s "${1:-$out}"; }
smaller() { [ "$(size "$1")" -lt "$(size "$2")" ]; }
not_larger() { [ "$(size "$1")" -le "$(size "$2")" ]; }
# The column of pdfimages -list, one line an image.
images() { pdfimages -list "${2:-$out}" | awk -v c="$1" 'NR > 2 { print $c }'; }
# How far each page is from the same of another document, in two renderers: "page mean" where the
# mean of a channel is off by more than $3.
unlike() {
    rm -f "$work"/[ab][pm]-*
    pdftoppm -r 60 -png "$1" "$work/ap"
    pdftoppm -r 60 -png "$2" "$work/bp"
    mutool draw -q -r 60 -o "$work/am-%02d.png" "$1" 2>/dev/null
    mutool draw -q -r 60 -o "$work/bm-%02d.png" "$2" 2>/dev/null
    for a in "$work"/a[pm]-*.png; do
        b=$work/b${a#"$work"/a}
        # shellcheck disable=SC2046 # two numbers
        set -- "$1" "$2" "$3" $("$COMPARE" "$a" "$b" || echo 255 255)
        awk -v mean="$4" -v most="$3" -v page="${a##*/}" 'BEGIN { if (mean > most) print page, mean }'
    done
}

"$MAKE_IMAGES" "$work/images.pdf"
for quality in ebook screen printer prepress lossless; do
    ok "$quality works" compress "$work/images.pdf" --quality $quality
    ok 'and gives a sound document' sound
    cp "$out" "$work/$quality.pdf"
done
is 'at ebook every kind of image looks as before, in two renderers' \
    "$(unlike "$work/images.pdf" "$work/ebook.pdf" 2.5)" ''
is 'at screen too' "$(unlike "$work/images.pdf" "$work/screen.pdf" 4.5)" ''
is 'lossless loses nothing' "$(unlike "$work/images.pdf" "$work/lossless.pdf" 0)" ''
is 'nor does prepress' "$(unlike "$work/images.pdf" "$work/prepress.pdf" 0)" ''
ok 'a lower quality is not larger: screen, ebook' not_larger "$work/screen.pdf" "$work/ebook.pdf"
ok 'ebook, printer' not_larger "$work/ebook.pdf" "$work/printer.pdf"
ok 'printer, prepress' not_larger "$work/printer.pdf" "$work/prepress.pdf"
ok 'prepress, the input' smaller "$work/prepress.pdf" "$work/images.pdf"
is 'images are reduced to the resolution of the profile, by how large they are placed' \
    "$(images 13 "$work/ebook.pdf" | sed -n 1p) $(images 13 "$work/screen.pdf" | sed -n 1p) \
$(images 13 "$work/printer.pdf" | sed -n 1p)" '150 96 300'
is 'colour-key masks keep every sample' "$(images 13 "$work/ebook.pdf" | sed -n '6,7p' | xargs)" \
    '600 600'
is 'one-bit images become JBIG2' "$(images 9 "$work/lossless.pdf" | tail -n 6 | sort -u)" jbig2
is 'lossless changes no size' "$(images 4 "$work/lossless.pdf" | sort -u)" 600
is 'CMYK stays CMYK' "$(images 6 "$work/ebook.pdf" | grep -c cmyk)" 4
is 'high is printer' "$(compress "$work/images.pdf" --quality high >/dev/null && size)" \
    "$(size "$work/printer.pdf")"
is 'the default is ebook' "$(compress "$work/images.pdf" >/dev/null && size)" \
    "$(size "$work/ebook.pdf")"

ok 'a size can be asked for' compress "$work/images.pdf" --quality lossless --targetSize 90000
ok 'and is kept' [ "$(size)" -le 90000 ]
ok 'with more than the least' [ "$(size)" -gt 45000 ]
code=target_not_reached
ok 'a size that cannot be reached is warned of' warns "$work/images.pdf" --targetSize 1000
ok 'and gives the smallest' smaller "$out" "$work/screen.pdf"
ok 'linearize works' compress "$work/images.pdf" --linearize true
ok 'and linearizes' qpdf --check-linearization "$out"

compress "$work/images.pdf" --quality lossless >/dev/null
cp "$out" "$work/once.pdf"
code=no_gain
ok 'what is as small as it gets comes back' warns "$work/once.pdf" --quality lossless
ok 'byte by byte' cmp "$out" "$work/once.pdf"

ok 'a document with everything' compress "$SAMPLES/features.pdf"
# Each word of it once: equal streams are one afterwards.
words() { qpdf --qdf --object-streams=disable "$1" - | grep -ao '[A-Za-z]*Zulu[A-Za-z0-9]*' | sort -u; }
is 'keeps outline, destinations, form, tags, layers and labels' "$(words "$out")" \
    "$(words "$SAMPLES/features.pdf")"
ok 'and attachments' sh -c "qpdf --list-attachments '$out' | grep attached-Zulu2.txt"
is 'and the text' "$(pdftotext "$out" -)" "$(pdftotext "$SAMPLES/features.pdf" -)"
ok 'a damaged document is repaired on the way in' compress "$SAMPLES/damaged.pdf"
ok 'and the result is sound' sound

qpdf --encrypt secret owner 256 -- "$work/images.pdf" "$work/locked.pdf"
code=password_required
ok 'an encrypted document needs inputPassword' says "$work/locked.pdf"
code=wrong_password
ok 'a wrong one is told from none' says "$work/locked.pdf" --inputPassword bad
ok 'the right one opens it' compress "$work/locked.pdf" --inputPassword secret
ok 'the result needs the same password' qpdf --check --password=secret "$out"
ok 'and does not open without' sh -c "! qpdf --check '$out'"
ok 'and is about as small' [ "$(size)" -lt $(($(size "$work/ebook.pdf") + 20000)) ]
qpdf --decrypt --password=secret "$out" "$work/open.pdf"
is 'and looks as before' "$(unlike "$work/images.pdf" "$work/open.pdf" 2.5)" ''

code=invalid_parameter
ok 'another quality is refused' says "$work/images.pdf" --quality best
code=corrupt_file
echo '%PDF-1.7 and nothing else' >"$work/junk.pdf"
ok 'what no reader can open is refused' says "$work/junk.pdf"
done_testing
