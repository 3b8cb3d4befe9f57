# Completion of platen for bash. The program itself says what may follow (platen complete).

# The files with one of the endings, and folders; all files if no ending is given.
_platen_files() { # WORD ENDING...
    local word=$1 file ending
    shift
    compopt -o filenames
    while IFS= read -r file; do
        if [ $# = 0 ] || [ -d "$file" ]; then
            COMPREPLY+=("$file")
            continue
        fi
        for ending; do
            case ${file,,} in *"$ending")
                COMPREPLY+=("$file")
                break
                ;;
            esac
        done
    done < <(compgen -f -- "$word")
}

_platen() {
    local platen=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} line
    local -a words=("${COMP_WORDS[@]:1:COMP_CWORD}")
    COMPREPLY=()
    [ "$word" != = ] || word=

    while IFS= read -r line; do
        case $line in
        # shellcheck disable=SC2086 # several endings
        :files*) _platen_files "$word" ${line#:files} ;;
        :folders)
            compopt -o filenames
            while IFS= read -r line; do
                COMPREPLY+=("$line")
            done < <(compgen -d -- "$word")
            ;;
        *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <("$platen" complete "${words[@]}" 2>/dev/null)
}

complete -F _platen platen
