#!/bin/sh
# Builds and checks everything. The last line is the count; any failure makes the status non-zero.
#
#     ./test.sh           the quick tier: the normal build, its tests and the checks, without those
#                         that take longest (test/meson.build) or need npm
#     ./test.sh --fast    every test of the normal build, and every check
#     ./test.sh --full    all stages: also the builds with sanitizers and clang-tidy
#     ./test.sh NAME...   stages (quick normal checks asan tsan tidy), checks (layers), or tests: a suite
#                         (store), one of its tests (store/store_sqlite), a tool's (tools/rotate)
#
# On two cores the quick tier takes about 8 minutes, --fast about 20, --full about 45, a suite a few
# seconds to two minutes.
set -u
root=$(dirname "$(readlink -f "$0")")
cd "$root" || exit 1

checks='layers sizes symbols prefixes cycles statics subjects dialect banned format shell python settings notice version languages example'
slow_checks='clang openapi client mcp n8n types' # and pages; all but clang need npm
stages='quick normal checks asan tsan tidy'
compiler=${CC:-cc} # of the normal build
sanitizers='address,undefined'
# Threads, and no sandbox: what ThreadSanitizer can and need judge.
tsan_suites='base store blob dispatch http api'

processes=$(nproc) # tests at a time

passed=0
failed=0
skipped=0
count() { # "PASSED FAILED SKIPPED", as check/tally.py prints it
    # shellcheck disable=SC2086 # three words
    set -- ${1:-0 1 0}
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}
say() { printf '\n== %s\n' "$*"; }
pass() { count '1 0 0'; }
fail() {
    count '0 1 0'
    echo "$*" >>"$failures"
}
failures=$(mktemp)
unsteady=$(mktemp) # what tests said that failed at first
log=$(mktemp)
programs=$(mktemp -d)
trap 'rm -rf "$failures" "$unsteady" "$log" "$programs"' EXIT

# Tests start python3 some thousand times. What a version manager puts in its place takes ten times
# as long to start as Debian's.
[ ! -x /usr/bin/python3 ] || ln -s /usr/bin/python3 "$programs/python3"
PATH=$programs:$PATH
export PATH

finish() {
    if [ -s "$unsteady" ]; then
        say failed at first
        cat "$unsteady"
    fi
    if [ -s "$failures" ]; then
        say failed
        cat "$failures"
    fi
    [ $((passed + failed + skipped)) -gt 0 ] || failed=1
    printf '\n%d passed, %d failed' "$passed" "$failed"
    [ "$skipped" = 0 ] || printf ', %d skipped' "$skipped"
    echo
    [ "$failed" = 0 ]
    exit
}

configure() { # FOLDER COMPILER MESON-OPTION...
    folder=$1
    CC=$2
    export CC
    shift 2
    verb=configure # the options may have changed since
    [ -f "$folder/build.ninja" ] || verb=setup
    meson $verb "$folder" "$@" >"$log" 2>&1 && ninja -C "$folder" build.ninja >"$log" 2>&1 && return
    tail -n 200 "$log"
    fail "$folder cannot be configured"
    return 1
}
build() { # FOLDER COMPILER MESON-OPTION...: a build that fails is one failure
    configure "$@" || return
    if ninja -k 0 -C "$1" >"$log" 2>&1; then
        pass
        return
    fi
    grep -v '^\[' "$log" | tail -n 200
    fail "$1 does not build"
    return 1
}

# A test on a machine that is busy with all others fails now and then, for want of time. Up to this
# number of tests that fail run once more, alone; what each said first is printed either way, so that
# a fault that comes and goes stays visible.
again_most=3

meson_tests() { # STAGE FOLDER PROGRAM WORD...: `meson test` under a program ("env": none)
    stage=$1
    folder=$2
    under=$3
    shift 3
    first=$folder/meson-logs/testlog.json
    second=$folder/meson-logs/again.json
    rm -f "$first" "$second"
    # shellcheck disable=SC2086 # a program and its options
    $under meson test -C "$folder" --no-rebuild --print-errorlogs --num-processes "$processes" "$@"
    status=$?
    late=$(check/tally.py failed "$first")
    if [ -n "$late" ] && [ "$(echo "$late" | wc -l)" -le "$again_most" ]; then
        check/tally.py meson "$first" "$stage" 2>>"$unsteady" >"$log"
        say "once more, alone:" "$late"
        # shellcheck disable=SC2086 # a program and its options, and names without blanks
        $under meson test -C "$folder" --no-rebuild --print-errorlogs --num-processes 1 \
            --timeout-multiplier 4 --logbase again $late
        status=$?
    fi
    [ -f "$second" ] || second=
    before=$failed
    # shellcheck disable=SC2086 # no word where no test ran again
    count "$(check/tally.py meson "$first" $second "$stage" 2>>"$failures")"
    echo 'The tests that took longest:'
    check/tally.py slowest "$first" || fail "$stage: no log"
    [ "$status" = 0 ] || [ "$failed" -gt "$before" ] || fail "$stage: meson ended with status $status"
}

normal_tests() { # STAGE WORD...: the normal build, and its tests that words for meson choose
    say "$1 build"
    # Tests end to end wait more than they work.
    processes=$(($(nproc) * 2))
    stage=$1
    shift
    build build "$compiler" && meson_tests "$stage" build env --timeout-multiplier 4 "$@"
    processes=$(nproc)
}
normal() { normal_tests normal; }
quick() {
    normal_tests quick --no-suite long
    say checks
    run_checks "$checks"
}

known() { jq -r ".[].$1" build/meson-info/intro-tests.json; } # EXPRESSION of a test
wrap() { fold -s -w 96 | sed '/^[a-z0-9_]*: /!s/^/    /'; }
nosuch() { # NAME: lists what there is
    echo "There is no stage, check, suite or test $1. There are"
    echo "stages: $stages"
    echo "checks: $checks $slow_checks pages catches tidy" | wrap
    echo 'and tests by suite ("long" are all that only --fast runs)'
    known name | sort | awk -F / '
        $1 != suite { printf("%s%s:", (NR > 1 ? "\n" : ""), $1) }
        { printf(" %s", $2); suite = $1 }
        END { print "" }' | wrap
    fail "there is no $1"
}
# The tests of one suite, or one test. meson builds what these need and nothing else.
some() { # NAME
    say "$1"
    configure build "$compiler" || return
    tool=$(echo "${1#tools/}" | tr - _)
    [ "$1" = "${1#tools/}" ] || [ ! -f "test/tools/$tool.sh" ] || set -- "tools/$tool-run"
    rm -f build/meson-logs/testlog.json
    if known name | grep -qxF -- "$1"; then
        meson test -C build --print-errorlogs "$1"
    elif known 'suite[]' | grep -qxF -- "platen:$1"; then
        meson test -C build --print-errorlogs --suite "$1"
    else
        nosuch "$1"
        return
    fi
    count "$(check/tally.py meson build/meson-logs/testlog.json "$1" 2>>"$failures")"
}
build_asan() {
    build build-asan clang-14 -Db_sanitize="$sanitizers" -Db_lundef=false \
        -Dc_args=-fno-sanitize-recover="$sanitizers"
}
asan() {
    say clang with AddressSanitizer and UndefinedBehaviorSanitizer
    build_asan && meson_tests asan build-asan env --timeout-multiplier 4
}
tsan() {
    say clang with ThreadSanitizer
    build build-tsan clang-14 -Db_sanitize=thread -Db_lundef=false || return
    suites=$(for suite in $tsan_suites; do [ -d "test/$suite" ] && echo "--suite $suite"; done)
    # Its shadow memory and the kernel's randomization of addresses exclude each other.
    # shellcheck disable=SC2086 # a list of words
    meson_tests tsan build-tsan 'setarch -R' --timeout-multiplier 4 $suites
}

report() { # CHECK STATUS: what it printed is in $said
    echo "$said"
    if [ "$2" = 0 ]; then
        pass
    else
        fail "check/$1.sh: $(echo "$said" | grep -c .) lines of faults"
    fi
}
check() {
    said=$("check/$1.sh" 2>&1)
    report "$1" $?
}
run_checks() { # NAMES, and what shows that they find faults
    for name in $1; do
        check "$name"
    done
    said=$(check/catches.sh)
    echo "$said" | grep -v '^ok'
    count "$(echo "$said" | check/tally.py tap catches 2>>"$failures")"
}
checks() {
    say checks
    # The web page takes longest, and waits half of it: the other checks run meanwhile.
    check/pages.sh >"$log" 2>&1 &
    pages=$!
    run_checks "$checks $slow_checks"
    wait "$pages"
    status=$?
    said=$(cat "$log")
    report pages "$status"
}
tidy() {
    say clang-tidy
    build_asan && check tidy
}

case ${1-} in
-h | --help)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
-[!-]* | --[!f]*)
    echo "test.sh: there is no option $1; ./test.sh --help lists what there is" >&2
    exit 2
    ;;
esac
packaging/install.sh run build test || {
    fail 'packages are missing'
    finish
}
[ $# -gt 0 ] || set -- quick
case $1 in
--fast) set -- normal checks ;;
--full) set -- normal checks asan tsan tidy ;;
esac
for name; do
    case " $stages " in
    *" $name "*) "$name" ;;
    *) if [ -x "check/$name.sh" ]; then check "$name"; else some "$name"; fi ;;
    esac
done
finish
