# Completion of platen for bash. Everything is asked of the program itself, so it knows what is
# installed; the tools, whose programs take a moment to start, are asked for once a shell.

_platen_tools() {
    if [ -z "${_platen_tools_known-}" ]; then
        _platen_tools_known=$("$1" tools 2>/dev/null | awk '/^[a-z]/ { print $1 }')
    fi
    printf '%s\n' "$_platen_tools_known"
}

# The words that begin with "--" in a help text.
_platen_options() {
    awk '$1 ~ /^--[A-Za-z]/ { sub(/[,=].*/, "", $1); print $1 }'
}

# What the program shows as "One of: a, b." for a parameter, and its "true" and "false".
_platen_values() { # PLATEN TOOL PARAMETER
    "$1" tools "$2" 2>/dev/null | awk -v name="$3" '$1 == name {
        if (match($0, /One of: [^.]*\./)) {
            list = substr($0, RSTART + 8, RLENGTH - 9)
            gsub(/, /, "\n", list)
            print list
        } else if ($0 ~ /Default: (true|false)\./) {
            print "true\nfalse"
        }
    }'
}

_platen() {
    local platen=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=
    local command=${COMP_WORDS[1]-} list=
    [ "$COMP_CWORD" -lt 1 ] || before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()

    if [ "$COMP_CWORD" = 1 ]; then
        list="$("$platen" --help 2>/dev/null | awk '$1 == "platen" && $2 ~ /^[a-z]+$/ { print $2 }')
--help --version"
    elif [ "$before" = --config ] || [ "$before" = --data ] || [ "$before" = -o ]; then
        compopt -o default
        return
    elif [ "$command" = tools ] && [ "$COMP_CWORD" = 2 ]; then
        list=$(_platen_tools "$platen")
    elif [ "$command" = run ] && [ "$COMP_CWORD" = 2 ]; then
        list=$(_platen_tools "$platen")
    elif [ "$command" = run ]; then
        case $word in
        -*) list="$("$platen" tools "${COMP_WORDS[2]}" 2>/dev/null | _platen_options)
-o" ;;
        *)
            case $before in
            --*) list=$(_platen_values "$platen" "${COMP_WORDS[2]}" "$before") ;;
            esac
            ;;
        esac
    elif [ "$command" = key ] && [ "$COMP_CWORD" = 2 ]; then
        list="create
list
revoke
rotate"
    elif [ "$command" = key ]; then
        list="--plan
--name
--data
--config"
    else
        list="$("$platen" "$command" --help 2>/dev/null | _platen_options)
--config"
    fi
    if [ -z "$list" ]; then
        compopt -o default
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$list" -- "$word")
}

complete -F _platen platen
