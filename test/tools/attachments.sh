#!/bin/sh
# attachments, checked with qpdf and pdfdetach. $1 runs a tool.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.pdf
json=$work/out.json

attachments() { "$runner" run attachments "$@" >"$work/said" 2>&1; }
ask() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$json" "$1"; }
there() { pdfdetach -list "$1" | sed -n 's/^[0-9]*: //p' | tr '\n' ' '; }
# The name and the digest of each part of a ZIP.
parts() { python3 -c 'import hashlib, sys, zipfile
for one in zipfile.ZipFile(sys.argv[1]).infolist(): print(one.filename, one.file_size, end=";")' "$1"; }

ok 'attachments are listed' attachments "$SAMPLES/features.pdf" -o "$json"
is 'by their names' "$(ask '[a["name"] for a in d["attachments"]]')" "['attached-Zulu2.txt']"
printf '<invoice/>' >"$work/invoice.xml"
ok 'one is added' attachments "$SAMPLES/features.pdf" --action add --attachment "$work/invoice.xml" --name invoice.xml --type text/xml \
    --relationship data --description 'The figures' -o "$out"
ok 'the result is sound' qpdf --check "$out"
is 'next to what was there' "$(there "$out")" 'attached-Zulu2.txt invoice.xml '
is 'its bytes are those of the file' "$(pdfdetach -savefile invoice.xml -o "$work/got" "$out" && cat "$work/got")" '<invoice/>'
attachments "$out" -o "$json"
is 'with type, relation and description' \
    "$(ask '[d["attachments"][1][k] for k in ("name", "type", "relationship", "description", "bytes")]')" \
    "['invoice.xml', 'text/xml', 'Data', 'The figures', 10]"
is 'it is associated with the document' "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac '/AF \[')" 1
cp "$out" "$work/two.pdf"
printf '<other/>' >"$work/invoice.xml"
attachments "$work/two.pdf" --action add --attachment "$work/invoice.xml" --name invoice.xml -o "$out"
is 'one of the same name is replaced' "$(there "$out")" 'attached-Zulu2.txt invoice.xml '
ok 'which is said' grep -q attachment_replaced "$work/said"
is 'and associated once' "$(python3 -c 'import json, subprocess, sys
objects = json.loads(subprocess.run(["qpdf", "--json=2", sys.argv[1]], stdout=subprocess.PIPE).stdout)["qpdf"][1]
root = objects["obj:" + objects["trailer"]["value"]["/Root"]]["value"]["/AF"]
print(len(root if isinstance(root, list) else objects["obj:" + root]["value"]))' "$out")" 1

ok 'attachments are extracted' attachments "$work/two.pdf" --action extract -o "$work/out.zip"
is 'with the list of them' "$(parts "$work/out.zip" | sed 's/ [0-9]*;/;/g')" 'attached-Zulu2.txt;invoice.xml;attachments.json;'
ok 'one is extracted' attachments "$work/two.pdf" --action extract --name invoice.xml -o "$work/one.zip"
is 'by its name' "$(parts "$work/one.zip" | cut -d';' -f1)" 'invoice.xml 10'
ok 'one is removed' attachments "$work/two.pdf" --action remove --name invoice.xml -o "$out"
is 'and the other stays' "$(there "$out")" 'attached-Zulu2.txt '
is 'nothing of it is left' "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac 'invoice')" 0
attachments "$work/two.pdf" --action remove -o "$out"
is 'without a name all are removed' "$(there "$out")" ''

# Names that are paths, or odd, and files of annotations.
python3 "$here/pdf_builder.py" "$work/paths.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(a) 5 0 R (b) 6 0 R (c) 7 0 R (d) 8 0 R]>>>>>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 9 0 R>>]>>
<</Type/EmbeddedFile>> stream DATA
<</Type/Filespec/UF(../../../etc/passwd)/EF<</F 4 0 R>>>>
<</Type/Filespec/UF(C:\\Windows\\x.exe)/EF<</F 4 0 R>>>>
<</Type/Filespec/UF(..)/EF<</F 4 0 R>>>>
<</Type/Filespec/UF(x.pdf)/EF<</F 4 0 R>>>>
<</Type/Filespec/UF(note.txt)/EF<</F 4 0 R>>>>
END
ok 'names that are paths' attachments "$work/paths.pdf" --action extract -o "$work/paths.zip"
is 'lose them' "$(parts "$work/paths.zip" | sed 's/ [0-9]*;/;/g')" 'passwd;x.exe;attachment;x.pdf;note.txt;attachments.json;'
attachments "$work/paths.pdf" -o "$json"
is 'the list has the names as they are' "$(ask 'd["attachments"][0]["name"]')" ../../../etc/passwd
is 'and the page of an annotation with a file' "$(ask 'd["attachments"][4]')" "{'name': 'note.txt', 'page': 1}"
ok 'one that is called a PDF and is not' attachments "$work/paths.pdf" --action extract --name x.pdf -o "$work/x.zip"
attachments "$work/paths.pdf" --action remove -o "$out"
is 'annotations with files are removed, too' "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac 'DATA\|FileAttachment')" 0
ok 'a path in the name of a new file' attachments "$SAMPLES/plain.pdf" --action add --attachment "$work/invoice.xml" --name '../../x/new.xml' -o "$out"
is 'is cut off' "$(there "$out")" 'new.xml '

says() { ! attachments "$SAMPLES/features.pdf" "$@" -o "$out" && grep -qF "$text" "$work/said"; }
text='send the file as attachment'
ok 'add without a file' says --action add
text='the attachment has no name'
cp "$work/invoice.xml" "$work/..."
ok 'add without a name, of a file whose own one is none' says --action add --attachment "$work/..."
attachments "$SAMPLES/plain.pdf" --action add --attachment "$work/invoice.xml" -o "$out"
is 'a file that is added without a name has its own' "$(there "$out")" 'invoice.xml '
text='belongs to action=add'
ok 'a description without add' says --action list --description x
text='no attachment of that name'
ok 'a name that is not there' says --action remove --name nothing

# The keys of the name tree are not the names of the files, and stay.
/usr/bin/python3 - "$work/keys.pdf" <<'EOF'
import sys
from pikepdf import Array, Dictionary, Name, Pdf, String
pdf = Pdf.new()
pdf.add_blank_page()
pairs = Array()
for key, name in (("a key that is much longer than the name of the file", "b.txt"), ("k", "a file whose name is much longer than its key.txt")):
    stream = pdf.make_stream(name.encode(), Type=Name.EmbeddedFile)
    pairs.extend((String(key), pdf.make_indirect(Dictionary(Type=Name.Filespec, F=name, UF=name, EF=Dictionary(F=stream)))))
pdf.Root.Names = Dictionary(EmbeddedFiles=Dictionary(Names=pairs))
pdf.save(sys.argv[1])
EOF
ok 'a file is added to others whose keys are not their names' \
    attachments "$work/keys.pdf" --action add --attachment "$work/invoice.xml" --name invoice.xml -o "$out" --force
is 'whose keys stay' "$(qpdf --json --json-key=attachments "$out" | python3 -c 'import json, sys; print(sorted(json.load(sys.stdin)["attachments"]))')" \
    "['a key that is much longer than the name of the file', 'invoice.xml', 'k']"
done_testing
