#!/bin/sh
# url-to-png: a picture of a page of a host of this machine, judged with Pillow. $1 runs a tool:
# `$1 run url-to-png --url ADDRESS -o OUT`. test/e2e/url.py has what pages may reach.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.png
said=$work/said

"$runner" tools url-to-png >"$said" 2>&1 || {
    echo "1..0 # SKIP url-to-png is not offered here: $(head -n 1 "$said")"
    exit 0
}
fails() { ! "$@"; }
mkdir "$work/site"
printf '<!doctype html><title>x</title><style>body { margin: 0 } div { width: 60px; height: 40px; background: #00f }</style><div id=a></div>' >"$work/site/index.html"
mkfifo "$work/port"
/usr/bin/python3 -c 'import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
open(sys.argv[2], "w").write(f"{host.server_port}\n")
host.serve_forever()' "$work/site" "$work/port" 2>/dev/null &
host=$!
trap 'kill $host; rm -rf "$work"' EXIT
read -r port <"$work/port"
url() { "$runner" run url-to-png --url "http://127.0.0.1:$port/" --fetch_http=true "$@" -o "$out" >"$said" 2>&1; }
look() { # the size of the picture, and the colour of its first pixel
    /usr/bin/python3 -c 'import sys
from PIL import Image
picture = Image.open(sys.argv[1]).convert("RGB")
print(picture.size, picture.getpixel((0, 0)))' "$out"
}

ok 'a page at an address becomes a picture' url --allow_fetch=127.0.0.1 --viewport 200x100
is 'of what is there' "$(look)" '(200, 100) (0, 0, 255)'
ok 'or one element of it' url --allow_fetch=127.0.0.1 --selector '#a' --pixelRatio 2
is 'sharper' "$(look)" '(120, 80) (0, 0, 255)'
ok 'a host of the own network is refused' fails url
done_testing
