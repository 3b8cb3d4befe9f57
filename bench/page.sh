#!/bin/sh
# page.sh: what the web page costs in Chromium: the first view in bytes over the network (the
# budget is 70 kB), the first pixel over a slow line, and script at a throttle of 4 (200 ms), the first screen and the scrolling of
# documents of 1,000 and 10,000 pages, 200 files that are chosen at once, and the browser's memory while 2 GB are sent. BUILD names the build folder, where
# check/pages.sh has put puppeteer-core.
set -eu
root=$(readlink -f "$(dirname "$0")/..")
build=${BUILD:-$root/build}
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$folder"' EXIT
: >"$folder/log"
"$build/platen" serve --data "$folder/d" --listen 127.0.0.1:0 --min-free-space 1M 2>"$folder/log" &
server=$!
until port=$(sed -n 's/.*event=server.ready .*port=\([0-9]*\).*/\1/p' "$folder/log") && [ "$port" ]; do
    kill -0 "$server"
    sleep 0.1
done
key=$("$build/platen" key create --data "$folder/d" --plan business --name page 2>/dev/null | tail -n 1)
NODE_FOLDER="$build/node" node "$root/bench/page.mjs" "http://127.0.0.1:$port" "$key" "$root/test/samples/plain.pdf"
