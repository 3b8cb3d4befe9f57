#!/bin/sh
# html-to-png: pictures judged with Pillow. $1 runs a tool: `$1 run html-to-png FILE... -o OUT`.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.png
said=$work/said

"$runner" tools html-to-png >"$said" 2>&1 || {
    echo "1..0 # SKIP html-to-png is not offered here: $(head -n 1 "$said")"
    exit 0
}
html() { "$runner" run html-to-png "$@" -o "$out" >"$said" 2>&1; }
says() { grep -q "$1" "$said"; }
fails() { ! "$@"; }
look() { # the size of the picture, and the colours of pixels at X,Y
    /usr/bin/python3 -c 'import sys
from PIL import Image
picture = Image.open(sys.argv[1]).convert("RGBA")
print(picture.size, *[picture.getpixel(tuple(map(int, at.split(",")))) for at in sys.argv[2:]])' "$out" "$@"
}
write() { cat >"$work/$1"; } # NAME

write page.html <<'E2'
<!doctype html><title>x</title><style>body { margin: 0 } div { width: 60px; height: 40px; background: #00f }
@media print { div { background: #f00 } }</style><div></div><div id=b style="margin: 1000px 0 0 30px"></div>
E2
ok 'a page becomes a picture' html "$work/page.html" --viewport 200x100
is 'all of it, in the colours for screens' "$(look 10,10 100,10 40,1050)" '(200, 1080) (0, 0, 255, 255) (255, 255, 255, 255) (0, 0, 255, 255)'
html "$work/page.html" --viewport 200x100 --fullPage false
is 'or what the window shows' "$(look 10,10)" '(200, 100) (0, 0, 255, 255)'
html "$work/page.html" --viewport 200x100 --selector '#b' --pixelRatio 2 --media print
is 'or one element, sharper, as printed' "$(look 0,0 119,79)" '(120, 80) (255, 0, 0, 255) (255, 0, 0, 255)'
html "$work/page.html" --viewport 200x100 --transparent true
is 'without the white behind it' "$(look 100,10)" '(200, 1080) (0, 0, 0, 0)'
ok 'a selector that fits nothing is refused' fails html "$work/page.html" --selector '#c'
ok 'with its name' says 'invalid_parameter.*fits no element'
ok 'one that is none, too' fails html "$work/page.html" --selector '##'
ok 'with another sentence' says 'not a CSS selector'
echo '<div style="height: 20000px">' >"$work/high.html"
ok 'a page that is too high is refused' fails html "$work/high.html"
ok 'as a limit' says 'limit_exceeded.*pixels'
echo '<img src=none.png>' >"$work/missing.html"
ok 'a picture that is missing fails the job' fails html "$work/missing.html"
ok 'which names it' says 'resource_missing.*none.png'
done_testing
