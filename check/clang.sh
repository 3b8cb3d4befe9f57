#!/bin/sh
# clang.sh [ROOT [BUILD]]: clang accepts every file of the build with fuzzers, so that the builds with
# sanitizers can be made. It only reads the files, which takes half a minute on two cores. BUILD has
# compile_commands.json of such a build, and is set up if it is not there.
set -eu
cd "${1:-$(dirname "$0")/..}"
build=${2:-build-clang}

[ -f "$build/compile_commands.json" ] || CC=clang-14 meson setup "$build" -Dfuzz=true >/dev/null
# Without what is only needed to write the object: the level -O2, debugging information, dependencies.
python3 - "$build" <<'END' | xargs -P 2 -I LINE sh -c LINE
import json, os, shlex, sys

build = sys.argv[1]
sources = os.path.realpath('.')
for entry in json.load(open(os.path.join(build, 'compile_commands.json'))):
    path = os.path.relpath(os.path.realpath(os.path.join(entry['directory'], entry['file'])), sources)
    if not path.startswith('src/') and not path.endswith('_fuzz.c') or not path.endswith('.c'):
        continue
    words, kept = iter(shlex.split(entry['command'])), []
    for word in words:
        if word in ('-o', '-MF', '-MQ'):
            next(words)
        elif word not in ('-c', '-O2', '-g', '-MD'):
            kept.append(word)
    command = f'cd {shlex.quote(entry["directory"])} && exec {shlex.join(kept)} -fsyntax-only'
    print("'" + command.replace("'", "'\\''") + "'")
END
echo 'clang: it accepts every file'
