# tap: for shell tests, sourced. ok "sentence" command...; is "sentence" GOT WANT; done_testing.
tap_n=0
tap_failed=0

# Where the test has this sentence, or one with variables that it may be made from.
tap_where() {
    TAP_WHAT=$1 awk '
        {
            rest = $0
            while (match(rest, /"[^"]+"|\047[^\047]+\047/)) {
                text = substr(rest, RSTART + 1, RLENGTH - 2)
                rest = substr(rest, RSTART + RLENGTH)
                gsub(/\$([A-Za-z_0-9]+|\{[^}]*\})/, "\001", text)
                n = gsub(/[A-Za-z0-9 ]/, "&", text)
                gsub(/[^A-Za-z0-9\001 ]/, ".", text)
                gsub(/\001/, ".*", text)
                if (n < most || n == 0 || ENVIRON["TAP_WHAT"] !~ "^" text "$")
                    continue
                lines = n > most || !lines ? NR : lines ", " NR
                most = n
            }
        }
        END { print "# " FILENAME (lines ? ":" lines : "") }' "$0"
}

ok() {
    tap_n=$((tap_n + 1))
    tap_what=$1
    shift
    if "$@" >"$work/tap.out" 2>&1; then
        echo "ok $tap_n - $tap_what"
    else
        tap_failed=1
        echo "not ok $tap_n - $tap_what"
        tap_where "$tap_what"
        sed 's/^/#   /' "$work/tap.out" | head -n 20
    fi
}

is() {
    tap_n=$((tap_n + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $tap_n - $1"
    else
        tap_failed=1
        echo "not ok $tap_n - $1"
        tap_where "$1"
        printf '%s\n' "#   got: $2" "#  want: $3" | sed '2,$s/^\([^#]\)/#        \1/'
    fi
}

done_testing() {
    echo "1..$tap_n"
    exit $tap_failed
}

# Whether a build replaces these functions of MuPDF (src/engine/mupdf/meson.build): some results depend on it.
patched() { # NAME
    case " ${MUPDF_PATCHES-$1} " in
    *" $1 "*) ;;
    *) return 1 ;;
    esac
}

# A folder of the test's own, gone when it ends.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
