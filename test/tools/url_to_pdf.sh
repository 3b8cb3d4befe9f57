#!/bin/sh
# url-to-pdf: pages of a host of this machine, judged with pdftotext and pdfinfo. $1 runs a tool:
# `$1 run url-to-pdf --url ADDRESS -o OUT`. test/e2e/url.py has what pages may reach.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.pdf
said=$work/said

"$runner" tools url-to-pdf >"$said" 2>&1 || {
    echo "1..0 # SKIP url-to-pdf is not offered here: $(head -n 1 "$said")"
    exit 0
}
says() { grep -q "$1" "$said"; }
fails() { ! "$@"; }
mkdir "$work/site"
printf '<!doctype html><title>A page</title><link rel=stylesheet href=style.css><h1>At an address</h1><p id=p></p><script>document.getElementById("p").textContent = "by a script"</script>' >"$work/site/index.html"
printf '@page { size: 100mm 120mm }' >"$work/site/style.css"
printf '<p>x<img src=none.png>' >"$work/site/lacks.html"
# The host says its port on the pipe, once it listens.
mkfifo "$work/port"
/usr/bin/python3 -c 'import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
open(sys.argv[2], "w").write(f"{host.server_port}\n")
host.serve_forever()' "$work/site" "$work/port" 2>/dev/null &
host=$!
trap 'kill $host; rm -rf "$work"' EXIT
read -r port <"$work/port"
url() { "$runner" run url-to-pdf --url "http://127.0.0.1:$port/$1" --fetch_http=true "$2" -o "$out" >"$said" 2>&1; } # PATH SETTING

ok 'a page at an address becomes a PDF' url '' --allow_fetch=127.0.0.1
is 'its scripts run' "$(pdftotext "$out" - | tr -s '\n\f ' ' ')" 'At an address by a script '
ok 'it has its title' sh -c "pdfinfo '$out' | grep -q 'Title: *A page'"
ok 'the result is sound' qpdf --check "$out"
ok 'a page that is not there is an error' fails url none.html --allow_fetch=127.0.0.1
ok 'with its status' says 'fetch_failed.*status 404'
ok 'a part that is not there is one, too' fails url lacks.html --allow_fetch=127.0.0.1
ok 'with its name and status' says 'resource_missing.*none.png.*status 404'
ok 'a host of the own network is refused' fails url '' --allow_fetch=
ok 'in words' says 'invalid_parameter.*public Internet'
ok 'http is refused unless it is allowed' fails "$runner" run url-to-pdf --url "http://127.0.0.1:$port/" --allow_fetch=127.0.0.1 -o "$out"
"$runner" run url-to-pdf "$work/site/index.html" --url "http://127.0.0.1:$port/" -o "$out" >"$said" 2>&1
ok 'files are refused' says 'too_many_files'
done_testing
