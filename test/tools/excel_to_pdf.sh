#!/bin/sh
# excel-to-pdf, judged by poppler and qpdf. Formats, passwords and hostile documents: test/e2e/office.py.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/office.sh"
. "$(dirname "$0")/pdfa1.sh"

ok 'excel-to-pdf works' convert "$docs/plain.xlsx"
ok 'LibreOffice tags no sheets, and the result does not say so' info 'Tagged:  *no'
is 'sheets become bookmarks' "$(titles)" 'Wide,Costs, net,Long'
many=$(pages)
ok 'sheets can be chosen by name, quoted if it has a comma, and by number' \
    convert "$docs/plain.xlsx" --sheets '4,"costs, net"' --bookmarks false
is 'they come in that order' "$(words | grep -E '^(long1|costs)$' | tr '\n' ' ')" 'long1 costs '
ok 'the others are not there' sh -c "! pdftotext '$out' - | grep wide"
ok 'a wide sheet fits the width of a page' convert "$docs/plain.xls" --fit width --sheets Wide
is 'and then has one' "$(pages)" 1
ok 'each sheet fits a page, turned' convert "$docs/plain.ods" --fit page --orientation landscape
is 'one for each that holds something' "$(pages) $many" '3 7'
ok 'which lies' info 'Page size: *79[0-9].* x 61'
ok 'a paper is chosen' convert "$docs/plain.xlsx" --paper a3 --sheets 4
ok 'which is as large as its name says' info 'Page size: *84[12].* x 119[01]'
ok 'and can lie' convert "$docs/plain.ods" --paper a5 --orientation landscape --sheets 4
ok 'on its side' info 'Page size: *59[5-6].* x 4[12]'
ok 'a sheet becomes one page as large as it takes' convert "$docs/plain.xlsx" \
    --singlePageSheets true
is 'so that there is one for each, an empty one too' "$(pages)" 4
ok 'of which a warning tells' grep -q 'blank_pages: page 3 shows nothing' "$work/said"
ok 'a sheet as PDF/A-1b' convert "$docs/plain.xlsx" --sheets 1 --pdfa 1b
ok 'is one of that level' like_pdfa1 "$out"
code=invalid_parameter
ok 'a sheet that is not there is told' says "$docs/plain.xlsx" --sheets Profits
code=unsupported_content
ok 'one without pages too' says "$docs/plain.xlsx" --sheets 3
printf 'name;value\n"a;b";1,50\n' >"$work/a.csv"
cp "$docs/plain.ods" "$work/untyped.ods" && zip -qd "$work/untyped.ods" mimetype
ok 'a document that has its media type only in the manifest is opened' convert "$work/untyped.ods"
ok 'csv works' convert "$work/a.csv" --orientation landscape
ok 'on the paper that is asked for' convert "$work/a.csv" --paper legal
ok 'also where the sheet says nothing of it' info 'Page size: *612.* x 1008'
is 'with its values as they are written' "$(pdftotext -layout "$out" - | tr -s ' \n\f' ' ')" \
    'name value a;b 1,50 '
printf '\215\262\223\241,30,\223\214\213\236\n' >"$work/sjis.csv"
ok 'csv in Shift_JIS works' convert "$work/sjis.csv"
is 'with its text' "$(pdftotext -layout "$out" - | tr -s ' \n\f' ' ')" '佐藤 30 東京 '
ok 'and a warning that says what was guessed' grep -q 'encoding_guessed: .* shift_jis' "$work/said"
ok 'the encoding can be named' convert "$work/sjis.csv" --encoding shift_jis
ok 'and then is not guessed' sh -c "! grep -q encoding_guessed '$work/said'"
printf '\215\262\223\241,30,\223\214\213\236\n1,\375,\375\n' >"$work/wrong.csv"
ok 'bytes that the named encoding has not' convert "$work/wrong.csv" --encoding shift_jis
ok 'are counted in a warning with their place' grep -q 'unreadable_text: .* shift_jis .*: 2, the first in line 2$' "$work/said"
for encoding in utf-16le utf-16be iso-2022-jp; do
    printf '佐藤,30,東京\n' | iconv -f utf-8 -t $encoding >"$work/$encoding.csv"
    ok "csv in $encoding without a mark works" convert "$work/$encoding.csv"
    is 'with its text' "$(pdftotext -layout "$out" - | tr -s ' \n\f' ' ')" '佐藤 30 東京 '
    ok 'and a warning that says what was guessed' grep -q "encoding_guessed: .* $encoding" "$work/said"
    ok 'and no other' sh -c "! grep -q unreadable_text '$work/said'"
done

row() { printf '<Row>'; for cell; do printf '<Cell><Data ss:Type="String">%s</Data></Cell>' "$cell"; done; echo '</Row>'; }
space=urn:schemas-microsoft-com:office:spreadsheet
{
    printf '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n'
    printf '<Workbook xmlns="%s" xmlns:ss="%s">' $space $space
    printf '<Worksheet ss:Name="One"><Table>' && row Tea 2.50 && printf '</Table></Worksheet>'
    printf '<Worksheet ss:Name="Two"><Table>' && row Milk && printf '</Table></Worksheet></Workbook>'
} >"$work/xml.xls"
ok 'XML of Excel 2003 is opened' convert "$work/xml.xls"
is 'with its sheets' "$(titles)" One,Two
ok 'of which one is chosen and turned' convert "$work/xml.xls" --sheets Two --orientation landscape
is 'and only that is there' "$(words | grep -E '^(Tea|Milk)$')" Milk
ok 'on its side' info 'Page size: *792 x 612'

/usr/bin/python3 "$(dirname "$0")/workbooks.py" "$work"
column() { convert "$work/$1.xlsx" >"$work/warned"; pdftotext -layout "$out" - | awk 'NF { print $NF }' | tr -s '\n\f' ' ' | sed 's/ *$//'; }
for name in load force unfinished; do
    is "a workbook that asks to be calculated is ($name)" "$(column $name)" '6 7 8 Lamp(! 40 5 #NAME?'
    ok 'and a warning says what could not be' grep -q 'formulas_not_computed: .* 2 formulas (XLOOKUP)' "$work/said"
done
/usr/bin/python3 "$(dirname "$0")/lock_package.py" agile VelvetSweatshop "$work/load.xlsx" "$work/locked.xlsx"
is 'also an encrypted one, with the password that Excel tries itself' "$(column locked)" '6 7 8 Lamp(! 40 5 #NAME?'
is 'but not where calculations are started by hand' "$(column manual | cut -c1-2)" '0 '
is 'a workbook with results keeps them' "$(column stored | cut -c1-2)" '0 '
ok 'without a warning' sh -c "! grep -q formulas_not_computed '$work/said'"
/usr/bin/python3 "$(dirname "$0")/binary_workbooks.py" "$work"
shown() { convert "$work/$1" && pdftotext -layout "$out" - | awk 'NF { print $NF }' | tr -s '\n\f' ' '; }
for form in xls xlsb; do
    is "formulas are computed, not shown as the file stores them ($form)" "$(shown stale.$form)" '42 '
    ok 'without a warning' sh -c "! grep -q formulas_not_computed '$work/said'"
    is "one that cannot be is an error ($form)" "$(shown lost.$form)" '42 #DIV/0! #DIV/0! '
    ok 'of which a warning says that the file stores a result' \
        grep -q 'formulas_not_computed: LibreOffice cannot compute 1 formulas' "$work/said"
    is "an error that the file stores, too, is shown ($form)" "$(shown failed.$form)" '#DIV/0! '
    ok 'without a warning' sh -c "! grep -q formulas_not_computed '$work/said'"
done
/usr/bin/python3 "$(dirname "$0")/hidden_sheets.py" "$work"
left_out() { convert "$@" >/dev/null; sed -n 's/.*hidden_left_out: what is hidden was left out: //p' "$work/said"; }
cells='2 rows and 1 column of "Cells"'
is 'a warning names hidden sheets, and counts hidden rows and columns' "$(left_out "$work/hidden.xlsx")" \
    'the sheets "Costs & more", "Old"; '"$cells"
is 'which are not there' "$(words | tr '\n' ' ' | sed 's/seen.. *//g')" 'cellsa1 cellsd1 cellsa3 cellsd3 '
is 'of OpenDocument, too' "$(left_out "$work/hidden.fods")" 'the sheet "Costs"'
is 'many are not all named' "$(left_out "$work/many.xlsx" | sed 's/"[^"]*", //g')" \
    'the sheets "Sheet with a long name 00002" and 10 more'
is 'of chosen sheets rows are counted' "$(left_out "$work/hidden.xlsx" --sheets Cells)" "$cells"
is 'and not of others' "$(left_out "$work/hidden.xlsx" --sheets Seen)" ''
is 'nor what is hidden up to the end of the sheet' "$(left_out "$work/shown.xlsx")" ''
is 'hidden sheets can be had' "$(left_out "$work/hidden.xlsx" --hiddenSheets true)" "$cells"
is 'where they stand' "$(words | grep a1 | tr '\n' ' ')" 'seena1 costsa1 olda1 cellsa1 '
is 'one of them, too' "$(left_out "$work/hidden.xlsx" --hiddenSheets true --sheets old --fit width)" ''
is 'alone' "$(words | grep a1)" olda1
ok 'those of OpenDocument, too' convert "$work/hidden.fods" --hiddenSheets true
is 'with their text' "$(words | grep -x 'seen\|costs' | tr '\n' ' ')" 'seen costs '
ok 'sheets that become one page each' convert "$work/hidden.xlsx" --singlePageSheets true
is 'do without hidden ones' "$(pages) $(words | grep a1 | tr '\n' ' ')" '2 seena1 cellsa1 '
ok 'or have them' convert "$work/hidden.xlsx" --singlePageSheets true --hiddenSheets true
is 'as the others' "$(pages)" 4
ok 'of such sheets some can be chosen' convert "$work/hidden.xlsx" --singlePageSheets true --sheets Cells,Seen
is 'in their order' "$(words | grep a1 | tr '\n' ' ')" 'cellsa1 seena1 '
ok 'a drawing in the last rows' convert "$work/drawn.fods"
is 'is on the last page' "$(pages) $(words | grep -x 'seen\|drawn' | tr '\n' ' ')" '2 seen drawn '
ok 'the extent of a hidden sheet does not count' convert "$work/apart.xlsx"
code=limit_exceeded
ok 'unless it is shown' says "$work/apart.xlsx" --hiddenSheets true
code=password_required
ok 'an xls file that says that it is encrypted needs a password' says "$work/pass.xls"
code=unsupported_content
ok 'which does not help if LibreOffice does not know the encryption' says "$work/pass.xls" --inputPassword secret
is 'a cursor far from the cells makes no pages' "$(column cursor)" 'Item Lamp'
is 'nor do cells outside the print range' "$(column area)" 'Item Lamp'
is 'a cell in the last row is on the last page' "$(column down)" 'Item Lamp deep'
code=limit_exceeded
ok 'one in the last column too is refused' says "$work/far.xlsx"
ok 'also in the print range' says "$work/whole.xlsx"
done_testing
