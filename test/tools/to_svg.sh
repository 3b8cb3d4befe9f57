#!/bin/sh
# to-svg, checked with xmllint and, where it is installed, with what Chromium draws. $1 runs a tool: `$1 run to-svg FILE -o OUT`.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/page.svg
said=$work/said
python3 "$here/pages.py" "$work"

to_svg() { "$runner" run to-svg "$@" -o "$out" >"$said" 2>&1; }
sound() { xmllint --noout --nonet "$out"; }
count() { xmllint --xpath "count(//*[local-name() = '$1'])" "$out" 2>/dev/null; }
chromium=$(command -v chromium-headless-shell || true)
# near LIMIT FILE PAGE: the mean difference of what Chromium draws from what mutool draws of the page.
near() {
    mutool draw -q -r 96 -o "$work/judge.png" "$2" "$3" 2>/dev/null
    size=$(/usr/bin/python3 -c 'import sys
from PIL import Image
print(*Image.open(sys.argv[1]).size, sep=",")' "$work/judge.png")
    echo "<!doctype html><style>body{margin:0}img{display:block}</style><img src=\"page.svg\" width=${size%,*} height=${size#*,}>" >"$work/page.html"
    "$chromium" --no-sandbox --disable-gpu --hide-scrollbars --window-size="$size" --screenshot="$work/seen.png" \
        "file://$work/page.html" >"$work/chromium" 2>&1
    /usr/bin/python3 -c 'import sys
from PIL import Image, ImageChops, ImageStat
limit, ours, other = sys.argv[1:]
ours, other = (Image.open(one).convert("RGB") for one in (ours, other))
mean = max(ImageStat.Stat(ImageChops.difference(ours.crop((0, 0) + other.size), other)).mean)
print(ours.size, other.size, mean)
sys.exit(mean > float(limit))' "$1" "$work/seen.png" "$work/judge.png"
}

ok 'to-svg works' to_svg "$SAMPLES/plain.pdf" --pages 1
ok 'the file is sound' sound
is 'letters are shapes' "$(count text)" 0
is 'it is as large as the page' "$(xmllint --xpath 'concat(/*/@width, " ", /*/@height)' "$out")" \
    "$(pdfinfo "$SAMPLES/plain.pdf" | sed -n 's/Page size: *\([0-9.]*\) x \([0-9.]*\).*/\1pt \2pt/p')"
to_svg "$SAMPLES/plain.pdf" --pages 1 --text text
ok 'text=text is sound, too' sound
is 'and has the words of the page' "$(xmllint --xpath 'string(/)' "$out" | tr -cd '[:alnum:]')" \
    "$(pdftotext -l 1 "$SAMPLES/plain.pdf" - | tr -cd '[:alnum:]')"
ok 'several pages' "$runner" run to-svg "$SAMPLES/features.pdf" --pages 1,3 -o "$work/pages.zip"
is 'are a ZIP of files' "$(unzip -Z1 "$work/pages.zip" | tr '\n' ' ')" 'features_001.svg features_003.svg '
to_svg "$work/shade.pdf"
ok 'a shading is a picture' test "$(count image)" -gt 0
ok 'with a warning' grep -q shading_as_picture "$said"
cat >"$work/evil.py" <<'EOF'
import sys
content = b"/OC /L BDC BT /F1 20 Tf 20 50 Td (ab) Tj ET EMC"
objects = [b"<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R]/D<<>>>>>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
           b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<</Font<</F1 4 0 R>>/Properties<</L 6 0 R>>>>/Contents 5 0 R"
           b"/Annots[<</Type/Annot/Subtype/Link/Rect[10 10 60 30]/A<</S/URI/URI(javascript:alert\\(1\\))>>>>"
           b"<</Type/Annot/Subtype/Link/Rect[10 40 60 60]/A<</S/URI/URI(https://example.com/?a=\"<b>&c)>>>>]>>",
           b"<</Type/Font/Subtype/TrueType/BaseFont/A\"onload=\"alert>>",
           b"<</Length %d>>stream\n" % len(content) + content + b"\nendstream", b"<</Type/OCG/Name(\"><script>alert\\(1\\)</script>)>>"]
out, places = b"%PDF-1.5\n", []
for n, one in enumerate(objects, 1):
    places.append(len(out))
    out += b"%d 0 obj\n" % n + one + b"\nendobj\n"
table = len(out)
out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(b"%010d 00000 n \n" % place for place in places)
out += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
open(sys.argv[1], "wb").write(out)
EOF
python3 "$work/evil.py" "$work/evil.pdf"
for text in outlines text; do
    to_svg "$work/evil.pdf" --text $text
    ok "names that end an attribute are harmless with $text" sound
    is 'nothing of them is an element or a handler' "$(count script) $(xmllint --xpath 'count(//@onload)' "$out")" '0 0'
    is 'a link leads to its address, and a script is not one' "$(xmllint --xpath "//*[local-name() = 'a']/@*" "$out" | tr -d ' ')" \
        'xlink:href="https://example.com/?a=&quot;&lt;b&gt;&amp;c"'
done
to_svg "$work/groups.pdf" --pages 2
ok 'a page with blend modes is a picture' grep -q drawn_as_picture "$said"
ok 'in a sound file' sound
qpdf --encrypt secret secret 256 -- "$work/gray.pdf" "$work/locked.pdf"
ok 'a file with a password needs it' sh -c "! '$runner' run to-svg '$work/locked.pdf' -o '$out' 2>'$said' && grep -q password_required '$said'"
if [ -n "$chromium" ]; then
    for page in 1 2 3; do
        to_svg "$SAMPLES/features.pdf" --pages $page
        ok "Chromium draws page $page of all features as mutool does" near 3 "$SAMPLES/features.pdf" $page
    done
    for file in gray flat boxes note shade; do
        to_svg "$work/$file.pdf" --pages 1
        ok "and $file" near 3 "$work/$file.pdf" 1
    done
    for page in 1 2 3; do
        to_svg "$work/groups.pdf" --pages $page
        ok "and page $page of transparency groups" near 3 "$work/groups.pdf" $page
    done
fi
done_testing
