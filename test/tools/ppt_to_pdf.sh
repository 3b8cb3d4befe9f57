#!/bin/sh
# ppt-to-pdf, judged by poppler and qpdf. Formats, passwords and hostile documents: test/e2e/office.py.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/office.sh"

ok 'ppt-to-pdf works' convert "$docs/plain.pptx"
is 'hidden slides are left out' "$(words | tr '\n' ' ')" 'Slide one Slide three '
ok 'and a warning says which' grep -q 'hidden_left_out: 1 hidden slide was left out: 2$' "$work/said"
gunzip -c "$docs/plain.ppt.gz" >"$work/plain.ppt"
for file in "$work/plain.ppt" "$docs/plain.odp"; do
    ok "a presentation of another format (${file##*.})" convert "$file"
    ok 'has that warning, too' grep -q 'hidden_left_out: 1 hidden slide was left out: 2$' "$work/said"
done
ok 'it has no numbers' convert "$docs/plain.pptx" --bookmarks false
ok 'without an outline' grep -q 'hidden_left_out: 1 hidden slide was left out$' "$work/said"
ok 'they can be had' convert "$docs/plain.odp" --hiddenSlides true --pages '!1'
ok 'without a warning' sh -c "! grep -q hidden_left_out '$work/said'"
is 'and come where they stand' "$(words | tr '\n' ' ')" 'Slide two Slide three '
ok 'notes can be had' convert "$docs/plain.pptx" --notes only
ok 'with their slide above' sh -c "pdftotext '$out' - | grep -q 'Say this aloud'"
python3 "$(dirname "$0")/unshown.py" "$docs/plain.pptx" "$work"
ok 'a diagram that says nowhere how it is drawn' convert "$work/diagram.pptx"
ok 'has a warning with its words and the slide' \
    grep -q 'text_missing: .* 2 words .* in slide 1: Planning Building ...$' "$work/said"
/usr/bin/python3 -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "w") as new:
    for name in old.namelist():
        data = old.read(name)
        if name.startswith("ppt/slides/slide") and b" show=" not in data:
            data = data.replace(b"<p:sld ", b"<p:sld show=\"0\" ", 1)
        new.writestr(name, data)' "$docs/plain.pptx" "$work/none.pptx"
code='unsupported_content: all slides are hidden'
ok 'a presentation of hidden slides is refused for that' says "$work/none.pptx"
ok 'and converted with them' convert "$work/none.pptx" --hiddenSlides true
code=unsupported_file_type
ok 'a text document is refused' says "$docs/plain.docx"
done_testing
