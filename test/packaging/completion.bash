#!/bin/bash
# completion.bash PLATEN SCRIPT: what bash offers after some words.
set -u
platen=$1
count=0 failed=0

# Only the program that starts at once.
PLATEN_PROGRAMS=$(mktemp -d)
export PLATEN_PROGRAMS
trap 'rm -rf "$PLATEN_PROGRAMS"' EXIT
ln -s "$(dirname "$(readlink -f "$platen")")/platen-worker" "$PLATEN_PROGRAMS/"

# shellcheck source=/dev/null
. "$2"
compopt() { default=yes; } # only inside a real completion

complete_words() { # WORD...: COMPREPLY for the last of them
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    default=
    _platen
}

is() { # SENTENCE WANTED: the offers, sorted, in one line
    local got
    got=$(printf '%s\n' "${COMPREPLY[@]-}" | sort | tr '\n' ' ')
    count=$((count + 1))
    if [ "${got% }" = "$2" ]; then
        echo "ok $count - $1"
    else
        failed=$((failed + 1))
        echo "not ok $count - $1"
        echo "# got: $got"
    fi
}

complete_words "$platen" s
case " ${COMPREPLY[*]} " in *" serve "*) COMPREPLY=(serve) ;; esac
is 'a command is completed' serve
complete_words "$platen" --v
is 'and an option' --version
complete_words "$platen" run rot
is 'a tool is' rotate
complete_words "$platen" tools remove-p
is 'also after tools' remove-password
complete_words "$platen" run rotate --deg
is "a tool's parameter is" --degrees
complete_words "$platen" run rotate a.pdf --degrees 90 --pag
is 'after a file too' --pages
complete_words "$platen" run split --mode e
is 'the values of a choice are' 'each extract'
complete_words "$platen" run rotate a.p
is 'files are left to bash' ''
[ "$default" ] && COMPREPLY=(files)
is 'which is told so' files
complete_words "$platen" key r
is 'the verbs of key are' 'revoke rotate'
complete_words "$platen" serve --max-fi
is 'a setting is' --max-file-size
complete_words "$platen" nothing --x
is 'an unknown command offers nothing' ''

echo "1..$count"
[ "$failed" = 0 ]
