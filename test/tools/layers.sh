#!/bin/sh
# What sanitize and flatten remove of layers is what to-png does not draw: by states, policies, expressions, intents and usages.
# $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
python3 "$here/optional_content.py" "$work"
for file in "$work"/*_shown.pdf; do
    name=$(basename "$file" _shown.pdf)
    patched optional_content || continue
    "$runner" run to-png "$file" --dpi 50 -o "$work/shown.png" >"$work/said" 2>&1
    for tool in sanitize 'flatten --what layers'; do
        # shellcheck disable=SC2086 # the words of the tool
        "$runner" run $tool "$work/$name.pdf" -o "$work/out.pdf" >"$work/said" 2>&1
        "$runner" run to-png "$work/out.pdf" --dpi 50 -o "$work/left.png" >"$work/said" 2>&1
        ok "what is shown stays, and what is hidden goes: $name, $tool" cmp "$work/left.png" "$work/shown.png"
    done
done
done_testing
