#!/bin/sh
# pages.sh [ROOT]: the page for people in Debian's Chromium (test/web), with puppeteer-core
# and axe-core from npm, kept in build/node. Pictures of its states go to build/pages.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
build=$root/build
node=$build/node
pictures=$build/pages
puppeteer=24.10.2
axe=4.10.3

command -v npm >/dev/null || "$root/packaging/install.sh" node
"$root/packaging/install.sh" browser
if ! grep -q "\"version\": \"$puppeteer\"" "$node/node_modules/puppeteer-core/package.json" 2>/dev/null ||
    ! grep -q "\"version\": \"$axe\"" "$node/node_modules/axe-core/package.json" 2>/dev/null; then
    mkdir -p "$node"
    npm install --prefix "$node" --no-audit --no-fund --silent "puppeteer-core@$puppeteer" "axe-core@$axe" >&2
fi

folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$folder"' EXIT
serve() { # SETTINGS...: starts a server, whose process is then $server, at the port $port
    : >"$folder/log"
    "$build/platen" serve --data "$folder/d" --listen 127.0.0.1:0 --min-free-space 1M "$@" 2>"$folder/log" &
    server=$!
    port=
    tries=0
    while [ -z "$port" ] && [ "$tries" -lt 600 ]; do
        port=$(sed -n 's/.*event=server.ready .*port=\([0-9]*\).*/\1/p' "$folder/log")
        tries=$((tries + 1))
        sleep 0.1
    done
    address=http://127.0.0.1:$port
}
serve
key=$("$build/platen" key create --data "$folder/d" --plan business --name page 2>/dev/null | tail -n 1)
tools=$("$build/platen" tools 2>/dev/null | cut -d' ' -f1 | grep -vc '^pipeline$')
drive() { # SCRIPT: runs it, and says what does not hold
    NODE_FOLDER="$node" TOOLS="$tools" node "$root/test/web/$1" "$address" "$key" \
        "$root/test/samples/features.pdf" "$pictures" >"$folder/tap" 2>&1 || {
        grep -v '^ok' "$folder/tap"
        exit 1
    }
    held=$((held + $(grep -c '^ok' "$folder/tap")))
}
held=0
drive pages.mjs
drive docs.mjs
# The workspace shows pages: it is there if the server can draw them.
if "$build/platen" tools --openapi | grep -q 'uploads/{uploadId}/document'; then
    drive workspace.mjs
fi
drive firefox.mjs
BYTES=1 NODE_FOLDER="$node" node "$root/bench/page.mjs" "$address" "$key" >"$folder/tap" || {
    cat "$folder/tap"
    exit 1
}
kill "$server"
wait "$server" || true
again() { # SCRIPT WORDS...: a test that prints TAP of its own
    NODE_FOLDER="$node" node "$@" >"$folder/tap" 2>&1 || {
        grep -v '^ok' "$folder/tap"
        exit 1
    }
    held=$((held + $(grep -c '^ok' "$folder/tap")))
}
again "$root/test/web/restart.mjs" "$build/platen" "$folder/d" "$port" "$key" "$root/test/samples/features.pdf"
OPERATOR=operator-key-of-the-test
export OPERATOR
serve --metrics-from 192.0.2.1 --admin-key "$OPERATOR" --callback-http true --callback-allow 127.0.0.1 \
    --callback-backoff 100ms --callback-retry 1s
drive account.mjs
kill "$server"
wait "$server" || true
serve --web open --visitor-jobs-per-hour 1000 --visitor-requests 1000
drive walk.mjs
drive ways.mjs
echo "pages: $held statements of the page for people hold in Chromium and Firefox"
