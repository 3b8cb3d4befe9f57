#!/bin/sh
# python.sh [ROOT]: every Python file can be read, and none has the name of one of Python's own
# modules: whoever has its folder on the path would get it instead of that.
set -eu
cd "${1:-$(dirname "$0")/..}"
find . -path ./.git -prune -o -path './build*' -prune -o -path ./data -prune -o -name '*.py' -print |
    sort | python3 -c '
import ast, os, sys
faults = 0
for path in sys.stdin.read().split("\n")[:-1]:
    if os.path.splitext(os.path.basename(path))[0] in sys.stdlib_module_names:
        print(f"python: {path}: Python has a module of this name")
        faults += 1
    try:
        with open(path, encoding="utf-8") as file:
            ast.parse(file.read())
    except SyntaxError as fault:
        print(f"python: {path}: {fault}")
        faults += 1
if faults:
    sys.exit(1)
print("python: every file can be read, none has the name of one of Python'"'"'s modules")'
