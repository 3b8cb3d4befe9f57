#!/bin/sh
# pages.sh [ROOT]: the web page in Debian's Chromium (test/web), with puppeteer-core
# and axe-core from npm, kept in build/node. Pictures of its states go to build/pages.
#
# The tests run in three lanes at the same time, each with servers of its own: a test mostly waits,
# for the browser, for the server, or for a picture.
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
NODE_FOLDER=$node
TOOLS=$("$build/platen" tools 2>/dev/null | cut -d' ' -f1 | grep -vc '^pipeline$')
OPERATOR=operator-key-of-the-test
export NODE_FOLDER TOOLS OPERATOR
sample=$root/test/samples/features.pdf

top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

# What follows runs in a lane: a subshell whose files are in $folder.
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
stop() {
    kill "$server"
    wait "$server" || true
}
# A browser on a machine that is busy with three lanes is late now and then. A test that fails is tried
# once more; what it said first is shown either way, so that a fault that comes and goes stays visible.
drive() { # SCRIPT WORDS...: runs a test that prints TAP, and says what does not hold
    node "$@" >"$folder/tap" 2>&1 || {
        echo "$1:"
        grep -v '^ok' "$folder/tap"
        echo "$1: it is tried once more"
        node "$@" >"$folder/tap" 2>&1 || {
            echo "$1, tried once more:"
            grep -v '^ok' "$folder/tap"
            exit 1
        }
    }
    grep '^ok' "$folder/tap" >>"$folder/held" || true
}
page() { drive "$root/test/web/$1" "$address" "$key" "$sample" "$pictures"; } # SCRIPT
new_key() { key=$("$build/platen" key create --data "$folder/d" --plan business --name page 2>/dev/null | tail -n 1); }

with_key() {
    serve
    new_key
    page pages.mjs
    page docs.mjs
    page flows.mjs
    # The workspace shows pages: it is there if the server can draw them.
    if "$build/platen" tools --openapi | grep -q 'uploads/{uploadId}/document'; then
        page workspace.mjs
    fi
    stop
}
other_ways() {
    serve
    new_key
    page firefox.mjs
    BYTES=1 drive "$root/bench/page.mjs" "$address" "$key"
    stop
    drive "$root/test/web/restart.mjs" "$build/platen" "$folder/d" "$port" "$key" "$sample"
    serve --operator-from 192.0.2.1 --metrics-from 192.0.2.1 --admin-key "$OPERATOR" --callback-http true --callback-allow 127.0.0.1 \
        --callback-backoff 100ms --callback-retry 1s --fetch-http true --allow-fetch 127.0.0.2
    page account.mjs
    page address.mjs
    stop
    serve --web open --visitor-jobs-per-hour 1000 --visitor-requests 1000 --visitor-sessions 1000
    page walk.mjs
    page modes.mjs
    page viewer.mjs
    stop
    echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path fill="#8a1538" d="M0 0h90v30H0z"/><script>alert(1)</script></svg>' >"$folder/logo"
    serve --web open --page-name 'Town & <b>Office</b>' --page-color '#8a1538' --page-line 'Run by the <i>town</i>' --page-logo "$folder/logo"
    page brand.mjs
    stop
    serve --web open --visitor-requests 1
    page quota.mjs
    stop
}
visitor() {
    key=-
    serve --web open --visitor-jobs-per-hour 1000 --visitor-requests 1000 --visitor-sessions 1000
    page first.mjs
    page install.mjs
    page library.mjs
    page ways.mjs
    page mishaps.mjs
    page newcomer.mjs
    page expects.mjs
    page start.mjs
    page order.mjs
    page result.mjs
    page scans.mjs
    page sign.mjs
    page keyboard.mjs
    page fill.mjs
    page operations.mjs
    page redact.mjs
    stop
}

lanes='with_key other_ways visitor'
for lane in $lanes; do
    mkdir "$top/$lane"
    (
        server=
        folder=$top/$lane
        trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; wait' EXIT
        "$lane"
        touch "$folder/done"
    ) >"$top/$lane/said" 2>&1 &
done
wait
for lane in $lanes; do
    cat "$top/$lane/said"
done
for lane in $lanes; do
    [ -f "$top/$lane/done" ] || exit 1
done
echo "pages: $(cat "$top"/*/held | wc -l) statements of the web page hold in Chromium and Firefox"
