#!/bin/sh
# word-to-pdf, judged by poppler and qpdf. Formats, passwords and hostile documents: test/e2e/office.py.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/office.sh"
. "$(dirname "$0")/pdfa1.sh"

ok 'word-to-pdf works' convert "$docs/plain.docx"
ok 'a font that is not here is told, with the one used instead' \
    grep -q 'missing_fonts: .*Nonesuch Sans (' "$work/said"
is 'tracked changes are accepted' "$(words | grep Alpha)" 'Alpha inserted omega.'
is 'headings become bookmarks' "$(titles)" 'First chapter,Second chapter'
ok 'the result is tagged' info 'Tagged:  *yes'
ok 'the result is sound' qpdf --check "$out"
ok 'tracked changes can be shown' convert "$docs/plain.docx" --trackChanges show \
    --tagged false --bookmarks false --pages 1
is 'and then are' "$(words | grep Alpha)" 'Alpha inserted deleted omega.'
is 'only the pages asked for are there' "$(pages)" 1
is 'bookmarks can be left out' "$(titles)" ''
ok 'and tags' info 'Tagged:  *no'
python3 "$(dirname "$0")/changes.py" "$docs/plain.odt" "$work/hidden.odt"
ok 'tracked changes that a document hides can be shown, too' convert "$work/hidden.odt" --trackChanges show
is 'and are' "$(words | grep Alpha)" 'Alpha inserted deleted omega.'
ok 'and accepted' convert "$work/hidden.odt"
is 'if that is not asked for' "$(words | grep Alpha)" 'Alpha inserted omega.'
ok 'pages come in the order asked for' convert "$docs/plain.docx" --pages 2,1 --pdfa 2b
is 'which is kept' "$(words | grep chapter | tr '\n' ' ')" 'Second chapter First chapter '
is 'PDF/A says its part' "$(xmp 'pdfaid:part')" 2
ok 'and carries an output intent' holds /OutputIntents
ok 'PDF/A-1b' convert "$docs/plain.odt" --pdfa 1b
is 'is PDF 1.4 of part 1' "$(xmp 'pdfaid:part') $(pdfinfo "$out" | awk '/^PDF version/{print $3}')" \
    '1 1.4'
ok 'of some pages' convert "$docs/plain.docx" --pdfa 1b --pages 2
ok 'too' like_pdfa1 "$out"
ok 'equations are there' convert "$docs/formula.docx"
is 'with all that is in them' "$(words | tr ' ' '\n' | grep '[a-z]' | LC_ALL=C sort | tr '\n' ' ')" \
    'Take alpha as beta gamma is. it '
ok 'words are divided' convert "$docs/hyphens.docx"
is 'where the document asks for it' "$(pdftotext -layout "$out" - | grep -c -- '-$')" 2
printf '%s' '<?xml version="1.0"?><?mso-application progid="Word.Document"?><!-- < --><w:wordDocument' \
    ' xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body><w:p><w:r><w:rPr><w:b/>' \
    '</w:rPr><w:t>As of 2003.</w:t></w:r></w:p></w:body></w:wordDocument>' >"$work/xml.doc"
ok 'XML of Word 2003 is opened' convert "$work/xml.doc"
is 'and not printed as markup' "$(words)" 'As of 2003.'
{ printf '\377\376' && iconv -t utf-16le "$work/xml.doc"; } >"$work/utf16.doc"
ok 'in UTF-16, too' convert "$work/utf16.doc"
is 'with the same text' "$(words)" 'As of 2003.'
code=unsupported_file_type
printf '%s' '<?xml version="1.0"?><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"/>' \
    >"$work/flat.doc"
ok 'a package as one XML file is refused' says "$work/flat.doc"
printf '%s\r\n' 'MIME-Version: 1.0' 'Content-Type: multipart/related; boundary=b' '' --b \
    'Content-Type: text/html' '' '<p>Hello' --b-- >"$work/mhtml.doc"
ok 'so is a web page with its pictures in one file' says "$work/mhtml.doc"
code=unsupported_content
printf '%s' '<!DOCTYPE a [<!ENTITY b "b">]><w:wordDocument' \
    ' xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>' >"$work/dtd.doc"
ok 'and XML with a DTD' says "$work/dtd.doc"
python3 "$(dirname "$0")/chunks.py" "$work"
ok 'a docx with parts in other formats' convert "$work/chunks.docx"
is 'has the part that is docx' "$(words | tr '\n' ' ')" 'Before. Inner. After. '
ok 'and a warning names the others' grep -q 'content_missing: .*: word/a.html, b.rtf$' "$work/said"
ok 'one whose part is not used' convert "$work/unused.docx"
ok 'has no warning' sh -c "! grep -q content_missing '$work/said'"
ok 'one that is docx has none either' convert "$work/inner.docx"
ok 'of what is there' sh -c "! grep -q content_missing '$work/said'"
code=unsupported_content
ok 'one that is nothing else is refused' says "$work/only.docx"
for kind in standard agile agile-sha1 agile-sha384 agile-unsealed; do
    python3 "$(dirname "$0")/lock_package.py" $kind 'pässword' "$work/chunks.docx" "$work/$kind.docx"
    ok "an encrypted docx is opened ($kind)" convert "$work/$kind.docx" --inputPassword 'pässword'
    is 'with its text' "$(words | tr '\n' ' ')" 'Before. Inner. After. '
    ok 'and a warning of parts in other formats' grep -q 'content_missing: .*: word/a.html, b.rtf$' "$work/said"
    code=wrong_password
    ok 'another password is wrong' says "$work/$kind.docx" --inputPassword password
    code=password_required
    ok 'and one is needed' says "$work/$kind.docx"
done
python3 "$(dirname "$0")/lock_package.py" agile-changed x "$work/chunks.docx" "$work/changed.docx"
code=corrupt_file
ok 'one that was changed after it was encrypted is refused' says "$work/changed.docx" --inputPassword x
python3 "$(dirname "$0")/lock_package.py" agile x "$work/only.docx" "$work/locked.docx"
code=unsupported_content
ok 'an encrypted one that is nothing else is refused, too' says "$work/locked.docx" --inputPassword x
printf 'Some text.' >"$work/a.txt"
python3 "$(dirname "$0")/lock_package.py" standard x "$work/a.txt" "$work/text.docx"
code=unsupported_file_type
ok 'and so is what is not a document' says "$work/text.docx" --inputPassword x
code=page_out_of_range
ok 'a page beyond the end is told' says "$docs/plain.docx" --pages 7
code=invalid_parameter
ok 'quality has a range' says "$docs/plain.docx" --imageQuality 0
# There LibreOffice and its libraries take themselves for root and change owners of their files.
if unshare -Ur true 2>/dev/null; then
    ok 'root of a user namespace converts' unshare -Ur "$runner" run word-to-pdf "$docs/plain.docx" -o "$out"
else
    ok 'root of a user namespace # SKIP user namespaces cannot be made here' true
fi

/usr/bin/python3 "$(dirname "$0")/stale_fields.py" "$work"
line() { pdftotext -layout "$out" - | sed -n "s/^ *$1 *//p" | head -1; }
ok 'fields are read' convert "$work/stale.docx"
is 'references to what is not there keep their results' "$(line Missing:)" 'Chapter 7, 9'
is 'others are computed' "$(line There:)" 'Start, 1'
is 'a choice has its words, also with a field in it' "$(line Choice:)" 'Mrs, see 12'
is 'a date is that of the file' "$(line Day:)" '3 January 2020'
is 'so is a number, but not that of the pages' "$(line Figure)" '7 of 1'
is 'nor that in the header' "$(line Head)" '1999 page 1'
is 'notes and text boxes are alike' "$(line 1Foot), $(line Box)" 'noted, boxed'
is 'a field without an end loses nothing' "$(line Open:)" 'open'
ok 'fields can be brought up to date' convert "$work/stale.docx" --fields update
ok 'such as dates' sh -c "! pdftotext '$out' - | grep -q 'January 2020'"
is 'but not what cannot be computed' "$(line Missing:) $(line Choice:)" 'Chapter 7, 9 Mrs, see 12'

python3 "$(dirname "$0")/unshown.py" "$docs/plain.pptx" "$work"
ok 'a text box that is too small for its text' convert "$work/box.docx"
ok 'has a warning with the words that it does not show' \
    grep -q 'text_missing: .* 6 words .* in the text: third fourth Sinking lines drown vanish ...$' "$work/said"
ok 'one that is large enough' convert "$work/room.docx"
ok 'has none, nor have hidden words' sh -c "! grep -q text_missing '$work/said'"
printf '{\\rtf1\\ansi As WordPad ends it.\\par}\r\n\0' >"$work/nul.rtf"
ok 'RTF with a NUL at its end is opened' convert "$work/nul.rtf"
is 'and shown' "$(words)" 'As WordPad ends it.'
/usr/bin/python3 -c 'import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[data.index(b"\xec\xa5") + 11] |= 1 # fEncrypted
open(sys.argv[2], "wb").write(data)' "$docs/plain.doc" "$work/pass.doc"
code=password_required
ok 'a doc file that says that it is encrypted needs a password' says "$work/pass.doc"
code=unsupported_content
ok 'which does not help if LibreOffice does not know the encryption' says "$work/pass.doc" --inputPassword secret
ok 'linked pictures are not fetched' convert "$work/linked.docx"
ok 'and counted' grep -q 'pictures_not_fetched: 2 ' "$work/said"
ok 'but not where the document has the picture too' convert "$work/held.docx"
ok 'without that warning' sh -c "! grep -q pictures_not_fetched '$work/said'"
done_testing
