#!/bin/sh
# form-fields, compared with what is known of the form, and with qpdf. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.json
python3 "$here/filled.py" make "$work"
python3 "$here/fields.py" "$work/fields.pdf"

list() { "$runner" run form-fields "$@" -o "$out" >"$work/said" 2>&1; }
ask() { python3 "$here/filled.py" ask "$out" "$1"; }

ok 'form-fields works' list "$work/form.pdf"
is 'each field has its kind' "$(ask '[(n, f[n]["kind"]) for n in f]')" \
    "[('given', 'text'), ('birth', 'text'), ('total', 'text'), ('odd', 'text'), ('code', 'text'), ('fruit', 'combo'), ('free', 'combo'), ('several', 'list'), ('push', 'button'), ('signature', 'signature'), ('price.net', 'text'), ('price.tax', 'text'), ('agree', 'check'), ('bare', 'check'), ('colour', 'radio'), ('twice', 'text')]"
is 'a field has label and flags' "$(ask '(f["given"]["label"], f["given"]["required"], f["total"]["readOnly"], f["given"]["readOnly"])')" \
    "('Your first name', True, True, False)"
is 'a choice has its options with what they show' "$(ask 'f["fruit"]["options"]')" \
    "[{'value': 'a', 'label': 'Apples'}, {'value': 'b', 'label': 'Berries'}]"
is 'and says whether others can be typed, or several be chosen' "$(ask '(f["fruit"]["editable"], f["free"]["editable"], f["several"]["multiple"])')" \
    '(False, True, True)'
is 'states have names and labels' "$(ask '(f["agree"]["options"], [o["label"] for o in f["colour"]["options"]])')" \
    "([{'value': 'Accepted', 'label': 'Accepted'}], ['red', 'green'])"
is 'a comb has its length' "$(ask '(f["code"]["comb"], f["code"]["maxLength"])')" '(True, 6)'
is 'calculated fields have their order' "$(ask '[(n, f[n]["calculationOrder"]) for n in f if "calculationOrder" in f[n]]')" "[('total', 1), ('odd', 2)]"
is 'each place of a field has page and box, from the top' "$(ask '[(w["page"], w["box"]) for w in f["twice"]["widgets"]]')" \
    '[(1, [320.0, 110.0, 390.0, 130.0]), (1, [320.0, 140.0, 390.0, 160.0])]'
qpdf "$work/form.pdf" --rotate=+90 "$work/turned.pdf"
list "$work/turned.pdf"
is 'also on a page that is turned' "$(ask 'f["given"]["widgets"][0]["box"]')" '[700.0, 20.0, 720.0, 200.0]'
list "$work/fields.pdf"
is 'values are as they are stored' "$(ask '[f[n].get("value") for n in ("plain", "wide", "choice", "list", "box", "off")]')" \
    "['Plain words', 'Ünicöde€', 'b', ['x', 'y'], 'Yes', 'Off']"
is 'but not those of passwords' "$(ask '"value" in f["secret"]')" False
qpdf --encrypt word word 256 -- "$work/form.pdf" "$work/locked.pdf"
ok 'an encrypted form is read with its password' list "$work/locked.pdf" --inputPassword word
is 'whole' "$(ask 'len(f)')" 16
ok 'a document without a form has no fields' list "$SAMPLES/plain.pdf"
is 'and says so' "$(ask 'd["fields"]')" '[]'
list "$work/xfa.pdf"
is 'an XFA form is named' "$(ask 'd["xfaOnly"]')" True
ok 'and warned of' grep -q xfa_form "$work/said"

# Values in the formats that fill-form reads: given back to the form, they make the same values.
values() { python3 "$here/filled.py" values "$1" | sed 's#"u:"#null#g; s#"/Off"#null#g'; } # CSV empties what has no value
"$runner" run fill-form "$work/form.pdf" -o "$work/filled.pdf" --data '{"given": "Å, \"B\" & <C>;\\)", "price": {"net": 1, "tax": 2}, "fruit": "a", "several": ["x", "z"], "agree": true, "colour": "green", "odd": "=1+1", "twice": " two"}' >"$work/said" 2>&1
for format in xfdf fdf csv; do
    out=$work/out.$format
    ok "$format is written" list "$work/filled.pdf" --outputFormat "$format"
    ok 'and fills in an empty form' "$runner" run fill-form "$work/form.pdf" --data "$out" -o "$work/again.pdf"
    is 'with the same values' "$(values "$work/again.pdf")" "$(values "$work/filled.pdf")"
done
ok 'the XFDF is XML in which names are nested' python3 -c 'import sys, xml.etree.ElementTree as e
n = "{http://ns.adobe.com/xfdf/}"
r = e.parse(sys.argv[1]).getroot()
assert r.tag == n + "xfdf" and [f.get("name") for f in r.findall(f"{n}fields/{n}field[@name=\"price\"]/{n}field")] == ["net", "tax"]' "$work/out.xfdf"
is 'CSV has a column for each selected item' "$(python3 -c 'import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
print(len(rows), [v for n, v in zip(*rows) if n == "several"])' "$work/out.csv")" "2 ['x', 'z']"
list "$work/fields.pdf" --outputFormat xfdf
is 'a password is in none' "$(grep -c secret "$work/out.csv")" 0
out=$work/out.csv
list "$SAMPLES/features.pdf" --outputFormat csv
ok 'a document without a form has no values' list "$SAMPLES/plain.pdf" --outputFormat csv
done_testing
