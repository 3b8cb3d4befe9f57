#!/bin/sh
# html-to-pdf: pages judged with pdftotext, pdfinfo, pdffonts, pdfimages and qpdf. $1 runs a tool:
# `$1 run html-to-pdf FILE... -o OUT`.
. "$(dirname "$0")/tap.sh"
runner=$1
here=$(dirname "$0")
out=$work/out.pdf
said=$work/said

# Chromium is optional, and confines its processes by namespaces, which a container may forbid.
"$runner" tools html-to-pdf >"$said" 2>&1 || {
    echo "1..0 # SKIP html-to-pdf is not offered here: $(head -n 1 "$said")"
    exit 0
}
html() { "$runner" run html-to-pdf "$@" -o "$out" >"$said" 2>&1; }
says() { grep -q "$1" "$said"; }
text() { pdftotext "$@" - | tr -s '\n\f ' ' '; }
size() { pdfinfo "$out" | sed -n 's/^Page size: *\([0-9.]*\) x \([0-9.]*\).*/\1 \2/p'; }
fails() { ! "$@"; }
write() { cat >"$work/$1"; } # NAME

# Two pictures of one colour each, by hand: a PNG of a red pixel.
printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\2\0\0\0\220wS\336\0\0\0\014IDATx\234c\370\317\300\0\0\3\1\1\0\311\376\222\357\0\0\0\0IEND\256B`\202' >"$work/red.png"
write page.html <<'E2'
<!doctype html><html lang=en><title>A page</title><link rel=stylesheet href="style.css">
<h1>Heading one</h1><p class=red>Plain words, äöü, 日本, <a href="https://example.org/">a link</a>.</p>
<img src="red.png" width=40 height=40 alt="a red square"><h2>Heading two</h2><ul><li>item</ul>
E2
write style.css <<'E2'
@page { size: 100mm 120mm } .red { color: #c00 } h2 { break-before: page }
E2

ok 'a page with its style and picture becomes a PDF' html "$work/page.html" "$work/style.css" "$work/red.png"
is 'its words are there' "$(text -l 1 "$out")" "Heading one Plain words, äöü, 日本, a link. "
is 'the style sheet breaks pages' "$(pdfinfo "$out" | sed -n 's/^Pages: *//p')" 2
is 'the picture is in it' "$(pdfimages -list "$out" | awk 'NR > 2' | wc -l | tr -d ' ')" 1
is 'the paper is A4' "$(size | sed 's/\.[0-9]*//g')" '595 841'
ok 'the result is sound' qpdf --check "$out"
ok 'it is tagged' sh -c "pdfinfo '$out' | grep -q 'Tagged: *yes'"
ok 'and has its title' sh -c "pdfinfo '$out' | grep -q 'Title: *A page'"
ok 'headings are its outline' sh -c "qpdf --json=2 --json-key=outlines '$out' | grep -q 'Heading two'"
ok 'links lead where they did'  sh -c "qpdf --qdf '$out' - | grep -qa 'https://example.org/'"
is 'no date is in it' "$(pdfinfo "$out" | grep -c Date)" 0
cp "$out" "$work/first.pdf"
html "$work/page.html" "$work/style.css" "$work/red.png"
ok 'the same page is the same file' cmp "$out" "$work/first.pdf"

ok 'a missing picture fails the job' fails html "$work/page.html" "$work/style.css"
ok 'as resource_missing' says 'resource_missing.*red.png'
ok 'a missing style sheet, too' fails html "$work/page.html" "$work/red.png"
ok 'which is named' says 'resource_missing.*style.css'
ok 'or is reported' html "$work/page.html" "$work/red.png" --onMissing report
ok 'with its name' says 'resource_missing.*style.css'
echo 'no picture' >"$work/bad.png"
echo '<img src=bad.png><p>x' >"$work/bad.html"
ok 'a picture that is none fails the job' fails html "$work/bad.html" "$work/bad.png"
ok 'which says so' says 'resource_missing.*bad.png'
echo '<style>@font-face { font-family: F; src: url(f.woff2) } p { font-family: F }</style><p>x' >"$work/font.html"
ok 'a missing font fails the job' fails html "$work/font.html"
ok 'which is named as well' says 'resource_missing.*f.woff2'
for address in http://127.0.0.1/ http://169.254.169.254/latest file:///etc/hostname https://example.org/a.png; do
    printf '<iframe src="%s"></iframe>' "$address" >"$work/away.html"
    ok "$address is not reached" fails html "$work/away.html"
    ok "which fails the job ($address)" says resource_missing
done

mkdir "$work/site" "$work/site/css"
echo '<link rel=stylesheet href=css/a.css><h1>From a ZIP</h1><img src="my%20picture.png">' >"$work/site/index.html"
echo 'h1 { background: url(../my%20picture.png) }' >"$work/site/css/a.css"
cp "$work/red.png" "$work/site/my picture.png"
/usr/bin/python3 -m zipfile -c "$work/site.zip" "$work/site/"
ok 'a ZIP with index.html becomes a PDF' html "$work/site.zip"
is 'of its index' "$(text "$out")" 'From a ZIP '
/usr/bin/python3 -m zipfile -c "$work/none.zip" "$work/red.png"
ok 'a ZIP without a page does not' fails html "$work/none.zip"
ok 'because it has no index.html' says 'corrupt_file.*index.html'
# An entry in the middle of its directory has no signature.
/usr/bin/python3 - "$work/site.zip" "$work/entry.zip" <<'E2'
import sys

data = open(sys.argv[1], "rb").read()
last = data.rindex(b"PK\1\2")
open(sys.argv[2], "wb").write(data[:last] + b"XX" + data[last + 2:])
E2
ok 'nor does a ZIP with a damaged directory' fails html "$work/entry.zip"
ok 'which is said' says "the ZIP file's directory is damaged"

html "$work/page.html" "$work/style.css" "$work/red.png" --preferCssPageSize true
is 'the style sheet may have the size' "$(size | sed 's/\.[0-9]*//g')" '282 340'
echo '<h1>One</h1><p style="height:3000px">tall' >"$work/tall.html"
html "$work/tall.html" --paper letter --landscape true
is 'letter paper on its side' "$(size)" '792 612'
html "$work/page.html" "$work/style.css" "$work/red.png" --pages 2
is 'only the second page' "$(text "$out")" 'Heading two item '
html "$work/page.html" "$work/style.css" "$work/red.png" --margin '20mm' --header '<div style="font-size:10px">Head <span class=title></span></div>' --footer '<div style="font-size:10px"><span class=pageNumber></span> of <span class=totalPages></span></div>'
ok 'headers have the title' sh -c "pdftotext '$out' - | grep -q 'Head A page'"
ok 'footers have numbers of pages' sh -c "pdftotext '$out' - | grep -q '2 of 2'"
ok 'a margin that is none is refused' fails html "$work/page.html" --margin wide
ok 'and says what it must be' says 'invalid_parameter.*10mm'
html "$work/tall.html" --paper fit --margin 0 --viewport 800x600
is 'fit: as wide as the window' "$(size | cut -d' ' -f1)" 600
is 'and one page' "$(pdfinfo "$out" | sed -n 's/^Pages: *//p')" 1

write script.html <<'E2'
<p id=a>before</p><script>document.getElementById("a").textContent = "after " + Date.now() + " " + Math.random();
setTimeout(() => { const b = document.createElement("b"); b.id = "late"; b.textContent = "late"; document.body.append(b) }, 300)</script>
E2
html "$work/script.html"
is 'scripts do not run' "$(text "$out")" 'before '
ok 'which a warning says' says scripts_not_run
html "$work/script.html" --javascript true --waitFor '#late'
ok 'unless asked, and it waits' sh -c "pdftotext '$out' - | grep -q late"
html "$work/script.html" --javascript true --deterministic true
cp "$out" "$work/first.pdf"
html "$work/script.html" --javascript true --deterministic true
ok 'scripts see the same time and numbers' cmp "$out" "$work/first.pdf"
ok 'and ran' sh -c "pdftotext '$out' - | grep -q 'after 15778'"
ok 'a selector that is none is refused' fails html "$work/script.html" --javascript true --waitFor '##'
ok 'as a parameter' says invalid_parameter
echo '<script>alert(1); confirm(2); open("about:blank"); undefinedThing()</script><p>done' >"$work/rude.html"
ok 'dialogs and windows do not hold it up' html "$work/rude.html" --javascript true
is 'nor errors of scripts' "$(text "$out")" 'done '
ok 'and are reported' sh -c "grep -q dialogs_dismissed '$said' && grep -q script_errors '$said'"

# Pages that do not come to an end, in the ways that there are.
echo '<script>for (;;);</script>' >"$work/endless.html"
ok 'a script without an end ends the job' fails html "$work/endless.html" --javascript true
ok 'as a limit' says limit_exceeded
echo '<p>x<script>onload = () => setTimeout(() => { for (;;); })</script>' >"$work/later.html"
ok 'also one that begins after the page has loaded' fails html "$work/later.html" --javascript true --waitFor 500
ok 'as a limit, too' says limit_exceeded
echo '<script>const all = []; for (;;) all.push(new Uint8Array(5e7).fill(7));</script>' >"$work/greedy.html"
ok 'a script that fills the memory ends the job' fails html "$work/greedy.html" --javascript true
ok 'as a limit of memory' says 'limit_exceeded.*memory'
echo '<script>addEventListener("load", () => { for (const to of ["file:///etc/passwd", "view-source:x", "chrome://version"])
try { location = to } catch {} document.body.append("stayed") })</script><body>' >"$work/leave.html"
html "$work/leave.html" --javascript true --onMissing report
ok 'a page does not leave for an address of the browser or of the machine' sh -c "pdftotext '$out' - | grep -q stayed"
echo '<meta http-equiv=refresh content="0;url=second.html">first' >"$work/refresh.html"
echo '<p>second' >"$work/second.html"
ok 'a page may lead to another one by itself' html "$work/refresh.html" "$work/second.html"
is 'which is printed' "$(text "$out")" 'second '
html "$work/script.html" --deterministic true --header '<b style=font-size:9px>Of <i class="date x"></i></b>'
ok 'the date of a header is fixed where the same file is wanted' sh -c "pdftotext '$out' - | grep -q 'Of 1/1/20, 12:00 AM'"
# PDF/A of all that Chromium writes: fonts of both kinds, patterns, gradients, masks, pictures with profiles.
rules() { /usr/bin/python3 "$here/pdfa_rules.py" "$@"; }
(cd "$work" && /usr/bin/python3 - <<'E2'
from PIL import Image, ImageCms
profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
Image.new("RGBA", (20, 20), (255, 0, 0, 100)).save("alpha.png")
Image.new("CMYK", (20, 20), (200, 10, 30, 0)).save("cmyk.jpg")
Image.linear_gradient("L").convert("RGB").save("profile.jpg", icc_profile=profile)
Image.linear_gradient("L").save("gray.jpg")
E2
)
write archive.html <<'E2'
<!doctype html><html lang=de><title>Archiv &amp; Ähnliches</title><h1>Overview</h1><p>Words, <b>bold</b>, office ﬁ, 日本語 한국어 العربية हिन्दी
<span style="font-family:'Noto Color Emoji'">😀</span> <a href="https://example.org/?a=b">away</a> <a href="#end">down</a></p>
<img src=alpha.png alt=red><img src=cmyk.jpg><img src=profile.jpg><img src=gray.jpg><svg width=200 height=100><defs><linearGradient id=g><stop stop-color=red />
<stop offset=1 stop-color=blue stop-opacity=.3 /></linearGradient><pattern id=p width=9 height=9 patternUnits=userSpaceOnUse><circle cx=5 cy=5 r=3 /></pattern><mask id=m>
<rect width=200 height=99 fill="url(#g)" /></mask></defs><rect width=90 height=90 fill="url(#g)" /><rect x=99 width=90 height=40 fill="url(#p)" />
<circle cx=150 cy=70 r=20 mask="url(#m)" fill=green style="mix-blend-mode:multiply" /></svg><div style="width:80px;height:80px;border-radius:20px;filter:blur(1px);
background:conic-gradient(red,blue,red);box-shadow:3px 3px 5px #0008"></div><p style="opacity:.5;background:radial-gradient(red,blue)">half</p>
<form><input value=text><input type=checkbox checked><select><option>one</select><textarea>area</textarea><button>go</button></form>
<table><tr><th>A<td>1</table><h2 id=end style="break-before:page">End</h2><p>more
E2
archive() { html "$work/archive.html" "$work/alpha.png" "$work/cmyk.jpg" "$work/profile.jpg" "$work/gray.jpg" "$@"; }
ok 'a page with everything becomes PDF/A' archive --pdfa 2b
is 'by the rules' "$(rules "$out")" conforms
is 'which exiftool reads' "$(exiftool -s3 -PDFVersion -XMP-pdfaid:all -XMP-dc:Title "$out" | tr '\n' ' ')" '1.7 2 B Archiv & Ähnliches '
ok 'it is sound' qpdf --check "$out"
is 'it is tagged, and in its language' "$(pdfinfo "$out" | sed -n 's/^Tagged: *//p') $(exiftool -s3 -Language "$out")" 'yes de'
is 'its outline and its links stay' "$(qpdf --json=2 --json-key=outlines "$out" | grep -c '"title": "\(Overview\|End\)"') $(qpdf --qdf "$out" - | grep -ac '/Subtype /Link')" '2 2'
is 'it looks the same' "$(pdftoppm -r 40 "$out" | sha256sum)" "$(archive && pdftoppm -r 40 "$out" | sha256sum)"
is 'the rules are not those of any PDF' "$(rules "$out" | grep -c '6.6.4 claim.*6.2.4.3')" 1
archive --pdfa 2b --deterministic true
cp "$out" "$work/first.pdf"
archive --pdfa 2b --deterministic true
ok 'the same page is the same file' cmp "$out" "$work/first.pdf"
is 'a header cell has the same name in each, wherever it is named' \
    "$(qpdf --qdf --object-streams=disable "$out" - | grep -ao 'node[0-9]*' | sort | uniq -c | tr -s ' ')" ' 3 node00000001'
ok 'of some pages, too' archive --pdfa 2b --pages 2 --tagged false --outline false
is 'which conform' "$(rules "$out") $(text "$out")" 'conforms End more '
ok 'glyphs that are no single character are refused where each is to be known' fails archive --pdfa 2u
ok 'with the page and the font' says 'unsupported_content: page 1 has text in the font .*known as characters'
html "$work/page.html" "$work/style.css" "$work/red.png" --pdfa 2u
is 'others make level U' "$(rules "$out") $(exiftool -s3 -XMP-pdfaid:Conformance "$out")" 'conforms U'
/usr/bin/python3 - "$out" "$work/bad.pdf" <<'E2'
import sys, pikepdf
pdf = pikepdf.open(sys.argv[1])
for one in pdf.objects:
    if isinstance(one, pikepdf.Dictionary) and one.get("/Subtype") == "/CIDFontType2":
        one.DW, one.W = 77, pikepdf.Array()
    if isinstance(one, pikepdf.Dictionary) and one.get("/Subtype") == "/Type0":
        del one.ToUnicode
pdf.save(sys.argv[2])
E2
is 'by rules that know widths' "$(rules "$work/bad.pdf" | grep -c '6.2.11.5 width')" 1
printf '<meta charset=utf-8><p style="font-family:DejaVu Sans">known<p>\356\200\200' >"$work/private.html"
ok 'a letter that no font has is refused' fails html "$work/private.html" --pdfa 2b
ok 'as the letter of a page' says 'page 1 has text in the font .*no glyph: send pdfa=none'
html "$work/private.html"
is 'which is against the rules' "$(rules "$out" | grep -c '6.2.11.8 .notdef')" 1
/usr/bin/python3 -c 'print("<p>a <a href=\"https://example.org/?" + "x" * 40000 + "\">link</a>")' >"$work/link.html"
ok 'an address longer than a text may be' html "$work/link.html" --pdfa 2b
ok 'is left out' says 'not_in_archive.*links'
is 'and the rest conforms' "$(rules "$out")" conforms
done_testing
