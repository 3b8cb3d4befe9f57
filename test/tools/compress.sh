#!/bin/sh
# compress, judged by qpdf, poppler and MuPDF. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/pdfa1.sh"
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
# What the report says was saved, by all classes together.
saved() { compress "$@" | awk '/^(report:|figure) saved/ { n += $NF } END { print n }'; }
is 'the report says what was saved by class' "$(saved "$work/images.pdf")" \
    "$(($(size "$work/images.pdf") - $(size)))"
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
# Sizes of all qualities but for those that are smaller than one before.
sizes() {
    for quality in screen ebook printer prepress lossless; do
        compress "$@" --quality "$quality" >"$work/said" || echo failed
        size
    done
}
is_rising() { sizes "$@" >"$work/sizes" && sort -nc "$work/sizes"; }
for name in images plain features shared boxes; do
    file=$SAMPLES/$name.pdf
    [ $name = images ] && file=$work/images.pdf
    ok "$name: a lower quality is never larger" is_rising "$file"
done
ok 'nor in gray' is_rising "$work/images.pdf" --grayscale true
ok 'and prepress smaller than the input' smaller "$work/prepress.pdf" "$work/images.pdf"
is 'images are reduced to the resolution of the profile, by how large they are placed' \
    "$(images 13 "$work/ebook.pdf" | sed -n 1p) $(images 13 "$work/screen.pdf" | sed -n 1p) \
$(images 13 "$work/printer.pdf" | sed -n 1p)" '150 96 300'
is 'colour-key masks keep every sample' "$(images 13 "$work/ebook.pdf" | sed -n '6,7p' | xargs)" \
    '600 600'
is 'one-bit images become JBIG2' "$(images 9 "$work/lossless.pdf" | tail -n 9 | head -n 6 | sort -u)" \
    jbig2
is 'JPEG 2000 stays at lossless' "$(images 9 "$work/lossless.pdf" | tail -n 3 | sort -u)" jpx
is 'and becomes JPEG of fewer pixels at ebook' \
    "$(images 9 "$work/ebook.pdf" | tail -n 3 | sort -u) $(images 4 "$work/ebook.pdf" | tail -n 1)" \
    'jpeg 150'
is 'lossless changes no size' "$(images 4 "$work/lossless.pdf" | sort -u)" 600
is 'CMYK stays CMYK' "$(images 6 "$work/ebook.pdf" | grep -c cmyk)" 6
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
ok 'the quality does not bind it' sh -c "[ $(compress "$work/images.pdf" --quality screen \
    --targetSize 90000 >/dev/null && size) -gt $(size "$work/screen.pdf") ]"
ok 'what is small enough loses nothing' compress "$work/images.pdf" --targetSize 2000000
is 'at all' "$(unlike "$work/images.pdf" "$out" 0)" ''
ok 'linearize works' compress "$work/images.pdf" --linearize true
ok 'and linearizes' qpdf --check-linearization "$out"

# Names of pages that show colours, of two renderers; and of those that are not as bright as they
# were, on average, by more than $3.
coloured() {
    rm -f "$work"/[mp]-*.ppm
    mutool draw -q -c rgb -r 60 -o "$work/m-%02d.ppm" "$1" 2>/dev/null
    pdftoppm -r 60 "$1" "$work/p"
    python3 "$here/colours.py" seen "$work"/[mp]-*.ppm
}
ungray() {
    rm -f "$work"/[ab]g-*
    pdftoppm -r 60 "$1" "$work/ag"
    pdftoppm -r 60 "$2" "$work/bg"
    for a in "$work"/ag-*.ppm; do
        python3 "$here/colours.py" bright "$3" "$a" "$work/bg${a#"$work/ag"}"
    done
}
here=$(dirname "$0")
python3 "$here/colours.py" saturated "$work/saturated.pdf"
ok 'a saturated picture at screen' compress "$work/saturated.pdf" --quality screen
for file in "$work/saturated.pdf" "$out"; do
    mutool draw -q -c rgb -r 96 -o "${file%.pdf}.ppm" "$file" 2>/dev/null
done
correlation=$(python3 "$here/colours.py" blue "$work/saturated.ppm" "${out%.pdf}.ppm")
ok 'keeps the detail of its darkest channel' awk -v got="$correlation" 'BEGIN { exit !(got > 0.6) }'

python3 "$here/colours.py" make "$work/colours.pdf"
# What the samples mean is said by /Decode, /Mask and /SMask, which a change of the samples meets.
python3 "$here/masks.py" "$work/masks.pdf"
for quality in screen ebook lossless; do
    ok "masks: $quality works" compress "$work/masks.pdf" --quality $quality
    most=2.5 # edges are softer at 150 dpi
    [ $quality = screen ] && most=4.5
    [ $quality = lossless ] && most=0
    is 'and all that maps or hides samples still does, in two renderers' \
        "$(unlike "$work/masks.pdf" "$out" $most)" ''
    is 'and no /Decode is left for samples of another kind' \
        "$(pdftoppm -r 20 "$out" "$work/said" 2>&1)" ''
    is 'and a picture of few pixels keeps them' "$(images 4 | tail -n 1)" 16
    ok "masks: $quality works in gray" compress "$work/masks.pdf" --quality $quality --grayscale true
    is 'which is as bright as it was, white under a soft mask included' \
        "$(ungray "$work/masks.pdf" "$out" 5)" ''
done
# What no content names leaves; where that is not known all stays.
python3 "$here/unused.py" "$work/unused.pdf"
for kind in outer form broken; do python3 "$here/unused.py" "$work/unused-$kind.pdf" $kind; done
of() { qpdf --json "$out" | grep -c "\"/Subtype\": \"$1\""; }
ok 'a document with more resources than it draws' compress "$work/unused.pdf" --quality lossless
ok 'loses the others' [ "$(of /Image)$(of /Form)$(of /Type1)" = 100 ]
is 'and looks as before' "$(unlike "$work/unused.pdf" "$out" 0)" ''
ok 'one whose form names an image of the page' compress "$work/unused-outer.pdf"
ok 'keeps it, for readers that look for it there' [ "$(of /Image)$(of /Form)" = 21 ]
ok 'one with fields' compress "$work/unused-form.pdf"
ok 'keeps the font of its default resources' [ "$(of /Image)$(of /Type1)" = 11 ]
ok 'one with a content that cannot be read' compress "$work/unused-broken.pdf"
ok 'keeps everything' [ "$(of /Image)$(of /Form)$(of /Type1)" = 311 ]

# Instructions of fonts, which show at few pixels only.
font=$(fc-match -f '%{file}' 'DejaVu Sans:style=Book')
tables() {
    qpdf --show-object="$(qpdf --json "$out" | sed -n 's/.*"\/FontFile2": "\([0-9]*\) 0 R".*/\1/p')" \
        --filtered-stream-data "$out" | head -c 400 | grep -aoE 'fpgm|prep|glyf' | sort | xargs
}
python3 "$here/hinted.py" "$work/hinted.pdf" "$font"
ok 'a font with instructions' compress "$work/hinted.pdf"
is 'has none at ebook' "$(tables)" glyf
is 'and looks as before' "$(unlike "$work/hinted.pdf" "$out" 0.1)" ''
ok 'at printer' compress "$work/hinted.pdf" --quality printer
is 'it keeps them' "$(tables)" 'fpgm glyf prep'
python3 "$here/hinted.py" "$work/tricky.pdf" "$font" tricky
ok 'one whose glyphs may be put together by them' compress "$work/tricky.pdf"
is 'keeps them at ebook' "$(tables)" 'fpgm glyf prep'
python3 "$here/hinted.py" "$work/numbered.pdf" "$font" numbered
ok 'one whose codes have names of numbers' compress "$work/numbered.pdf"
is 'is cut' "$(tables)" glyf
is 'and looks as before' "$(unlike "$work/numbered.pdf" "$out" 0.1)" ''
python3 "$here/hinted.py" "$work/named.pdf" "$font" named
ok 'one whose codes have names that say nothing' compress "$work/named.pdf"
is 'stays whole' "$(tables)" 'fpgm glyf prep'

# Merged documents, each with its own subset of one font.
programs() { qpdf --json "$out" | grep -o '"/FontFile2": "[0-9]* 0 R"' | sort -u | wc -l; }
merged() { # the kinds of the three
    n=0
    for text in ABCDEFGHIJKL GHIJKLMNOPQR MNOPQRSTUVWX; do
        n=$((n + 1))
        python3 "$here/subsets.py" "$work/subset$n.pdf" "$font" $text "$1"
        shift
    done
    qpdf --empty --pages "$work"/subset[123].pdf -- "$work/subsets.pdf"
}
merged plain moved composite
ok 'subsets of one font in merged documents' compress "$work/subsets.pdf" --quality printer
cp "$out" "$work/moved.pdf"
is 'stay apart where the numbers of glyphs mean others' "$(programs)" 2
is 'and look as before' "$(unlike "$work/subsets.pdf" "$out" 0)" ''
for kind in plain composite; do
    merged plain $kind composite
    ok "subsets that agree, $kind" compress "$work/subsets.pdf" --quality printer
    is 'become one' "$(programs)" 1
    is 'which looks as before' "$(unlike "$work/subsets.pdf" "$out" 0)" ''
    is 'with the same text' "$(pdftotext "$out" -)" "$(pdftotext "$work/subsets.pdf" -)"
    ok 'and takes less' [ "$(size)" -lt $(($(size "$work/moved.pdf") * 3 / 4)) ]
    ok 'soundly' sound
done

# The first is one document, the second three with a map each.
map_document() { python3 "$here/subsets.py" "$work/subsets.pdf" "$font" WORD mapped; }
for made in map_document 'merged mapped mapped mapped'; do
    $made
    ok "codes that a map leads to glyphs, by $made" compress "$work/subsets.pdf"
    ok 'lose the map of those that are never shown' [ "$(size)" -lt $(($(size "$work/subsets.pdf") / 5)) ]
    is 'and look as before' "$(unlike "$work/subsets.pdf" "$out" 0.1)" ''
    is 'with the same text' "$(pdftotext "$out" -)" "$(pdftotext "$work/subsets.pdf" -)"
done

# Embedded fonts of a form, by name.
embedded() { pdffonts "$out" | awk 'NR > 2 && / yes / { sub(/^[A-Z]*[+]/, "", $1); print $1 }' | sort | xargs; }
default_fonts() {
    qpdf --qdf --object-streams=disable "$out" - | grep -aoE '^ +/(Used|Shown|Idle) ' | sort -u | tr -d '/' | xargs
}
for kind in plain rich; do
    python3 "$here/form_fonts.py" "$work/$kind.pdf" "$font" $kind
    ok "$kind: a form whose fields are set in one font of three" compress "$work/$kind.pdf"
    cp "$out" "$work/$kind.out.pdf"
    is 'looks as before' "$(unlike "$work/$kind.pdf" "$out" 0.1)" ''
    [ $kind = plain ] && is 'has those that are named' "$(default_fonts)" 'Shown Used'
done
is 'with rich text it has all' "$(default_fonts)" 'Idle Shown Used'
ok 'the font that only the page shows is cut to what it shows' \
    [ "$(size "$work/plain.out.pdf")" -lt $(($(size "$work/rich.out.pdf") / 2)) ]

# Profiles that say what a screen shows anyway.
profiles() { qpdf --json "$out" | grep -c '"/N": [13]'; }
python3 "$here/profiles.py" "$work/profiles.pdf"
ok 'colours by an sRGB profile' compress "$work/profiles.pdf"
is 'need none at ebook' "$(profiles)" 0
is 'and look as before' "$(unlike "$work/profiles.pdf" "$out" 0.5)" ''
ok 'at printer' compress "$work/profiles.pdf" --quality printer
is 'they keep it' "$(profiles)" 2
for kind in wide:1 bright:2 tables:1 cut:2 default:2 intent:2; do
    python3 "$here/profiles.py" "$work/profiles.pdf" ${kind%:*}
    ok "colours by a profile, ${kind%:*}" compress "$work/profiles.pdf"
    is 'need those that are not what the device is' "$(profiles)" "${kind#*:}"
done

# A printer's profile. Poppler is the one of the two renderers that reads profiles.
unlike_printed() {
    pdftoppm -r 72 -png -singlefile "$1" "$work/ap" 2>/dev/null
    pdftoppm -r 72 -png -singlefile "$2" "$work/bp" 2>/dev/null
    # shellcheck disable=SC2046 # two numbers
    set -- $("$COMPARE" "$work/ap.png" "$work/bp.png" || echo 255 255)
    awk -v mean="$1" 'BEGIN { if (mean > 0.8) print mean }'
}
printers() { qpdf --qdf --object-streams=disable "$out" - | grep -acE '^ +/N 4$'; }
"$MAKE_PROFILE" "$work/printer.icc"
for kind in plain:0 spot:0 twins:0 shading:0 deep:0 mixed:1 turned:1 ground:1 mesh:1 intent:1 claim:1 \
    inherited:1 cut:1 glyphs:0 parts:1; do
    python3 "$here/print_profile.py" "$work/print.pdf" "$work/printer.icc" ${kind%:*}
    ok "colours by a printer's profile, ${kind%:*}" compress "$work/print.pdf"
    is 'need it where it is more than colours of content and images' "$(printers)" "${kind#*:}"
    is 'and images stay in its colours then' "$(images 7 | grep -c 4)" "${kind#*:}"
    [ $kind = cut:1 ] || is 'and look as before' "$(unlike_printed "$work/print.pdf" "$out")" ''
    [ $kind = plain:0 ] && ok 'and take little' [ "$(size)" -lt 4000 ]
done
python3 "$here/print_profile.py" "$work/print.pdf" "$work/printer.icc"
ok 'at printer' compress "$work/print.pdf" --quality printer
is 'they keep it' "$(printers)" 1

for file in colours images; do
    ok "$file: grayscale works" compress "$work/$file.pdf" --grayscale true --quality lossless
    ok 'and gives a sound document' sound
    is 'no page shows a colour, in two renderers' "$(coloured "$out")" ''
    is 'and each is as bright as it was' "$(ungray "$work/$file.pdf" "$out" 5)" ''
done
{
    printf '%%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n'
    printf '2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n'
    printf '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R/Resources<<>>>>\nendobj\n'
    printf '4 0 obj\n<</Length 44000>>\nstream\n'
    yes '1 0 0 rg 0 0 9 9 re f' | head -n 2000
    printf 'endstream\nendobj\ntrailer\n<</Root 1 0 R/Size 5>>\n'
} >"$work/red.pdf"
qpdf --warning-exit-0 "$work/red.pdf" "$work/packed.pdf" 2>/dev/null
saved_content() { compress "$@" | awk '/^(report:|figure) savedContent/ { print $NF }'; }
ok 'content that becomes gray saves no more than it took' \
    [ "$(saved_content "$work/packed.pdf" --grayscale true)" -lt "$(size "$work/packed.pdf")" ]
ok 'without it pages have colours' [ "$(coloured "$work/colours.pdf" | wc -l)" -gt 30 ]
ok 'at ebook' compress "$work/images.pdf" --grayscale true
is 'there are none either' "$(coloured "$out")" ''
is 'and images are gray' "$(images 6 | grep -Evx 'gray|index|-')" ''
ok 'what was gray before is as without' sh -c "[ $(compress "$SAMPLES/plain.pdf" \
    --grayscale true >/dev/null && size) = $(compress "$SAMPLES/plain.pdf" >/dev/null && size) ]"

python3 "$here/fields.py" "$work/fields.pdf" fonts
ok 'a form without appearances, in fonts that are no objects of their own' \
    timeout 60 "$runner" run compress "$work/fields.pdf" -o "$out"
ok 'a signed document' compress "$SAMPLES/signed.pdf" --quality lossless
code=signature_invalidated
ok 'is warned of' warns "$SAMPLES/signed.pdf"
ok 'one with usage rights alone' compress "$SAMPLES/rights.pdf"
ok 'is not' sh -c "! '$runner' run compress '$SAMPLES/rights.pdf' -o '$out' 2>&1 | grep signature"

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
ok 'and is about as small' [ "$(size)" -lt $(($(size "$work/ebook.pdf") + 6000)) ]
qpdf --decrypt --password=secret "$out" "$work/open.pdf"
is 'and looks as before' "$(unlike "$work/images.pdf" "$work/open.pdf" 2.5)" ''
cp "$SAMPLES/features.pdf" "$work/features.pdf"
for kind in '40 --allow-weak-crypto' '128 --use-aes=n --allow-weak-crypto' '128 --use-aes=y' \
    '128 --use-aes=y --cleartext-metadata' '256' '256 --cleartext-metadata'; do
    weak=${kind#*--allow-weak-crypto}
    [ "$weak" = "$kind" ] && weak= || weak=--allow-weak-crypto
    # shellcheck disable=SC2086 # words
    qpdf $weak --encrypt us ow ${kind%--allow-weak-crypto} -- "$work/features.pdf" "$work/kind.pdf"
    ok "encryption with $kind" compress "$work/kind.pdf" --inputPassword ow
    ok 'stays' qpdf --check --password=us "$out"
    qpdf --decrypt --password=ow "$out" "$work/open.pdf"
    is 'with all that was there' "$(words "$work/open.pdf")" "$(words "$SAMPLES/features.pdf")"
    is 'and the text' "$(pdftotext -upw us "$out" -)" "$(pdftotext "$SAMPLES/features.pdf" -)"
done
qpdf --object-streams=disable --encrypt us ow 256 -- "$work/features.pdf" "$work/kind.pdf"
/usr/bin/python3 "$(dirname "$0")/crypt_filters.py" "$work/kind.pdf" "$work/apart.pdf"
(cd "$(dirname "$0")" && /usr/bin/python3 - "$work/named.pdf") <<'END'
import sys
import pdf_builder
objects = pdf_builder.Objects()
font = objects.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
form = objects.add("/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<</Font<</F %d 0 R>>"
                   "/Properties<</P<</Type/Metadata>>>>>>" % font,
                   "/Span/P BDC BT /F 12 Tf 10 10 Td (words of a form) Tj ET EMC")
content = objects.add("", "/X Do")
page = objects.add("<</Type/Page/Parent %d 0 R/MediaBox[0 0 200 200]/Contents %d 0 R"
                   "/Resources<</XObject<</X %d 0 R>>>>>>" % (len(objects) + 2, content, form))
pages = objects.add("<</Type/Pages/Count 1/Kids[%d 0 R]>>" % page)
pdf_builder.save(sys.argv[1], objects, objects.add("<</Type/Catalog/Pages %d 0 R>>" % pages))
END
qpdf --encrypt us ow 256 --cleartext-metadata -- "$work/named.pdf" "$work/kind.pdf"
ok 'a stream with metadata in its dictionary' compress "$work/kind.pdf" --inputPassword ow
is 'is encrypted like all others' "$(pdftotext -upw us "$out" - | head -n 1)" 'words of a form'
ok 'crypt filters that are an object of their own' compress "$work/apart.pdf" --inputPassword ow
ok 'are found by the result' mutool info -p us "$out"
is 'in two readers' "$(pdftotext -upw us "$out" -)" "$(pdftotext "$SAMPLES/features.pdf" -)"

# Two fields and two boxes of the same looks, which draw two forms that are the same too.
{
    printf '%%PDF-1.7\n'
    while read -r n text; do
        printf '%d 0 obj\n%s\nendobj\n\n' "$n" "$text"
    done <<'END'
1 <</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 5 0 R 6 0 R 7 0 R]>>>>
2 <</Type/Pages/Kids[3 0 R]/Count 1>>
3 <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Annots[4 0 R 5 0 R 6 0 R 7 0 R]>>
4 <</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 50 10]/AP<</N 10 0 R>>>>
5 <</Type/Annot/Subtype/Widget/FT/Tx/T(b)/Rect[0 20 50 30]/AP<</N 11 0 R>>>>
6 <</Type/Annot/Subtype/Widget/FT/Btn/T(c)/Rect[0 40 50 50]/AS/On/AP<</N<</On 12 0 R>>>>>>
7 <</Type/Annot/Subtype/Widget/FT/Btn/T(d)/Rect[0 60 50 70]/AS/On/AP 8 0 R>>
8 <</N 9 0 R>>
9 <</On 13 0 R>>
END
    for n in 10 11 12 13; do
        printf '%d 0 obj\n<</Subtype/Form/BBox[0 0 50 10]/Resources<</XObject<</X %d 0 R>>>>' \
            $n $((n + 4))
        printf '/Length 5>>\nstream\n/X Do\nendstream\nendobj\n\n'
    done
    for n in 14 15 16 17; do
        printf '%d 0 obj\n<</Subtype/Form/BBox[0 0 50 10]/Length 1>>\n' $n
        printf 'stream\nn\nendstream\nendobj\n\n'
    done
    printf 'trailer\n<</Root 1 0 R/Size 18>>\n'
} >"$work/rough.pdf"
qpdf --warning-exit-0 "$work/rough.pdf" "$work/alike.pdf" 2>/dev/null
ok 'fields that look the same' compress "$work/alike.pdf" --quality lossless
# How often something is drawn by what stands in the document.
drawn() { qpdf --qdf --object-streams=disable "$out" - | grep -acx "$1"; }
is 'keep an appearance each, as viewers write into them' "$(drawn '/X Do')" 4
is 'which share what they draw' "$(drawn n)" 1

# A picture of 600 by 600 pixels on two inches, whose gray levels are mixed of pixels as a halftone
# screen mixes them.
{
    printf '%%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n'
    printf '2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n'
    printf '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 144 144]/Contents 4 0 R'
    printf '/Resources<</XObject<</I 5 0 R>>>>>>\nendobj\n'
    printf '4 0 obj\n<</Length 24>>\nstream\n144 0 0 144 0 0 cm /I Do\nendstream\nendobj\n'
    printf '5 0 obj\n<</Subtype/Image/Width 600/Height 600/ColorSpace/DeviceGray/BitsPerComponent 8'
    printf '/Filter/ASCIIHexDecode/Length 720001>>\nstream\n'
    awk 'BEGIN { for (y = 0; y < 600; y++) for (x = 0; x < 600; x++)
        printf "%02x", int(127 + 60 * sin(x / 40) * cos(y / 60) + ((x + y) % 2 ? 60 : -60)) }'
    printf '>\nendstream\nendobj\ntrailer\n<</Root 1 0 R/Size 6>>\n'
} >"$work/rough.pdf"
qpdf --warning-exit-0 "$work/rough.pdf" "$work/halftone.pdf" 2>/dev/null
ok 'a halftone finer than the resolution asked for' compress "$work/halftone.pdf"
is 'does not keep the picture at a higher one' "$(images 13)" 150
is 'and looks as before' "$(unlike "$work/halftone.pdf" "$out" 4)" ''

# A colour picture of 300 by 300 pixels on one inch, whose data stand in the content of the page.
{
    printf '%%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n'
    printf '2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n'
    printf '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R/Resources<<>>>>\n'
    printf 'endobj\n4 0 obj\n<</Length 540081>>\nstream\nq 72 0 0 72 0 0 cm '
    printf 'BI /W 300 /H 300 /CS /RGB /BPC 8 /F /AHx ID '
    awk 'BEGIN { for (y = 0; y < 300; y++) for (x = 0; x < 300; x++)
        printf "%02x%02x%02x", 127 + 120 * sin(x / 40), 127 + 120 * cos(y / 60), (x + y) / 3 }'
    printf '>\nEI Q\nendstream\nendobj\ntrailer\n<</Root 1 0 R/Size 5>>\n'
} >"$work/rough.pdf"
qpdf --warning-exit-0 "$work/rough.pdf" "$work/inline.pdf" 2>/dev/null
ok 'a large inline image' compress "$work/inline.pdf"
is 'is reduced like any other' "$(images 4)" 150
is 'what is saved counts from its share of the content' \
    "$(compress "$work/inline.pdf" | awk '/^(report:|figure) saved/ && $NF < -1000')" ''
is 'and not inline any more' "$(pdfimages -list "$out" | grep -c inline)" 0
is 'and looks as before' "$(unlike "$work/inline.pdf" "$out" 2)" ''
ok 'losing nothing' compress "$work/inline.pdf" --quality lossless
is 'it looks the same' "$(unlike "$work/inline.pdf" "$out" 0)" ''

# Two forms of a few bytes each, with equal transparency groups and keys that say what is usual.
{
    printf '%%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n'
    printf '2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n'
    printf '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R'
    printf '/Resources<</XObject<</A 5 0 R/B 6 0 R>>>>>>\nendobj\n'
    printf '4 0 obj\n<</Length 11>>\nstream\n/A Do /B Do\nendstream\nendobj\n'
    for i in 5 6; do
        printf '%d 0 obj\n<</Type/XObject/Subtype/Form/BBox[0 0 72 72]/Matrix[1 0 0 1 0 0]/FormType 1' $i
        printf '/Group %d 0 R/Length 18>>\nstream\n1 0 0 rg %d 9 5 5 re f\nendstream\nendobj\n' $((i + 2)) $i
    done
    for i in 7 8; do printf '%d 0 obj\n<</S/Transparency/I true/K false>>\nendobj\n' $i; done
    printf 'trailer\n<</Root 1 0 R/Size 9>>\n'
} >"$work/rough.pdf"
qpdf --warning-exit-0 "$work/rough.pdf" "$work/forms.pdf" 2>/dev/null
ok 'small forms' compress "$work/forms.pdf"
is 'have no filter, whose name is longer than what it saves' "$(grep -ac 're f' "$out")" 2
is 'share equal groups and say nothing twice' \
    "$(qpdf --qdf --object-streams=disable "$out" - | grep -aEo '/(Matrix|FormType|Transparency)')" /Transparency
is 'and look as before' "$(unlike "$work/forms.pdf" "$out" 0)" ''

# Lines of text as a printer driver draws them: many small JPEG images, here of rules and squares.
/usr/bin/python3 - "$work/rules.pdf" <<'END'
import io
import sys
from PIL import Image

bodies = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"]
pictures = []
for i in range(20):
    rule = Image.new("RGB", (200, 2), "white")
    squares = Image.new("RGB", (160, 16), "white")
    squares.paste((0, 0, 0), (8 * i, 0, 8 * i + 8, 16))
    pictures += [rule, squares]
names = "".join(f"/P{i} {i + 5} 0 R" for i in range(len(pictures)))
bodies.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 400]/Contents 4 0 R/Resources<</XObject<<{names}>>>>>>".encode())
content = "".join(f"q {p.width / 2} 0 0 {p.height / 2} 0 {400 - 10 * i - 10} cm /P{i} Do Q " for i, p in enumerate(pictures)).encode()
bodies.append(f"<</Length {len(content)}>>stream\n".encode() + content + b"\nendstream")
for picture in pictures:
    jpeg = io.BytesIO()
    picture.save(jpeg, "JPEG", quality=90)
    bodies.append(f"<</Type/XObject/Subtype/Image/Width {picture.width}/Height {picture.height}/ColorSpace/DeviceRGB"
                  f"/BitsPerComponent 8/Filter/DCTDecode/Length {len(jpeg.getvalue())}>>stream\n".encode()
                  + jpeg.getvalue() + b"\nendstream")
with open(sys.argv[1], "wb") as file:
    file.write(b"%PDF-1.7\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (i + 1, b) for i, b in enumerate(bodies)))
    file.write(b"trailer\n<</Root 1 0 R/Size %d>>\n" % (len(bodies) + 1))
END
qpdf --warning-exit-0 "$work/rules.pdf" "$work/whole-rules.pdf" 2>/dev/null
ok 'small JPEG images of few shades' compress "$work/whole-rules.pdf"
is 'are stored without JPEG, whose tables take more than they do' "$(images 9 | sort -u)" image
ok 'in a fifth of the size' [ "$(size)" -lt 7000 ]
is 'and look as before' "$(unlike "$work/whole-rules.pdf" "$out" 0)" ''
is 'and say nothing that readers take for granted' \
    "$(grep -acE '/Type/XObject|/Colors 1|Predictor.*BitsPerComponent 8>>' "$out")" 0
ok 'but stay what they are' compress "$work/whole-rules.pdf" --quality prepress
is 'where nothing may be lost' "$(images 9 | sort -u)" jpeg

# A picture that a path clips a hundredth of a pixel, at 48 dpi, into the next one, where one reader draws a path and a rectangle
# of the same corners differently, beside a photograph of 300 dpi.
/usr/bin/python3 - "$work/edges.pdf" <<'END'
import random
import sys
import zlib

random.seed(1)
photo, x = bytearray(), 128
for i in range(300 * 300):
    x = max(0, min(255, x + random.randrange(-9, 10)))
    photo.append(x)
pictures = [(300, 300, bytes(photo)), (40, 40, bytes(random.randrange(20) for _ in range(1600)))]
content = b"q 72 0 0 72 20 20 cm /P0 Do Q q 6 180 m 10.515 180 l 10.515 192 l 6 192 l h W* n 4.515 0 0 12 6 180 cm /P1 Do Q"
bodies = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
          b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 198 198]/Contents 4 0 R/Resources<</XObject<</P0 5 0 R/P1 6 0 R>>>>>>",
          b"<</Length %d>>stream\n%s\nendstream" % (len(content), content)]
for width, height, samples in pictures:
    data = zlib.compress(samples)
    bodies.append(b"<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode"
                  b"/Length %d>>stream\n%s\nendstream" % (width, height, len(data), data))
with open(sys.argv[1], "wb") as file:
    file.write(b"%PDF-1.7\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (i + 1, b) for i, b in enumerate(bodies)))
    file.write(b"trailer\n<</Root 1 0 R/Size %d>>\n" % (len(bodies) + 1))
END
qpdf --warning-exit-0 "$work/edges.pdf" "$work/edge.pdf" 2>/dev/null
ok 'a page of which a pixel differs at the resolution of the comparison' compress "$work/edge.pdf"
is 'is not kept for that' "$(images 13 | head -n 1)" 150

python3 "$here/crowds.py" "$work"
ok 'a picture that covers a page, at screen' compress "$work/whole.pdf" --quality screen
whole=$(images 13 | sort -nu)
ok 'and the same one in strips' compress "$work/strips.pdf" --quality screen
is 'keep as many pixels: what strips lose adds up' "$(images 13 | sort -nu)" "$whole"
ok 'a picture of fine colours' compress "$work/fine.pdf" --quality screen
ok 'takes the bytes that its colours need, however low the quality' [ "$(size)" -gt 350000 ]
for name in strips fine; do
    ok "$name: a lower quality is never larger" is_rising "$work/$name.pdf"
done

python3 "$here/opentype.py" "$work/rough.pdf"
qpdf --warning-exit-0 "$work/rough.pdf" "$work/opentype.pdf" 2>/dev/null
ok 'an OpenType font with CFF outlines' compress "$work/opentype.pdf"
ok 'loses the glyphs that are not shown, and their names' [ "$(size)" -lt $(($(size "$work/opentype.pdf") / 3)) ]
ok 'but stays OpenType' sh -c "pdffonts '$out' | grep -q 'Type 0C (OT)'"
is 'and looks as before' "$(unlike "$work/opentype.pdf" "$out" 0)" ''

"$MAKE_TYPE1" "$work/type1.pdf"
ok 'a Type 1 font' compress "$work/type1.pdf"
ok 'becomes CFF, which its descriptor says' sh -c "pdffonts '$out' | grep -q 'Type 1C'"
ok 'as the file does' sound
ok 'of the glyphs that are shown' [ "$(size)" -lt 1500 ]
is 'its name has the tag of a subset, once in the font and once in its descriptor' \
    "$(qpdf --qdf --object-streams=disable "$out" - | grep -aEc '/(BaseFont|FontName) /[A-Z]{6}[+]Test$')" 2
is 'a list of glyphs that are gone is gone' "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac CharSet)" 0
is 'its text is found as before' "$(pdftotext "$out" -)" "$(pdftotext "$work/type1.pdf" -)"
is 'and looks as before' "$(unlike "$work/type1.pdf" "$out" 0)" ''

code=invalid_parameter
ok 'another quality is refused' says "$work/images.pdf" --quality best
code=corrupt_file
echo '%PDF-1.7 and nothing else' >"$work/junk.pdf"
ok 'what no reader can open is refused' says "$work/junk.pdf"
compress "$SAMPLES/pdfa1.pdf" >/dev/null
ok 'a PDF/A-1 stays one' like_pdfa1 "$out"
ok 'and gets smaller' smaller "$out" "$SAMPLES/pdfa1.pdf"
done_testing
