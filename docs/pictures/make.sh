#!/bin/sh
# make.sh: makes the pictures of README.md anew: page.png, the web page with two files to merge, and
# to-word.png, a page as PDF and as the Word document that to-word makes of it, both drawn by
# LibreOffice and poppler. Needs the build folder, and what check/pages.sh installs: run that first.
set -eu
here=$(dirname "$(readlink -f "$0")")
root=$here/../..
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT

cd "$work"
soffice --headless --convert-to pdf --outdir . "$here/report.fodt" >/dev/null 2>&1
"$root/build/platen" run to-word report.pdf -o report.docx
soffice --headless --convert-to pdf --outdir word report.docx >/dev/null 2>&1
pdftoppm -r 96 -png -singlefile report.pdf before
pdftoppm -r 96 -png -singlefile word/report.pdf after

"$root/build/platen" serve --data data --listen 127.0.0.1:0 --web open --min-free-space 1M 2>log &
server=$!
port=
while [ -z "$port" ] && kill -0 "$server"; do
    port=$(sed -n 's/.*event=server.ready .*port=\([0-9]*\).*/\1/p' log)
    sleep 0.1
done
cp report.pdf "Water levels.pdf"
"$root/build/platen" run merge report.pdf "$root/test/samples/plain.pdf" report.pdf -o copies.pdf
"$root/build/platen" run watermark copies.pdf --text Draft --opacity 0.3 -o Drafts.pdf
NODE_FOLDER=$root/build/node node "$here/make.mjs" "http://127.0.0.1:$port" "$work" "$here"
