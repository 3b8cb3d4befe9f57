#!/bin/sh
# build.sh PLATEN FOLDER: makes the packages of both clients in FOLDER: platen-client-VERSION.tgz for npm, and a wheel and
# a source archive for Python; with ONLY=n8n the package of the node for n8n, with ONLY=postman the Postman
# collection. PLATEN is the program whose tools they offer; their version is its version. Needs npm for all but Python and
# Postman. Below FOLDER/javascript and FOLDER/python are the clients as they are inside of the packages. With ONLY=javascript or ONLY=python only one of them is made.
set -eu
[ $# = 2 ] || {
    echo "usage: build.sh PLATEN FOLDER" >&2
    exit 2
}
here=$(dirname "$(readlink -f "$0")")
platen=$(readlink -f "$1")
mkdir -p "$2"
out=$(readlink -f "$2")
only=${ONLY:-javascript python}
"$platen" tools --openapi >"$out/openapi.json"
version=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["info"]["version"])' <"$out/openapi.json")

javascript() {
    rm -rf "$out/javascript"
    mkdir -p "$out/javascript"
    cp -r "$here/javascript/src" "$here/javascript/README.md" "$here/javascript/tsconfig.json" "$here/../LICENSE" "$out/javascript/"
    sed "s/\"version\": \"0.0.0\"/\"version\": \"$version\"/" "$here/javascript/package.json" >"$out/javascript/package.json"
    python3 "$here/generate.py" typescript <"$out/openapi.json" >"$out/javascript/src/tools.ts"
    python3 "$here/generate.py" schemas <"$out/openapi.json" >"$out/javascript/src/schemas.ts"
    # The compiler is found in a folder above, or comes from npm.
    [ -x "$out/node_modules/.bin/tsc" ] ||
        npm install --prefix "$out" --no-save --no-audit --no-fund --silent typescript@5.9.3 @types/node@18.19.130 >&2
    "$out/node_modules/.bin/tsc" -p "$out/javascript"
    (cd "$out/javascript" && npm pack --silent --pack-destination "$out" >/dev/null)
}

python() {
    rm -rf "$out/python"
    mkdir -p "$out/python"
    cp -r "$here/python/src" "$here/python/README.md" "$here/python/pyproject.toml" "$here/../LICENSE" "$out/python/"
    find "$out/python" -name __pycache__ -prune -exec rm -rf {} +
    python3 "$here/generate.py" python <"$out/openapi.json" >"$out/python/src/platen/_tools.py"
    [ "${PACK:-yes}" = no ] || /usr/bin/python3 "$here/wheel.py" "$out/python" "$out"
}

n8n() {
    rm -rf "$out/n8n"
    cp -r "$here/../integrations/n8n" "$out/n8n"
    cp "$here/../LICENSE" "$out/n8n/"
    sed "s/\"version\": \"0.0.0\"/\"version\": \"$version\"/" "$here/../integrations/n8n/package.json" >"$out/n8n/package.json"
    # Only types and errors of n8n are needed: what it compiles for itself is not.
    [ -d "$out/node_modules/n8n-workflow" ] ||
        npm install --prefix "$out" --no-save --no-audit --no-fund --silent --ignore-scripts \
            n8n-workflow@2.41.0 typescript@5.9.3 @types/node@18.19.130 >&2
    (cd "$out/n8n" && PATH="$out/node_modules/.bin:$PATH" npm run --silent build && npm pack --silent --pack-destination "$out" >/dev/null)
}

postman() {
    python3 "$here/postman.py" <"$out/openapi.json" >"$out/platen.postman_collection.json"
}

for one in $only; do
    "$one"
done
