#!/bin/sh
# client.sh [ROOT]: a client whose types a generator that is not ours makes from the API's description
# (openapi-typescript and openapi-fetch from npm, kept in build/client) compiles, and does its work
# with a running server.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
folder=$root/build/client
packages='openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@18.19.130'

command -v npm >/dev/null || "$root/packaging/install.sh" node
mkdir -p "$folder"
if [ "$(cat "$folder/installed" 2>/dev/null)" != "$packages" ]; then
    echo '{ "type": "module" }' >"$folder/package.json"
    # shellcheck disable=SC2086 # a list of words
    npm install --prefix "$folder" --no-audit --no-fund --silent $packages >&2
    echo "$packages" >"$folder/installed"
fi
data=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$data"' EXIT
"$root/build/platen" serve --data "$data/d" --listen 127.0.0.1:0 2>"$data/log" &
server=$!
key=$("$root/build/platen" key create --plan business --name client --data "$data/d" 2>/dev/null | tail -n 1)

cp "$root/test/client/client.ts" "$folder/"
cd "$folder"
"$root/build/platen" tools --openapi >openapi.json
node_modules/.bin/openapi-typescript openapi.json -o platen.d.ts >/dev/null 2>&1
node_modules/.bin/tsc --strict --noUncheckedIndexedAccess --target es2022 --module nodenext \
    --skipLibCheck --types node client.ts
until port=$(sed -n 's/.*server.ready.* port=\([0-9]*\).*/\1/p' "$data/log") && [ "$port" ]; do
    kill -0 "$server" || {
        cat "$data/log"
        exit 1
    }
    sleep 0.1
done
node client.js "http://127.0.0.1:$port" "$key" >"$folder/said.txt" || {
    cat "$folder/said.txt"
    exit 1
}
echo "client: $(grep -c '^ok' "$folder/said.txt") things done by a generated client"
