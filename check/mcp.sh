#!/bin/sh
# mcp.sh [ROOT]: the conformance suite of the Model Context Protocol and its official client, both from
# npm, find no fault with /mcp (test/mcp/absent.txt lists what they ask of a server that this one does
# not have). What the suite calls by name is in a server of the test, made of the same code.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
# shellcheck source-path=SCRIPTDIR
. "$root/check/lib.sh"
folder=$root/build/mcp
# The suite needs a newer Node.js than Debian 12's, which npm has as a package.
packages='node@22.23.3 @modelcontextprotocol/sdk@1.32.2
    conformance-released@npm:@modelcontextprotocol/conformance@0.1.16
    conformance-next@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12'

# shellcheck disable=SC2086 # a list of words
install_packages "$folder" $packages
node=$folder/node_modules/.bin/node
data=$(mktemp -d)
server='' proxy='' example=''
finish() {
    [ -z "$example" ] || kill "$example" 2>/dev/null || true
    [ -z "$proxy" ] || kill "$proxy" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$data"
}
trap finish EXIT
serve mcp --mcp true
"$node" "$root/test/mcp/with_key.mjs" "$key" "$port" >"$data/port" &
proxy=$!
ninja -C "$root/build" test/mcp/mcp_example >/dev/null
"$root/build/test/mcp/mcp_example" "$root/test/mcp/example.json" >"$data/example" &
example=$!

cp "$root"/test/mcp/sdk.mjs "$folder/"
cd "$data"
quietly "$node" "$folder/sdk.mjs" "http://127.0.0.1:$port" "$key" "$root/test/samples/plain.pdf"
echo "mcp: $(grep -c '^ok' said.txt) statements about the official client hold"
python3 "$root/test/mcp/conformance.py" "$folder" "http://localhost:$(await_line "$data/port" "$proxy" p)/mcp" \
    "http://localhost:$(await_line "$data/example" "$example" p)/mcp"
