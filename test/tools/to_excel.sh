#!/bin/sh
# to-excel: openpyxl reads what it writes, and LibreOffice where it is there.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.xlsx
python3 "$here/model_pages.py" "$work"
python3 "$here/word_pages.py" "$work"

to_excel() { rm -f "$out" && "$runner" run to-excel "$@" -o "$out" >"$work/said" 2>&1; }
look() { /usr/bin/python3 "$here/excel_look.py" "$out" "$@"; }

ok 'to-excel works' to_excel "$work/report.pdf"
is 'a table is a sheet, its numbers are numbers' "$(look rows)" \
    'Table 1: Item|Amount|Price / Ink|12|1234.5 / Paper|7|-12.25 / Pens|1000|99'
is 'which look as they did' "$(look format C2) $(look format C3) $(look format B4)" '#,##0.00 0.00;(0.00) #,##0'
is 'the head stays in sight, and is bold' "$(look frozen)|$(look bold)" 'A2|A1 B1 C1'
to_excel "$work/values.pdf"
is 'percentages, amounts of money, dates and years are values' "$(look rows)" \
    "Table 1: Kind|Value|Other / percent|0.125|-0.03 / money|1250|99 / date|2024-02-29|2023-12-31 / year|2023|1999 / name|'007'|'3/4/2024' / negative|-1.5|-1500 / text|'12 pieces'|'n/a'"
is 'with their formats' "$(look format B2) $(look format C3) $(look format B4) $(look format C4)" \
    '0.0% "$"0 yyyy-mm-dd dd.mm.yyyy'
to_excel "$work/commas.pdf"
is 'numbers are read as their table writes them' "$(look rows)" \
    'Table 1: Posten|Betrag|Anteil / Tinte|1234.5|0.125 / Papier|1234|0.07 / Stifte|99|0.805'
to_excel "$work/bevelled.pdf"
is 'lines that are drawn as polygons with bevelled ends are those of a table' "$(look size)" 'Table 1 5x3'
to_excel "$work/labels.pdf"
is 'the labels of rows outside of the lines are a column of the table' "$(look size)|$(look rows | cut -c-60)" \
    'Table 1 5x4|Table 1: Costs|Sold|Each|Total / Ink|1|20.5|20.5 / Paper||| '
to_excel "$work/marks.pdf"
is 'the mark of a note is not a part of a number, and amounts have no three decimals' "$(look rows)" \
    "Table 1: Place|Yield|Paid / Hill|99|1200 / Dale|1.5|1400 / Moor|'10⁶'|2.5"
is 'and the cell still shows it' "$(look format B2) $(look format B3)" '0"¹" 0.0"¹²"'
to_excel "$work/raised.pdf"
is 'also letters, and several marks of one number; their notes are no row' "$(look rows)" \
    'Table 1: Region|2021|2022|2023 / North|24912|25100|26004 / South|7350|7420|7511 / East|12000|11980|12306 / West|45|48|51'
is 'and the cells show them' "$(look format D4) $(look format B5)" '#,##0"¹,²" 0"ᵃ"'
to_excel "$work/long.pdf"
is 'a table over two pages is one, with its head once' "$(look size)" 'Table 1 31x3'
to_excel "$work/long.pdf" --sheets pages
is 'each page can have its sheet' "$(look size)" 'Page 1 21x3, Page 2 11x3'
to_excel "$work/nested_table.pdf"
is 'a table in a cell of another one is a table, and no rows of that one' "$(look size)" 'Table 1 3x3, Table 2 3x3'
is 'and its words are not in the cell' "$(look rows | grep -o 'Remarks.*cleaned.*Harrow' | grep -c 'Street')" 0
to_excel "$work/report.pdf" --sheets all
is 'with its text, too' "$(look first)" "'A report'"
ok 'a document without tables gives its text' to_excel "$work/styled.pdf"
ok 'with a warning' grep -q no_tables "$work/said"
is 'in a sheet' "$(look size)" 'Text 3x1'
to_excel "$work/edges.pdf"
is 'with the lines at its edges' "$(unzip -p "$out" 'xl/*.xml' | grep -o 'DRAFT - not signed\|Account GB29' | sort -u | wc -l | tr -d ' ')" 2
ok 'and a blank page too' to_excel "$work/blank.pdf"
if command -v soffice >/dev/null; then
    to_excel "$work/report.pdf"
    soffice "-env:UserInstallation=file://$work/profile" --headless --convert-to csv:"Text - txt - csv (StarCalc)":44,34,76,1,,0,false,true --outdir "$work" "$out" >/dev/null 2>&1
    is 'LibreOffice reads it' "$(tr '\n' '/' <"$work/out.csv")" 'Item,Amount,Price/Ink,12,"1,234.50"/Paper,7,(12.25)/Pens,"1,000",99.00/'
fi
done_testing
