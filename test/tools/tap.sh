# tap: for shell tests, sourced. ok "sentence" command...; is "sentence" GOT WANT; done_testing.
tap_n=0
tap_failed=0

ok() {
    tap_n=$((tap_n + 1))
    tap_what=$1
    shift
    if "$@" >"$work/tap.out" 2>&1; then
        echo "ok $tap_n - $tap_what"
    else
        tap_failed=1
        echo "not ok $tap_n - $tap_what"
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
        printf '%s\n' "#   got: $2" "#  want: $3" | sed '2,$s/^\([^#]\)/#        \1/'
    fi
}

done_testing() {
    echo "1..$tap_n"
    exit $tap_failed
}

# Whether a build replaces these functions of MuPDF (src/mupdf/meson.build): some results depend on it.
patched() { # NAME
    case " ${MUPDF_PATCHES-$1} " in
    *" $1 "*) ;;
    *) return 1 ;;
    esac
}

# A folder of the test's own, gone when it ends.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
