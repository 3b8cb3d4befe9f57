#!/bin/sh
# to-webp, checked with Pillow, and with what mutool draws. $1 runs a tool: `$1 run to-webp FILE -o OUT`.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out # no suffix: some results are a picture, some a ZIP
said=$work/said
python3 "$here/pages.py" "$work"

to_webp() { "$runner" run to-webp "$@" -o "$out" >"$said" 2>&1; }
says() { ! to_webp "$@" && grep -q "$code" "$said"; }
look() {
    /usr/bin/python3 -c 'import sys
from PIL import Image
picture = Image.open(sys.argv[1])
picture.load()
print(picture.format, picture.mode, *picture.size)' "$out"
}
# near LIMIT FILE DPI COLOURS: the mean difference of the picture from what mutool draws.
near() {
    mutool draw -q -r "$3" -c "$4" -o "$work/judge.png" "$2" 1 2>/dev/null && /usr/bin/python3 -c 'import sys
from PIL import Image, ImageChops, ImageStat
limit, ours, other, mode = sys.argv[1:]
ours, other = Image.open(ours).convert(mode), Image.open(other).convert(mode)
if mode == "RGBA":  # the colour of what is transparent is not seen
    ours, other = (Image.alpha_composite(Image.new("RGBA", one.size, (9, 99, 199, 255)), one) for one in (ours, other))
mean = max(ImageStat.Stat(ImageChops.difference(ours, other)).mean)
print(ours.size, other.size, mean)
sys.exit(ours.size != other.size or mean > float(limit))' "$1" "$out" "$work/judge.png" "$(echo "$4" | tr '[:lower:]' '[:upper:]')"
}

ok 'to-webp works' to_webp "$work/shade.pdf" --dpi 72
is 'a page is a picture' "$(look)" 'WEBP RGB 200 100'
ok 'close to what mutool draws' near 4 "$work/shade.pdf" 72 rgb
plain=$(wc -c <"$out")
to_webp "$work/shade.pdf" --dpi 72 --quality 10
ok 'less quality is smaller' test "$(wc -c <"$out")" -lt "$plain"
to_webp "$work/shade.pdf" --dpi 72 --lossless true
ok 'lossless is exactly what mutool draws' near 0.01 "$work/shade.pdf" 72 rgb
to_webp "$work/gray.pdf"
is '150 dpi are the default' "$(look)" 'WEBP RGB 417 209'
to_webp "$work/flat.pdf" --dpi 72 --background transparent --lossless true
is 'background=transparent has alpha' "$(look)" 'WEBP RGBA 200 100'
ok 'as mutool draws it' near 0.3 "$work/flat.pdf" 72 rgba
to_webp "$work/flat.pdf" --dpi 72 --background transparent
ok 'close to it with loss' near 4 "$work/flat.pdf" 72 rgba
to_webp "$work/flat.pdf" --dpi 72 --color gray --background transparent
is 'gray can be transparent, too' "$(look)" 'WEBP RGBA 200 100'
ok 'a page that is drawn in bands' to_webp "$work/large.pdf" --dpi 300
is 'is as large' "$(look)" 'WEBP RGB 4167 4167'
ok 'and close to what mutool draws' near 2 "$work/large.pdf" 300 rgb
ok 'several pages' to_webp "$SAMPLES/features.pdf" --dpi 40 --pages 1,3
is 'are a ZIP of pictures' "$(unzip -Z1 "$out" | tr '\n' ' ')" 'features_001.webp features_003.webp '
to_webp "$work/note.pdf" --dpi 72 --annotations false
is 'without annotations the page is blank' "$(/usr/bin/python3 -c 'import sys
from PIL import Image
print(min(low for low, high in Image.open(sys.argv[1]).getextrema()) > 250)' "$out")" True
code=limit_exceeded
ok 'a side of more pixels than WebP has is refused' says "$work/large.pdf" --dpi 1200
done_testing
