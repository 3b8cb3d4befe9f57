#!/bin/sh
# ppt-to-pdf, judged by poppler and qpdf. Formats, passwords and hostile documents: test/e2e/office.py.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/office.sh"

ok 'ppt-to-pdf works' convert "$docs/plain.pptx"
is 'hidden slides are left out' "$(words | tr '\n' ' ')" 'Slide one Slide three '
ok 'they can be had' convert "$docs/plain.odp" --hiddenSlides true --pages '!1'
is 'and come where they stand' "$(words | tr '\n' ' ')" 'Slide two Slide three '
ok 'notes can be had' convert "$docs/plain.pptx" --notes only
ok 'with their slide above' sh -c "pdftotext '$out' - | grep -q 'Say this aloud'"
python3 "$(dirname "$0")/unshown.py" "$docs/plain.pptx" "$work"
ok 'a diagram that says nowhere how it is drawn' convert "$work/diagram.pptx"
ok 'has a warning with its words and the slide' \
    grep -q 'text_missing: .* 2 words .* in slide 1: Planning Building ...$' "$work/said"
code=unsupported_file_type
ok 'a text document is refused' says "$docs/plain.docx"
done_testing
