#!/bin/sh
# jpg-to-pdf, judged by Pillow, poppler, qpdf and MuPDF. $1 runs a tool: `$1 run jpg-to-pdf FILE...
# -o OUT`.
. "$(dirname "$0")/tap.sh"
runner=$(readlink -f "$1")
out=$work/out.pdf
python=/usr/bin/python3 # Debian's, which has its packages
pictures=$(readlink -f "$(dirname "$0")")/pictures.py
"$python" "$pictures" make "$work"
cd "$work" || exit 1

convert() { rm -f "$out" && "$runner" run jpg-to-pdf "$@" -o "$out" 2>&1; }
says() { ! convert "$@" >"$work/said" && grep -q "$code" "$work/said"; }
warns() { convert "$@" | grep -q "$code"; }
sound() { qpdf --check "$out"; }
shows() { "$python" "$pictures" shows "$out" "$@"; }
holds() { "$python" "$pictures" holds "$out" "$@"; }
# "jpeg cmyk 8": how the first picture is held.
held() { pdfimages -list "$out" | awk 'NR == 3 { print $9, $6, $8 }'; }
untouched() { convert "$1" && pdfimages -all "$out" p && cmp "$1" "p-000.$2"; }
# "48 36": the first page's size in points.
page() { pdfinfo "$out" | awk '/^Page size:/ { print $3, $5 }'; }
pages() { pdfinfo "$out" | awk '/^Pages:/ { print $2 }'; }

# JPEG: the same bytes, seen right.
for name in rgb gray progressive cmyk cmyk_plain ycck icc no_density exif_density; do
    ok "$name.jpg goes in byte for byte" untouched $name.jpg jpg
    ok 'into a sound PDF' sound
done
for name in rgb gray progressive icc rgb_ids; do
    convert $name.jpg >said
    ok "$name.jpg looks as it should to MuPDF" shows $name.jpg mutool 1
    ok 'and to poppler' shows $name.jpg pdftoppm 8
done
for name in cmyk ycck; do
    convert $name.jpg >said
    ok "$name.jpg, inverted as Adobe does it, looks right to MuPDF" shows $name.jpg mutool 1.5
    ok 'and to poppler, which mixes inks in another way' shows $name.jpg pdftoppm 45
done
convert cmyk_plain.jpg >said
ok 'without their marker nothing is inverted' shows cmyk.jpg mutool 3
ok 'in no renderer' shows cmyk.jpg pdftoppm 40
convert icc.jpg >said
is 'a profile in two pieces is joined' "$(held)" 'jpeg icc 8'
code=profile_ignored
ok 'a broken one is left out with a warning' warns icc_broken.jpg
is 'and the colours are the device'\''s' "$(held)" 'jpeg rgb 8'
for i in 1 2 3 4 5 6 7 8; do
    ok "Exif orientation $i: the bytes stay" untouched exif$i.jpg jpg
    ok 'and the picture stands upright' shows exif$i.jpg mutool 1
    convert orient$i.tif >said
    ok "and so does a TIFF with orientation $i" shows exif$i.jpg mutool 7
done
convert trailer.jpg >said
ok 'what follows the picture stays out' sh -c "pdfimages -all '$out' t && cmp rgb.jpg t-000.jpg"

# Everything else without loss.
lossless="rgb.png gray.png bits.png palette.png icc.png opaque.png interlaced.png deep.png rgb.tif
    lzw.tif gray.tif palette.tif planar.tif tiles.tif big_end.tif g4.tif g4_strips.tif g3.tif
    g3_strips.tif jpeg_strips.tif rle.tif rle_strips.tif white.tif pages.tif rgb.bmp palette.bmp
    bits.bmp nibbles.bmp rle4.bmp rle8.bmp top_down.bmp rgb.gif interlaced.gif moving.gif lossless.webp
    lossy.webp moving.webp"
for name in $lossless; do
    convert "$name" >said
    ok "$name looks the same" shows "$name" mutool
    ok 'in a sound PDF' sound
done
convert fields.bmp >said
ok 'a BMP of 5 and 6 bits looks the same but for rounding' shows fields.bmp mutool 1
for name in twelve ten_planar fourteen_tiles; do
    convert $name.tif >said
    ok "a TIFF of other than whole bytes looks as others do: $name" shows rgb.png mutool
    is 'and keeps all its bits' "$(held)" 'image rgb 16'
done
convert four.tif >said
ok 'four bits a colour are rounded' shows rgb.png mutool 7
convert one.tif >said
ok 'and one is all or nothing' shows one.png mutool
for name in pointer short unset; do
    convert $name.bmp >said
    ok "a BMP of another header looks as others do: $name" shows rgb.bmp mutool
done
convert runs_down.bmp >said
ok 'run lengths may go from top to bottom' shows palette.bmp mutool
convert five.bmp >said
ok 'five bits a colour, and one of opacity' shows rgb.bmp mutool 4
for name in rgb.png gray.png bits.png palette.png interlaced.png lzw.tif tiles.tif rgb.bmp \
    rle8.bmp rgb.gif lossless.webp; do
    convert "$name" >said
    ok "$name comes out sample by sample" holds "$name"
done
for name in alpha.png alpha.tif alpha.webp key.png key.gif key_moving.gif; do
    convert "$name" >said
    ok "the opacity of $name is seen by MuPDF" shows "$name" mutool 1
    ok 'and by poppler' shows "$name" pdftoppm 8
done
convert deep.png >said
is '16 bits stay 16 bits' "$(held)" 'image rgb 16'
convert deep.tif >said
is 'in a TIFF too' "$(held)" 'image gray 16'
deep() { qpdf --show-object=3 --filtered-stream-data "$out" | od -An -tx1 -v | tr -d ' \n'; }
is 'with their values, high byte first' "$(deep | cut -c1-16)" '00000015002a003f'
convert palette.png >said
is 'a palette of 4 bits stays one' "$(held)" 'image index 4'
convert opaque.png >said
is 'opacity that hides nothing is left out' "$(pdfimages -list "$out" | tail -n +3 | wc -l)" 1
convert gamma.png >said
ok 'gamma is written down' sh -c "qpdf --qdf --object-streams=disable '$out' - | grep -a CalRGB"
for name in g4 g4_strips g3 g3_strips rle rle_strips; do
    convert $name.tif >said
    is "$name.tif stays fax coding" "$(held)" 'ccitt gray 1'
done
convert dots_strips.tif >said
is 'dots that fax coding makes larger do not, where they would have to be coded anew' "$(held)" \
    'image gray 1'
ok 'and look the same' shows dots_strips.tif mutool 1
convert dots.tif >said
is 'in one strip they are kept as they are' "$(held)" 'ccitt gray 1'
convert jpeg.tif >said
is 'a JPEG in a TIFF stays one' "$(held)" 'jpeg rgb 8'
ok 'and looks the same' shows jpeg.tif mutool 1
convert cmyk.tif >said
ok 'a CMYK TIFF looks right' shows cmyk.tif mutool 1
convert pages.tif >said
is 'a TIFF has as many pages as it has' "$(pages)" 3
code=animation_first_frame
ok 'of a GIF that moves the first picture is taken' warns moving.gif
ok 'and of a WebP' warns moving.webp

# Pages.
convert rgb.png >said
is 'a page is as large as its picture at its resolution' "$(page)" '15.36 11.52'
convert gray.jpg >said
is 'from JFIF' "$(page)" '15.36 11.52'
convert exif_density.jpg >said
is 'from Exif' "$(page)" '32 24'
convert no_density.jpg >said
is 'and at 96 an inch without' "$(page)" '48 36'
convert rgb.png --margin 25.4 >said
is 'with its margin around it' "$(page)" '159.36 155.52'
convert rgb.png --pageSize a4 >said
is 'A4 lies as its picture' "$(page)" '841.89 595.276'
convert exif6.jpg --pageSize a4 >said
is 'as its picture is seen' "$(page)" '595.276 841.89'
convert rgb.png --pageSize letter --orientation portrait >said
is 'or as it is told' "$(page)" '612 792'
convert rgb.png --pageSize 100x150mm >said
is 'millimetres keep their order' "$(page)" '283.465 425.197'
convert rgb.png --pageSize 100x150mm --orientation landscape >said
is 'unless told otherwise' "$(page)" '425.197 283.465'
content() { mutool show -b "$out" pages/1/Contents; }
convert rgb.png --pageSize 254x254mm >said
is 'contain: all of it' "$(content)" 'q 720 0 0 540 0 90 cm /I Do Q'
convert rgb.png --pageSize 254x254mm --fit cover --margin 25.4 >said
is 'cover: all of the page within its margins, cut off' "$(content)" \
    'q 72 72 576 576 re W n 768 0 0 576 -24 72 cm /I Do Q'
convert rgb.png --pageSize 254x254mm --fit stretch >said
is 'stretch: all of both' "$(content)" 'q 720 0 0 720 0 0 cm /I Do Q'
code=invalid_parameter
ok 'a page size must make sense' says rgb.png --pageSize a44
ok 'a margin must leave something' says rgb.png --pageSize 20x20mm --margin 10

# Many files.
ok 'pictures of all kinds go into one PDF' convert rgb.jpg rgb.png rgb.tif rgb.bmp rgb.gif \
    lossless.webp pages.tif
is 'in order, page by page' "$(pages)" 9
ok 'which is sound' sound
cp rgb.jpg again.jpg
convert rgb.jpg again.jpg gray.jpg rgb.jpg >said
is 'equal files have a page each' "$(pages)" 4
is 'and are held once' "$(pdfimages -list "$out" | awk 'NR > 2 { print $11 }' | sort -u | wc -l)" 2
is 'and profiles too' "$(convert icc.jpg icc.png >said
    qpdf --qdf --object-streams=disable "$out" - | grep -ac /Alternate)" 1
mkdir parts
"$runner" run jpg-to-pdf rgb.jpg pages.tif gray.jpg --merge false -o "$work/parts.zip" >said 2>&1
ok 'merge=false: one PDF for each file' unzip -q parts.zip -d parts
is 'named as the file' "$(cd parts && echo *)" 'gray.pdf pages.pdf rgb.pdf'
is 'with its pages' "$(pdfinfo parts/pages.pdf | awk '/^Pages:/ { print $2 }')" 3
i=0
while [ $i -lt 1000 ]; do
    { cat rgb.jpg && echo $i; } >many$i.jpg
    i=$((i + 1))
done
ok '1,000 files go into one PDF' convert many*.jpg
is 'of 1,000 pages' "$(pages)" 1000
ok 'which is sound' sound

code=repaired
for name in endless.jpg endless_progressive.jpg endless.png endless_alpha.png; do
    ok "$name, of which only the end marker is missing, is used with a warning" warns $name
done
convert endless.jpg >said
ok 'it shows all pixels' shows rgb.jpg mutool 1
ok 'and has its end marker in the PDF' sh -c "pdfimages -all '$out' e && cmp rgb.jpg e-000.jpg"
convert endless.png >said
ok 'and so does a PNG' shows rgb.png mutool 1

# HEIC and AVIF, by libheif. Colours of lossy pictures are near, not equal.
colours() { # of the first page, at three places
    pdftoppm -r 96 -singlefile -png "$out" seen && /usr/bin/python3 -c '
from PIL import Image
picture = Image.open("seen.png").convert("RGB")
print(picture.width, picture.height, *(round(level / 32) for at in ((5, 5), (24, 24), (50, 24)) for level in picture.getpixel(at)))'
}
photo='64 48 8 7 2 6 1 1 1 2 6'
for name in photo.heic photo.avif; do
    ok "$name becomes a page" convert "$SAMPLES/$name"
    is 'which shows it' "$(colours)" "$photo"
    ok 'and is sound' qpdf --check "$out"
done
ok 'a HEIC with opacity becomes a page' convert "$SAMPLES/clear.heic"
is 'which shows it on white' "$(colours)" '64 48 6 1 1 6 1 1 6 6 8'
ok 'it goes with other pictures' convert rgb.jpg "$SAMPLES/photo.heic" rgb.png
is 'each a page' "$(qpdf --show-npages "$out")" 3
head -c 500 "$SAMPLES/photo.heic" >cut.heic
head -c 250 "$SAMPLES/photo.avif" >cut.avif

# What is refused, and why.
code=corrupt_file
for name in cut.jpg endless_cut.jpg scan_lost.jpg endless_cut.png lying.jpg cut.png short.png long.png wrong_crc.png filter.png cut.tif cut_g4.tif \
    lying.tif cut.bmp cut.gif cut.webp cut.heic cut.avif tall.png; do
    ok "$name is refused: it is not what it says" says $name
done
ok 'among others, it is said which one it was' says rgb.jpg cut.png
ok 'by its place and name' grep -q 'file 2 (cut.png)' said
code=unsupported_content
for name in arithmetic.jpg twelve.jpg lossless.jpg floats.tif; do
    ok "$name is refused: no PDF holds it" says $name
done
# SVG drawings.
svg='<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
box=' width="40" height="30" viewBox="0 0 40 30">'
dot='<rect x="10" y="10" width="20" height="10" fill="#f00"/>'
draw() { printf '%s%s%s</svg>\n' "$svg" "$1" "$2" >drawing.svg; }
# The colour at a point of the first page, in pixels of 96 dpi, by poppler and by MuPDF.
at() {
    pdftoppm -r 96 -singlefile -f 1 "$out" seen && mutool draw -q -r 96 -o seen.png "$out" 1 &&
        "$python" -c "from PIL import Image
print(*[Image.open(f).convert('RGB').getpixel(($1, $2)) for f in ('seen.ppm', 'seen.png')])"
}
draw "$box" "$dot"
ok 'a drawing becomes a PDF' convert drawing.svg
ok 'a sound one' sound
is 'of its size at 96 an inch' "$(page)" '30 22.5'
is 'with what is drawn in its place' "$(at 20 15)" '(255, 0, 0) (255, 0, 0)'
is 'and nothing where nothing is' "$(at 4 4)" '(255, 255, 255) (255, 255, 255)'
is 'as shapes, not as pixels' "$(pdfimages -list "$out" | tail -n +3 | wc -l)" 0
convert drawing.svg --pageSize a4 --margin 10 >said
is 'on paper' "$(page)" '841.89 595.276'
is 'as large as the paper allows' "$(at 561 397)" '(255, 0, 0) (255, 0, 0)'
draw "$box" '<text y="20" font-family="DejaVu Sans" font-size="9">Wörter</text>'
convert drawing.svg >said
is 'text stays text' "$(pdftotext "$out" - | tr -d '\f\n')" 'Wörter'
is 'with its font' "$(pdffonts "$out" | awk 'NR == 3 { print $(NF - 4) }')" yes
draw ' viewBox="0 0 200 100" width="2in">' "$dot"
convert drawing.svg >said
is 'a side that is not given follows from the other' "$(page)" '144 72'
draw '>' "$dot"
convert drawing.svg >said
is 'a drawing without a size reaches to the last thing in it' "$(page)" '22.5 15'
draw ' width="1e9" height="1e9">' "$dot"
convert drawing.svg >said
is 'one larger than any page is made smaller' "$(page)" '14400 14400'
draw "$box" "<mask id='m'><rect width='20' height='30' fill='#fff'/></mask><g mask='url(#m)'>$dot</g>"
convert drawing.svg >said
is 'what is masked is not seen' "$(at 25 15)" '(255, 255, 255) (255, 255, 255)'
is 'and else it is' "$(at 15 15 | tr 1 0)" '(255, 0, 0) (255, 0, 0)'
draw "$box" "<image width='40' height='30' href='data:image/jpeg;base64,$(base64 -w0 rgb.jpg)'/>"
ok 'pictures in a drawing are drawn' convert drawing.svg
is 'with their own pixels' "$(held)" 'image rgb 8'
draw "$box" "$dot"
cp drawing.svg again.svg
ok 'drawings and pictures go into one document' convert drawing.svg rgb.jpg again.svg
is 'on a page each' "$(pages)" 3
is 'and equal ones are written once' "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac '/Subtype /Form')" 1
draw "$box" "<image width='9' height='9' href='http://127.0.0.1/x.png'/><image href='/etc/passwd'/>$dot"
code='pictures_not_fetched: .*http://127.0.0.1/x.png and others'
ok 'what is outside the file is named' warns drawing.svg
draw "$box" "<style>@import '/etc/x.css'; rect { fill: url(other.svg#g) }</style>"
code='pictures_not_fetched: .*and others'
ok 'in style sheets, too' warns drawing.svg
draw "$box" "<image width='9' height='9' href='data:image/gif;base64,$(base64 -w0 rgb.gif)'/>"
code=picture_skipped
ok 'and pictures of another format' warns drawing.svg
draw "$box" "<foreignObject/><script/><a xlink:href='http://a.b'>$dot</a><animate/>"
for code in content_missing scripts_not_run link_removed animation_first_frame; do
    ok "what is not drawn is said: $code" warns drawing.svg
done
for asked in "<text y='20' font-family='Nobody Has, serif'>a</text>" \
    "<style>text { font: italic 9px/1.2 'Nobody Has' }</style><text y='20'>a</text>" \
    "<g style='fill: red; font-family: \"Nobody Has\", \"Nor This\"'><text y='20'>a</text></g>"; do
    draw "$box" "$asked"
    code='font_substituted: .*: Nobody Has$'
    ok 'a font that is not installed is named' warns drawing.svg
done
draw "$box" "<text y='20' font-family='Nobody Has, DejaVu Sans'>a</text><text style='font: bold 9px serif' y='9'>a</text>"
is 'but not where the next one is there, or where any will do' "$(convert drawing.svg)" ''
draw "$box" "<use href='#x'/><g font-family='Nobody Has'>$dot</g>"
is 'a plain drawing has no warning' "$(convert drawing.svg)" ''
code=corrupt_file
draw "$box" '<g>'
ok 'XML that is not well-formed is damaged' says drawing.svg
draw ' width="0" height="9">' "$dot"
ok 'a drawing without width has nothing to show' says drawing.svg
entities() { echo '<!DOCTYPE svg ['; echo '<!ENTITY a0 "haha">'; seq 1 11 | while read -r i; do
    printf '<!ENTITY a%d "' "$i"; printf "&a$((i - 1));%.0s" 1 2 3 4 5 6 7 8 9 10; echo '">'; done; echo ']>'; }
draw "$box" '<text>&a11;</text>'
{ entities && cat drawing.svg; } >laughs.svg
ok 'entities that multiply end early' says laughs.svg
{ echo '<!DOCTYPE svg [<!ENTITY a0 SYSTEM "file:///etc/passwd">]>' && draw "$box" '<text>&a0;</text>' && cat drawing.svg; } >laughs.svg
ok 'a file is not read by an entity' says laughs.svg
code=limit_exceeded
draw "$box" "$(printf '<g>%.0s' $(seq 600))$(printf '</g>%.0s' $(seq 600))"
ok 'elements that are too deep are refused' says drawing.svg
uses() { seq 1 9 | while read -r i; do printf '<g id="a%d">' "$i"
    printf "<use xlink:href='#a$((i - 1))'/>%.0s" 1 2 3 4 5 6 7 8 9 10; printf '</g>'; done; }
draw "$box" "<defs><g id='a0'/>$(uses)</defs><use xlink:href='#a9'/>"
ok 'and parts that refer to each other a billion times' says drawing.svg
gzip -c again.svg >packed.svg
code=unsupported_file_type
ok 'a packed drawing is not read' says packed.svg
code=limit_exceeded
ok 'a picture of billions of pixels is refused before it is unpacked' says bomb.png
done_testing
