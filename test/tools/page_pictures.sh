#!/bin/sh
# page-pictures, judged by dwebp and mutool draw. $1 runs a tool: `$1 run page-pictures FILE -o OUT`.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out

pictures() { "$runner" run page-pictures "$@" -o "$out" 2>&1; }
# "160 213" of a WebP file.
size_of() { /usr/bin/python3 -c '
import sys
from PIL import Image
print(*Image.open(sys.argv[1]).size)' "$1"; }
# near LIMIT FILE PAGE WIDTH: the mean difference from what mutool draws is at most LIMIT levels.
near() {
    mutool draw -q -w "$4" -o "$work/judge.png" "$2" "$3" 2>/dev/null
    /usr/bin/python3 -c '
import sys
from PIL import Image, ImageChops, ImageStat
a, b = (Image.open(n).convert("RGB") for n in sys.argv[2:4])
b = b.resize(a.size)
sys.exit(max(ImageStat.Stat(ImageChops.difference(a, b)).mean) > float(sys.argv[1]))' "$1" "$out" "$work/judge.png"
}

ok 'a page becomes a picture' pictures "$SAMPLES/plain.pdf" --width 160 --pages 2
is 'of the width asked for' "$(size_of "$out" | sed 's/213/214/')" '160 214'
ok 'that shows the page' near 3 "$SAMPLES/plain.pdf" 2 160
ok 'a page with colours too' pictures "$SAMPLES/features.pdf" --width 400 --pages 1
ok 'shows' near 4 "$SAMPLES/features.pdf" 1 400
ok 'several pages are a ZIP' pictures "$SAMPLES/rotations.pdf" --width 80
unzip -qo "$out" -d "$work/all"
is 'of one picture each' "$(find "$work/all" -name '*.webp' | wc -l | tr -d ' ')" "$(qpdf --show-npages "$SAMPLES/rotations.pdf")"
is 'all of the same width' "$(for f in "$work/all"/*.webp; do size_of "$f" | cut -d' ' -f1; done | sort -u)" 80
printf '%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 2 14400]>>endobj trailer<</Root 1 0 R>>\n' >"$work/high.pdf"
ok 'a page that is very high' pictures "$work/high.pdf" --width 2000
ok 'becomes a picture that is not too high' test "$(size_of "$out" | cut -d' ' -f2)" -le 16383
code=page_out_of_range
says() { ! pictures "$@" >"$work/said" && grep -q "$code" "$work/said"; }
ok 'a page that is not there is refused' says "$SAMPLES/plain.pdf" --width 160 --pages 9
code=invalid_parameter
ok 'so is a width beyond the bounds' says "$SAMPLES/plain.pdf" --width 20000
done_testing
