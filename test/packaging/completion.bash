#!/bin/bash
# completion.bash PLATEN SCRIPT: what bash offers after some words.
set -u
platen=$(readlink -f "$1")
count=0 failed=0

# Only the programs that start at once.
PLATEN_PROGRAMS=$(mktemp -d)
export PLATEN_PROGRAMS
trap 'rm -rf "$PLATEN_PROGRAMS"' EXIT
built=$(dirname "$(readlink -f "$platen")")
for program in platen-pages platen-worker platen-render platen-ocr; do
    [ ! -e "$built/$program" ] || ln -s "$built/$program" "$PLATEN_PROGRAMS/"
done
cd "$PLATEN_PROGRAMS" || exit 1
mkdir a.folder
touch a.pdf b.PDF a.txt a.jpg

# shellcheck source=/dev/null
. "$2"
compopt() { :; } # only inside a real completion

complete_words() { # WORD...: COMPREPLY for the last of them
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
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
        echo "# $0:${BASH_LINENO[0]}"
        printf '#   got: %s\n#  want: %s\n' "${got% }" "$2"
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
complete_words "$platen" run split --mode = e
is 'also after an equals sign' 'each extract'
complete_words "$platen" run rotate a.p
is 'files are those that the tool takes' a.pdf
complete_words "$platen" run rotate ''
is 'of either case, and folders' 'a.folder a.pdf b.PDF'
complete_words "$platen" run jpg-to-pdf a.
is 'another tool takes others' 'a.folder a.jpg'
complete_words "$platen" run rotate a.pdf -o a.t
is 'the result may have any name' a.txt
complete_words "$platen" backup a
is 'backup takes a folder' a.folder
complete_words "$platen" serve --tls-key a.t
is 'settings that are files take files' a.txt
complete_words "$platen" serve --log-format j
is 'and those of a few words these' 'journald json'
complete_words "$platen" key create --plan b
is 'plans are known' business
complete_words "$platen" config ''
is 'config has two verbs' 'check show'
complete_words "$platen" status --js
is 'status has --json' --json
complete_words "$platen" tools --open
is 'tools has --openapi and --openapi-3.0' '--openapi --openapi-3.0'
complete_words "$platen" key r
is 'the verbs of key are' 'remove revoke rotate'
complete_words "$platen" key plan pk_12345678 b
is 'the second argument of key plan is a plan' business
complete_words "$platen" key list --data x --js
is 'an option is offered after a setting' --json
complete_words "$platen" key revoke --na
is 'a subcommand offers its own options only' ''
complete_words "$platen" move --to-
is 'move has two options' '--to-blobs --to-store'
complete_words "$platen" move --to-blobs a
is 'whose values may be folders' a.folder
complete_words "$platen" serve --no
is 'serve has --no-work' --no-work
complete_words "$platen" serve --max-fi
is 'a setting is' --max-file-size
complete_words "$platen" nothing --x
is 'an unknown command offers nothing' ''

# Nothing is missing: all that the program lists elsewhere is offered.
has() { # SENTENCE WORD...: each is among the offers
    local word sentence=$1
    shift
    for word; do
        case " ${COMPREPLY[*]-} " in
        *" $word "*) ;;
        *) sentence="$sentence, but $word" ;;
        esac
    done
    [ $# != 0 ] || sentence="$sentence, but there are none"
    count=$((count + 1))
    case $sentence in
    *", but "*)
        failed=$((failed + 1))
        echo "not ok $count - $sentence"
        echo "# $0:${BASH_LINENO[0]}"
        ;;
    *) echo "ok $count - $sentence" ;;
    esac
}

complete_words "$platen" ''
# shellcheck disable=SC2046 # words
has 'every command is offered' $("$platen" --help | awk '$1 == "platen" && $2 ~ /^[a-z]+$/ { print $2 }')
complete_words "$platen" serve --
# shellcheck disable=SC2046
has 'every setting' $("$platen" serve --help | awk '$1 ~ /^--/ { print $1 }')
tools=$("$platen" tools 2>/dev/null | awk '/^[a-z]/ { print $1 }')
complete_words "$platen" run ''
is 'the tools are those of platen tools' "$(echo "$tools" | sort | tr '\n' ' ' | sed 's/ $//')"
for tool in $tools; do
    about=$("$platen" tools "$tool" 2>/dev/null)
    complete_words "$platen" run "$tool" --
    # shellcheck disable=SC2046
    has "every parameter of $tool" $(echo "$about" | awk '$1 ~ /^--/ { print $1 }') --output --force --each --jobs
    while read -r param values; do
        complete_words "$platen" run "$tool" "$param" ''
        # shellcheck disable=SC2086
        has "every value of $tool $param" $values
    done < <(echo "$about" | sed -n 's/^ *\(--[A-Za-z]*\) .*One of: \([^.]*\)\..*/\1 \2/p' | tr -d ,)
done

echo "1..$count"
[ "$failed" = 0 ]
