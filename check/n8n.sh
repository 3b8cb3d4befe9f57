#!/bin/sh
# n8n.sh [ROOT]: the node for n8n (integrations/n8n) compiles against n8n's own types, its package holds what
# n8n looks for, and it works on files with a running server; so does its workflow.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
# shellcheck source-path=SCRIPTDIR
. "$root/check/lib.sh"
folder=$root/build/n8n

mkdir -p "$folder"
ONLY=n8n "$root/clients/build.sh" "$root/build/platen" "$folder"
rm -rf "$folder/unpacked" && mkdir "$folder/unpacked"
tar -xzf "$folder"/n8n-nodes-platen-*.tgz -C "$folder/unpacked"
package=$folder/unpacked/package
for file in $(python3 -c 'import json, sys; n = json.load(sys.stdin)["n8n"]; print(*n["nodes"], *n["credentials"])' <"$package/package.json") \
    dist/nodes/Platen/platen.svg README.md LICENSE; do
    [ -f "$package/$file" ] || {
        echo "n8n: the package has no $file"
        exit 1
    }
done
if grep -q '"dependencies"' "$package/package.json"; then
    echo "n8n: the package has dependencies, which n8n does not verify"
    exit 1
fi
data=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$data"' EXIT
serve n8n
cd "$folder"
printf '%s\n' '<</Type/Catalog/Pages 2 0 R>>' '<</Type/Pages/Kids[3 0 R]/Count 1>>' \
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>' | python3 "$root/test/tools/pdf_builder.py" page.pdf
quietly node "$root/test/n8n/node.mjs" "$package" "http://127.0.0.1:$port" "$key" "$root/integrations/n8n/workflow.json"
echo "n8n: $(grep -c '^ok' said.txt) statements about the node hold"
