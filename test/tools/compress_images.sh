#!/bin/sh
# compress: images and their colours, checked with qpdf, poppler and MuPDF. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/compress_look.sh"

"$MAKE_IMAGES" "$work/images.pdf"
ok 'in gray a lower quality is never larger' is_rising "$work/images.pdf" --grayscale true

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
    echo '<</Type/Catalog/Pages 2 0 R>>'
    echo '<</Type/Pages/Kids[3 0 R]/Count 1>>'
    echo '<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R/Resources<<>>>>'
    echo "<<>> stream $(yes '1 0 0 rg 0 0 9 9 re f' | head -n 2000 | tr '\n' ' ')"
} | build "$work/packed.pdf"
saved_content() { compress "$@" | awk '/^(report:|figure) savedContent/ { print $NF }'; }
ok 'content that becomes gray saves no more than it took' \
    [ "$(saved_content "$work/packed.pdf" --grayscale true)" -lt "$(size "$work/packed.pdf")" ]
ok 'without it pages have colours' [ "$(coloured "$work/colours.pdf" | wc -l)" -gt 30 ]
ok 'at ebook' compress "$work/images.pdf" --grayscale true
is 'there are none either' "$(coloured "$out")" ''
is 'and images are gray' "$(images 6 | grep -Evx 'gray|index|-')" ''
ok 'what was gray before is as without' sh -c "[ $(compress "$SAMPLES/plain.pdf" \
    --grayscale true >/dev/null && size) = $(compress "$SAMPLES/plain.pdf" >/dev/null && size) ]"

# A picture of 600 by 600 pixels on two inches, whose gray levels are mixed of pixels as a halftone
# screen mixes them.
{
    echo '<</Type/Catalog/Pages 2 0 R>>'
    echo '<</Type/Pages/Kids[3 0 R]/Count 1>>'
    echo '<</Type/Page/Parent 2 0 R/MediaBox[0 0 144 144]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>'
    echo '<<>> stream 144 0 0 144 0 0 cm /I Do'
    printf '<</Subtype/Image/Width 600/Height 600/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/ASCIIHexDecode>> stream '
    awk 'BEGIN { for (y = 0; y < 600; y++) for (x = 0; x < 600; x++)
        printf "%02x", int(127 + 60 * sin(x / 40) * cos(y / 60) + ((x + y) % 2 ? 60 : -60)) }'
    echo '>'
} | build "$work/halftone.pdf"
ok 'a halftone finer than the resolution asked for' compress "$work/halftone.pdf"
is 'does not keep the picture at a higher one' "$(images 13)" 150
is 'and looks as before' "$(unlike "$work/halftone.pdf" "$out" 4)" ''

# A colour picture of 300 by 300 pixels on one inch, whose data stand in the content of the page.
{
    echo '<</Type/Catalog/Pages 2 0 R>>'
    echo '<</Type/Pages/Kids[3 0 R]/Count 1>>'
    echo '<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R/Resources<<>>>>'
    printf '<<>> stream q 72 0 0 72 0 0 cm BI /W 300 /H 300 /CS /RGB /BPC 8 /F /AHx ID '
    awk 'BEGIN { for (y = 0; y < 300; y++) for (x = 0; x < 300; x++)
        printf "%02x%02x%02x", 127 + 120 * sin(x / 40), 127 + 120 * cos(y / 60), (x + y) / 3 }'
    echo '> EI Q'
} | build "$work/inline.pdf"
ok 'a large inline image' compress "$work/inline.pdf"
is 'is reduced like any other' "$(images 4)" 150
is 'what is saved counts from its share of the content' \
    "$(compress "$work/inline.pdf" | awk '/^(report:|figure) saved/ && $NF < -1000')" ''
is 'and not inline any more' "$(pdfimages -list "$out" | grep -c inline)" 0
is 'and looks as before' "$(unlike "$work/inline.pdf" "$out" 2)" ''
ok 'losing nothing' compress "$work/inline.pdf" --quality lossless
is 'it looks the same' "$(unlike "$work/inline.pdf" "$out" 0)" ''

# Lines of text as a printer driver draws them: many small JPEG images, here of rules and squares.
/usr/bin/python3 - "$here" "$work/rules.pdf" <<'END'
import io
import sys
from PIL import Image

sys.path.append(sys.argv[1])
from pdf_builder import save, stream

bodies = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"]
pictures = []
for i in range(20):
    rule = Image.new("RGB", (200, 2), "white")
    squares = Image.new("RGB", (160, 16), "white")
    squares.paste((0, 0, 0), (8 * i, 0, 8 * i + 8, 16))
    pictures += [rule, squares]
names = "".join(f"/P{i} {i + 5} 0 R" for i in range(len(pictures)))
bodies.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 400]/Contents 4 0 R/Resources<</XObject<<{names}>>>>>>")
content = "".join(f"q {p.width / 2} 0 0 {p.height / 2} 0 {400 - 10 * i - 10} cm /P{i} Do Q " for i, p in enumerate(pictures))
bodies.append(stream(content))
for picture in pictures:
    jpeg = io.BytesIO()
    picture.save(jpeg, "JPEG", quality=90)
    bodies.append(stream(jpeg.getvalue(), f"/Type/XObject/Subtype/Image/Width {picture.width}/Height {picture.height}"
                         "/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode"))
save(sys.argv[2], bodies)
END
qpdf "$work/rules.pdf" "$work/whole-rules.pdf"
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
/usr/bin/python3 - "$here" "$work/edges.pdf" <<'END'
import random
import sys
import zlib

sys.path.append(sys.argv[1])
from pdf_builder import save, stream

random.seed(1)
photo, x = bytearray(), 128
for i in range(300 * 300):
    x = max(0, min(255, x + random.randrange(-9, 10)))
    photo.append(x)
pictures = [(300, 300, bytes(photo)), (40, 40, bytes(random.randrange(20) for _ in range(1600)))]
content = b"q 72 0 0 72 20 20 cm /P0 Do Q q 6 180 m 10.515 180 l 10.515 192 l 6 192 l h W* n 4.515 0 0 12 6 180 cm /P1 Do Q"
bodies = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
          "<</Type/Page/Parent 2 0 R/MediaBox[0 0 198 198]/Contents 4 0 R/Resources<</XObject<</P0 5 0 R/P1 6 0 R>>>>>>",
          stream(content)]
for width, height, samples in pictures:
    bodies.append(stream(zlib.compress(samples), f"/Type/XObject/Subtype/Image/Width {width}/Height {height}"
                         "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode"))
save(sys.argv[2], bodies)
END
qpdf "$work/edges.pdf" "$work/edge.pdf"
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
done_testing
