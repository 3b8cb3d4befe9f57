#!/bin/sh
# to-tiff, checked with Pillow, and with what mutool draws. $1 runs a tool: `$1 run to-tiff FILE -o OUT`.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.tif
said=$work/said
python3 "$here/pages.py" "$work"

to_tiff() { "$runner" run to-tiff "$@" -o "$out" >"$said" 2>&1; }
says() { ! to_tiff "$@" && grep -q "$code" "$said"; }
# Of each page its mode, its coding, its number and the number of all pages.
look() {
    /usr/bin/python3 -c 'import sys
from PIL import Image, ImageSequence
for page in ImageSequence.Iterator(Image.open(sys.argv[1])):
    page.load()
    print(page.mode, page.info["compression"], *page.tag_v2[297], *map(round, page.info["dpi"]))' "$out" | tr '\n' ';'
}
# near LIMIT FILE DPI PAGE: the mean difference of that page from what mutool draws.
near() {
    mutool draw -q -r "$3" -o "$work/$4.png" "$2" "$4" 2>/dev/null && /usr/bin/python3 -c 'import sys
from PIL import Image, ImageChops, ImageStat
limit, tiff, page, png = sys.argv[1:]
ours, other = Image.open(tiff), Image.open(png).convert("RGB")
ours.seek(int(page) - 1)
mean = max(ImageStat.Stat(ImageChops.difference(ours.convert("RGB"), other)).mean)
print(ours.size, other.size, mean)
sys.exit(ours.size != other.size or mean > float(limit))' "$1" "$out" "$4" "$work/$4.png"
}

ok 'to-tiff works' to_tiff "$SAMPLES/features.pdf" --pages 1-3
is 'all pages are in one file; gray pages are gray' "$(look)" \
    'L tiff_lzw 0 3 150 150;L tiff_lzw 1 3 150 150;L tiff_lzw 2 3 150 150;'
for page in 1 2 3; do
    ok "page $page is what mutool draws" near 0.01 "$SAMPLES/features.pdf" 150 $page
done
for coding in lzw deflate; do
    to_tiff "$work/shade.pdf" --compression $coding --dpi 72
    is "a page of colours with $coding is RGB" "$(look)" \
        "RGB tiff_$(echo $coding | sed 's/deflate/adobe_deflate/') 0 1 72 72;"
    ok 'as mutool draws it' near 0.01 "$work/shade.pdf" 72 1
done
to_tiff "$work/shade.pdf" --compression jpeg --dpi 72
is 'compression=jpeg' "$(look)" 'RGB jpeg 0 1 72 72;'
ok 'is close to what mutool draws' near 3 "$work/shade.pdf" 72 1
small=$(wc -c <"$out")
to_tiff "$work/shade.pdf" --compression jpeg --dpi 72 --quality 20
ok 'and smaller with less quality' test "$(wc -c <"$out")" -lt "$small"
to_tiff "$work/gray.pdf" --color mono --dpi 300
is 'color=mono is group 4' "$(look)" '1 group4 0 1 300 300;'
ok 'with black letters on white' near 6 "$work/gray.pdf" 300 1
to_tiff "$work/gray.pdf" --color mono --compression lzw
is 'or LZW' "$(look)" '1 tiff_lzw 0 1 150 150;'
to_tiff "$work/shade.pdf" --color gray
is 'color=gray is gray' "$(look)" 'L tiff_lzw 0 1 150 150;'
ok 'a page that is drawn in bands' to_tiff "$work/large.pdf" --dpi 300
ok 'is the same picture' near 0.01 "$work/large.pdf" 300 1
ok 'as JPEG, too' to_tiff "$work/large.pdf" --dpi 300 --compression jpeg
ok 'close to what mutool draws' near 2 "$work/large.pdf" 300 1
to_tiff "$work/note.pdf" --dpi 72 --annotations false
is 'without annotations the page is blank' "$(/usr/bin/python3 -c 'import sys
from PIL import Image
print(Image.open(sys.argv[1]).getextrema())' "$out")" '(255, 255)'
code=invalid_parameter
ok 'group 4 has no gray' says "$work/gray.pdf" --compression g4
ok 'JPEG has no black and white' says "$work/gray.pdf" --compression jpeg --color mono
qpdf --encrypt secret secret 256 -- "$work/gray.pdf" "$work/locked.pdf"
code=password_required
ok 'a file with a password needs it' says "$work/locked.pdf"
ok 'and opens with it' to_tiff "$work/locked.pdf" --input-password secret
done_testing
