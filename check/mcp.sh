#!/bin/sh
# mcp.sh [ROOT]: the conformance suite of the Model Context Protocol and its official client, both from
# npm, find no fault with /mcp (test/mcp/absent.txt lists what they ask of a server that this one does
# not have).
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
folder=$root/build/mcp
# The suite needs a newer Node.js than Debian 12's, which npm has as a package.
packages='node@22.23.3 @modelcontextprotocol/sdk@1.32.2
    conformance-released@npm:@modelcontextprotocol/conformance@0.1.16
    conformance-next@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12'

command -v npm >/dev/null || "$root/packaging/install.sh" node
mkdir -p "$folder"
if [ "$(cat "$folder/installed" 2>/dev/null)" != "$packages" ]; then
    echo '{ "type": "module" }' >"$folder/package.json"
    # shellcheck disable=SC2086 # a list of words
    npm install --prefix "$folder" --no-audit --no-fund --silent $packages >&2
    echo "$packages" >"$folder/installed"
fi
node=$folder/node_modules/.bin/node
data=$(mktemp -d)
server='' proxy=''
finish() {
    [ -z "$proxy" ] || kill "$proxy" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$data"
}
trap finish EXIT
# ready FILE PROCESS EXPRESSION: waits until sed finds it in FILE.
ready() {
    until found=$(sed -n "$3" "$1") && [ "$found" ]; do
        kill -0 "$2" || {
            cat "$1"
            exit 1
        }
        sleep 0.1
    done
    echo "$found"
}
"$root/build/platen" serve --data "$data/d" --listen 127.0.0.1:0 --mcp true 2>"$data/log" &
server=$!
key=$("$root/build/platen" key create --plan business --name mcp --data "$data/d" 2>/dev/null | tail -n 1)
port=$(ready "$data/log" "$server" 's/.*server.ready.* port=\([0-9]*\).*/\1/p')
"$node" "$root/test/mcp/with_key.mjs" "$key" "$port" >"$data/port" &
proxy=$!

cp "$root"/test/mcp/sdk.mjs "$folder/"
"$node" "$folder/sdk.mjs" "http://127.0.0.1:$port" "$key" "$root/test/samples/plain.pdf" >"$data/said" 2>&1 || {
    cat "$data/said"
    exit 1
}
echo "mcp: $(grep -c '^ok' "$data/said") statements about the official client hold"
python3 "$root/test/mcp/conformance.py" "$folder" "http://localhost:$(ready "$data/port" "$proxy" p)/mcp"
