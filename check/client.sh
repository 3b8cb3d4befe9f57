#!/bin/sh
# client.sh [ROOT]: three clients that generators from npm make from the API's description
# (openapi-typescript with openapi-fetch, orval, swagger-typescript-api) compile under tsc --strict
# without a cast, and upload, wait and download with a running server. The project's own client for
# JavaScript (clients/javascript) is built and tested with the same server.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
# shellcheck source-path=SCRIPTDIR
. "$root/check/lib.sh"
folder=$root/build/client
# The newest that run on Debian 12's Node.js, which is 18.
packages='openapi-typescript@7.13.0 openapi-fetch@0.17.0 orval@7.21.0 swagger-typescript-api@13.0.28
    typescript@5.9.3 @types/node@18.19.130'

# shellcheck disable=SC2086 # a list of words
install_packages "$folder" $packages
if grep -nE '\bas (unknown|never|any|[A-Z])|[:<] *any\b|@ts-|!\.' "$root"/test/client/*.ts; then
    echo "client: a client casts, so the description lacks a type"
    exit 1
fi
data=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$data"' EXIT
serve client

cp "$root"/test/client/* "$folder/"
cd "$folder"
printf '%s\n' '<</Type/Catalog/Pages 2 0 R>>' '<</Type/Pages/Kids[3 0 R]/Count 1>>' \
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>' | python3 "$root/test/tools/pdf_builder.py" page.pdf
"$root/build/platen" tools --openapi >openapi.json
export PLATEN_URL="http://127.0.0.1:$port"
quietly node types.mjs
quietly node_modules/.bin/orval --config orval.config.mjs
quietly node_modules/.bin/swagger-typescript-api generate -p openapi.json -o . -n swagger_client.ts
quietly node_modules/.bin/tsc --strict --noUncheckedIndexedAccess --target es2022 --module nodenext \
    --skipLibCheck --types node openapi_fetch.ts orval.ts swagger.ts
things=0
for client in openapi_fetch orval swagger; do
    quietly node "$client.js" "$PLATEN_URL" "$key"
    things=$((things + $(grep -c '^ok' said.txt)))
done
echo "client: $things things done by three generated clients"

quietly env ONLY=javascript "$root/clients/build.sh" "$root/build/platen" "$folder"
quietly npm install --no-audit --no-fund --silent --no-save "$folder"/platen-client-*.tgz

# What docs/clients.md says from nothing to a result in JavaScript, as a newcomer pastes it.
newcomer=$data/newcomer
mkdir -p "$newcomer/build" "$newcomer/data"
ln -s "$root/clients" "$newcomer/clients"
ln -s "$root/build/platen" "$newcomer/build/platen"
cp "$root/test/samples/plain.pdf" "$newcomer/report.pdf"
sed -n '/^ONLY=javascript/,/^node/p' "$root/docs/clients.md" |
    sed "s,localhost:8080,127.0.0.1:$port," >"$data/commands"
echo "$key" >"$newcomer/data/first-key"
[ "$(wc -l <"$data/commands")" = 5 ]
(cd "$newcomer" && quietly sh -e "$data/commands" && [ -s small.pdf ])
echo "client: five commands lead from nothing to a result"

quietly node platen_client.mjs "$PLATEN_URL" "$key" "$root/docs/clients.md"
echo "client: $(grep -c '^ok' said.txt) statements about the client for JavaScript hold"
