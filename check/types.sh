#!/bin/sh
# types.sh [ROOT]: TypeScript finds no fault with the types of the web page, which its
# modules state in JSDoc, and mypy none with those of the Python client.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
node=$root/build/types
typescript=5.9.3
command -v npm >/dev/null || "$root/packaging/install.sh" node
if ! grep -q "\"version\": \"$typescript\"" "$node/node_modules/typescript/package.json" 2>/dev/null; then
    mkdir -p "$node"
    npm install --prefix "$node" --no-audit --no-fund --silent "typescript@$typescript" >&2
fi
"$node/node_modules/.bin/tsc" -p "$root/test/web/tsconfig.json"
echo "types: $(find "$root/src/server/web" -name 'app*.js' | wc -l) modules of the web page hold their types"
python=$root/build/types/python
mkdir -p "$python"
ONLY=python PACK=no "$root/clients/build.sh" "$root/build/platen" "$python"
(cd "$python/python" && mypy --strict --no-error-summary src/platen)
echo "types: the Python client holds its types"
