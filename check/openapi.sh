#!/bin/sh
# openapi.sh [ROOT]: the API's description is valid OpenAPI 3.1 by a linter that is not ours
# (@redocly/cli from npm, kept in build/node), describes every tool, and docs/api.md lists its addresses.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
node=$root/build/node
linter=$node/node_modules/.bin/redocly
version=1.34.5 # the last line that runs on Debian 12's Node.js

command -v npm >/dev/null || "$root/packaging/install.sh" node
if [ ! -x "$linter" ] || ! grep -q "\"version\": \"$version\"" "$node/node_modules/@redocly/cli/package.json"; then
    mkdir -p "$node"
    npm install --prefix "$node" --no-audit --no-fund --silent "@redocly/cli@$version" >&2
fi
cat >"$node/redocly.yaml" <<'EOF'
extends: [recommended]
rules:
  no-server-example.com: off # a server of one's own is on localhost before it is anywhere else
  operation-4xx-response: off # health checks have none
EOF
"$root/build/platen" tools --openapi >"$node/openapi.json"
REDOCLY_TELEMETRY=off "$linter" lint --config "$node/redocly.yaml" --format=stylish "$node/openapi.json" 2>&1 |
    grep -v '^$' >"$node/lint.txt" || true
grep -q 'valid' "$node/lint.txt" || {
    cat "$node/lint.txt"
    exit 1
}
grep -E 'error|warning' "$node/lint.txt" && exit 1
"$root/build/platen" tools --openapi-3.0 >"$node/openapi-3.0.json"
# OpenAPI 3.0 has no webhooks; what their body is stays described.
sed '$a\  no-unused-components: off' "$node/redocly.yaml" >"$node/redocly-3.0.yaml"
REDOCLY_TELEMETRY=off "$linter" lint --config "$node/redocly-3.0.yaml" --format=stylish "$node/openapi-3.0.json" 2>&1 |
    grep -v '^$' >"$node/lint.txt" || true
if grep -E 'error|warning' "$node/lint.txt" || ! grep -q 'valid' "$node/lint.txt"; then
    cat "$node/lint.txt"
    exit 1
fi
for tool in $("$root/build/platen" tools 2>/dev/null | cut -d' ' -f1); do
    grep -q "\"/api/v1/tools/pdf/$tool\"" "$node/openapi.json" || {
        echo "openapi: $tool is not described"
        exit 1
    }
done
"$root/docs/api.py" --addresses <"$node/openapi.json" | sort >"$node/addresses"
# shellcheck disable=SC2016 # backticks of Markdown
grep -oE '`(GET|POST|PATCH|PUT|DELETE) [^`]*`' "$root/docs/api.md" | tr -d '`' | sort | diff - "$node/addresses" || {
    echo "openapi: docs/api.md does not list the addresses of the description (< has it, > has it not)"
    exit 1
}
echo "openapi: the description is valid and describes every tool"
