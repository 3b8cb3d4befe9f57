#!/bin/sh
# compress: qualities, sizes and what documents keep, checked with qpdf, poppler and MuPDF. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/compress_look.sh"
. "$(dirname "$0")/pdfa1.sh"

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
for name in images plain features shared boxes; do
    file=$SAMPLES/$name.pdf
    [ $name = images ] && file=$work/images.pdf
    ok "$name: a lower quality is never larger" is_rising "$file"
done
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
    cat <<'END'
<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 5 0 R 6 0 R 7 0 R]>>>>
<</Type/Pages/Kids[3 0 R]/Count 1>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Annots[4 0 R 5 0 R 6 0 R 7 0 R]>>
<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 50 10]/AP<</N 10 0 R>>>>
<</Type/Annot/Subtype/Widget/FT/Tx/T(b)/Rect[0 20 50 30]/AP<</N 11 0 R>>>>
<</Type/Annot/Subtype/Widget/FT/Btn/T(c)/Rect[0 40 50 50]/AS/On/AP<</N<</On 12 0 R>>>>>>
<</Type/Annot/Subtype/Widget/FT/Btn/T(d)/Rect[0 60 50 70]/AS/On/AP 8 0 R>>
<</N 9 0 R>>
<</On 13 0 R>>
END
    for n in 14 15 16 17; do
        echo "<</Subtype/Form/BBox[0 0 50 10]/Resources<</XObject<</X $n 0 R>>>>>> stream /X Do"
    done
    for n in 14 15 16 17; do
        echo '<</Subtype/Form/BBox[0 0 50 10]>> stream n'
    done
} | build "$work/alike.pdf"
ok 'fields that look the same' compress "$work/alike.pdf" --quality lossless
# How often something is drawn by what stands in the document.
drawn() { qpdf --qdf --object-streams=disable "$out" - | grep -acx "$1"; }
is 'keep an appearance each, as viewers write into them' "$(drawn '/X Do')" 4
is 'which share what they draw' "$(drawn n)" 1

# Two forms of a few bytes each, with equal transparency groups and keys that say what is usual.
{
    echo '<</Type/Catalog/Pages 2 0 R>>'
    echo '<</Type/Pages/Kids[3 0 R]/Count 1>>'
    echo '<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R/Resources<</XObject<</A 5 0 R/B 6 0 R>>>>>>'
    echo '<<>> stream /A Do /B Do'
    for i in 5 6; do
        printf '<</Type/XObject/Subtype/Form/BBox[0 0 72 72]/Matrix[1 0 0 1 0 0]/FormType 1/Group %d 0 R>> ' $((i + 2))
        echo "stream 1 0 0 rg $i 9 5 5 re f"
    done
    for _ in 7 8; do echo '<</S/Transparency/I true/K false>>'; done
} | build "$work/forms.pdf"
ok 'small forms' compress "$work/forms.pdf"
is 'have no filter, whose name is longer than what it saves' "$(grep -ac 're f' "$out")" 2
is 'share equal groups and say nothing twice' \
    "$(qpdf --qdf --object-streams=disable "$out" - | grep -aEo '/(Matrix|FormType|Transparency)')" /Transparency
is 'and look as before' "$(unlike "$work/forms.pdf" "$out" 0)" ''

code=invalid_parameter
ok 'another quality is refused' says "$work/images.pdf" --quality best
code=corrupt_file
echo '%PDF-1.7 and nothing else' >"$work/junk.pdf"
ok 'what no reader can open is refused' says "$work/junk.pdf"
compress "$SAMPLES/pdfa1.pdf" >/dev/null
ok 'a PDF/A-1 stays one' like_pdfa1 "$out"
ok 'and gets smaller' smaller "$out" "$SAMPLES/pdfa1.pdf"
done_testing
