#!/bin/sh
# info, compared with pdfinfo, pdffonts, pdfimages and what is known to be in the documents.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
json=$work/out.json

info() { "$runner" run info "$@" -o "$json" >"$work/said" 2>&1; }
ask() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$json" "$1"; }

ok 'info works' info "$SAMPLES/features.pdf"
is 'pages have sizes as shown, rotations and labels' "$(ask '[(p["width"], p["height"], p["rotation"], p["label"]) for p in d["pages"][1:5:2]]')" \
    "[(400, 300, 90, 'ii'), (300, 400, 0, 'A-7')]"
is 'and boxes' "$(ask 'd["pages"][0]["boxes"]')" "{'media': [0, 0, 300, 400]}"
is 'links and fields are counted' "$(ask '(sum(p["links"] for p in d["pages"]), sum(p["fields"] for p in d["pages"]))')" '(9, 7)'
is 'fields of the form by kinds' "$(ask '[d["form"][k] for k in ("fields", "buttons", "texts", "calculated")]')" '[5, 1, 4, 2]'
is 'the outline' "$(ask 'd["outline"]')" "{'items': 9, 'depth': 3, 'withoutPage': 1, 'namedDestinations': 12}"
is 'layers, and which are shown' "$(ask '[l["visible"] for l in d["layers"]]')" '[True, False, True]'
is 'tags by their roles' "$(ask '(d["tags"]["tagged"], d["tags"]["elements"], d["tags"]["roles"]["P"])')" '(True, 22, 6)'
is 'attachments' "$(ask '[a["name"] for a in d["attachments"]]')" "['attached-Zulu2.txt']"
is 'language, title, version' "$(ask '(d["language"], d["metadata"]["title"], d["file"]["pdfVersion"])')" "('en', 'Sample', '1.7')"
is 'scripts that run by themselves' "$(ask 'd["scripts"]["named"]')" 1
is 'fonts are those of pdffonts' "$(ask 'sorted((f["object"], f["embedded"]) for f in d["fonts"])')" \
    "$(pdffonts "$SAMPLES/features.pdf" | awk 'NR > 2 { print s "(" $(NF - 1) ", " ($(NF - 4) == "yes" ? "True" : "False") ")"; s = ", " }' | tr -d '\n' | sed 's/.*/[&]/')"
is 'with the pages they are on' "$(ask 'd["fonts"][0]["pages"]')" 1-6
is 'a document without encryption' "$(ask 'd["encryption"]')" "{'encrypted': False}"
is 'and without signatures' "$(ask 'd["signatures"]')" '[]'
info "$SAMPLES/rotations.pdf"
is 'rotations are those of pdfinfo, and what is not a right angle is none' "$(ask '[p["rotation"] for p in d["pages"]]')" \
    '[0, 90, 270, 90, 0, 0, 270, 180, 0]'
info "$SAMPLES/signed.pdf"
is 'a signature: its field, and whether it covers the file' "$(ask '[(s["signed"], s["coversFile"]) for s in d["signatures"]]')" '[(True, True)]'
cp "$SAMPLES/signed.pdf" "$work/longer.pdf"
echo '%' >>"$work/longer.pdf"
info "$work/longer.pdf"
is 'which it does not once something is added' "$(ask '[s["coversFile"] for s in d["signatures"]]')" '[False]'
info "$SAMPLES/pdfa1.pdf"
is 'a claim of PDF/A' "$(ask 'd["conformance"]')" "['PDF/A-1b']"
qpdf --encrypt user owner 256 --print=low --modify=none -- "$SAMPLES/plain.pdf" "$work/locked.pdf"
info "$work/locked.pdf" --inputPassword user
is 'encryption and what it permits' \
    "$(ask '[d["encryption"][k] for k in ("algorithm", "keyBits", "openedAs")] + [d["encryption"]["permissions"][k] for k in ("print", "printHighQuality", "copy", "modify")]')" \
    "['AES-256', 256, 'user', True, False, True, False]"
info "$work/locked.pdf" --inputPassword owner
is 'the password of the owner is known as such' "$(ask 'd["encryption"]["openedAs"]')" owner
info "$SAMPLES/damaged.pdf"
is 'a damaged document' "$(ask 'd["file"]["repaired"]')" True

# A picture of 100 by 50 pixels, 50 by 25 points, in a form on a turned page; once more larger.
python3 "$here/pdf_builder.py" "$work/images.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]/Rotate 90/Contents 4 0 R/Resources<</XObject<</F 5 0 R/I 6 0 R>>>>>>
<<>> stream q 2 0 0 2 10 20 cm /F Do Q q 100 0 0 50 0 0 cm /I Do Q
<</Type/XObject/Subtype/Form/BBox[0 0 99 99]/Matrix[.5 0 0 .5 0 0]/Resources<</XObject<</I 6 0 R>>>>>> stream q 50 0 0 25 4 6 cm /I Do Q
<</Type/XObject/Subtype/Image/Width 100/Height 50/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/ASCIIHexDecode>> stream 00>
END
info "$work/images.pdf"
is 'an image is listed once' "$(ask '[(i["width"], i["height"], i["colorSpace"], i["filters"]) for i in d["images"]]')" "[(100, 50, 'DeviceGray', ['ASCIIHexDecode'])]"
is 'with its resolution at each place, in forms, too' "$(ask '[u["dpi"] for u in d["images"][0]["uses"]]')" '[[144, 144], [72, 72]]'
is 'and its box on the page as it is shown' "$(ask 'd["images"][0]["uses"][0]["box"]')" '[26, 14, 51, 64]'
is 'the resolution is that of pdfimages' "$(pdfimages -list "$work/images.pdf" | awk 'NR > 2 { print $13 }' | sort | tr '\n' ' ')" '144 72 '

# Hostile documents end.
python3 "$here/pdf_builder.py" "$work/forms.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>
<<>> stream /F Do
<</Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</F 5 0 R>>>>>> stream /F Do /F Do /F Do /F Do /F Do /F Do /F Do /F Do /F Do /F Do
END
ok 'forms that show themselves ten times each' timeout 100 "$runner" run info "$work/forms.pdf" -o "$json"
ok 'loops of all kinds' timeout 60 "$runner" run info "$SAMPLES/loops.pdf" -o "$json"
done_testing
