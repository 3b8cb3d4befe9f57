#!/bin/sh
# catches.sh: each check is shown a small tree that passes and, one at a time, the faults it is there
# to catch. TAP.
set -u
here=$(dirname "$(readlink -f "$0")")
top=$(dirname "$here")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
n=0
failed=0

tap() { # STATUS SENTENCE
    n=$((n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        sed 's/^/# /' "$tree/said"
        failed=1
    fi
}

fresh() {
    rm -rf "$tree/src" "$tree/check" "$tree/x.sh" "$tree/queue.py" "$tree/x.py" "$tree/meson.build" "$tree/ARCHITECTURE.md"
    mkdir -p "$tree/src/low" "$tree/src/high" "$tree/check"
    cp "$top/.clang-format" "$top/.clang-tidy" "$tree"
    printf 'low:\n  .: <lib.h>\nhigh: low\n  .: low\n' >"$tree/check/layers.txt"
    printf '#pragma once\nint low_sum(int a, int b);\n' >"$tree/src/low/low.h"
    printf '#include "low/low.h"\n\n#include <lib.h>\n\nint low_sum(int a, int b)\n{\n    return a + b;\n}\n' \
        >"$tree/src/low/low.c"
    printf '#include "low/low.h"\n' >"$tree/src/high/high.c"
    printf "'-Wvla' werror=true\n" >"$tree/meson.build"
    printf '#!/bin/sh\necho "$@"\n' >"$tree/x.sh"
    : >"$tree/lib.h"
    for file in low/low high/high; do
        printf '{"directory": "%s", "file": "%s/src/%s.c", "command": "clang-14 -Isrc -I. -c %s/src/%s.c"},\n' \
            "$tree" "$tree" "$file" "$tree" "$file"
    done | sed '1s/^/[/; $s/,$/]/' >"$tree/compile_commands.json"
}

passes() { # CHECK
    "$here/$1.sh" "$tree" . >"$tree/said" 2>&1
    tap $? "$1 passes a tree without faults"
}
catches() { # CHECK WORD SENTENCE: it fails, and says WORD
    if "$here/$1.sh" "$tree" . >"$tree/said" 2>&1; then
        tap 1 "$1 catches $3"
    else
        grep -q -- "$2" "$tree/said"
        tap $? "$1 catches $3"
    fi
    fresh
}

fresh
for check in layers sizes banned format shell python clang tidy; do
    passes "$check"
done

echo '#include "high/high.h"' >>"$tree/src/low/low.c"
catches layers 'low may not include' 'an include that points up'
echo '#include <lib.h>' >>"$tree/src/high/high.c"
catches layers 'high does not own' "another folder's library"
printf 'high: low\n  .: low\n' >"$tree/check/layers.txt"
catches layers 'does not stand above' 'a list that is not in order'
printf 'low:\n  .: <lib.h>\nhigh:\n  .: low\n' >"$tree/check/layers.txt"
catches layers 'high may not use low' 'a folder that includes one of a wing its wing may not use'
: >"$tree/src/high/high.c"
catches layers 'high does not use low' 'a permission nobody uses'
mkdir "$tree/src/new" && echo '#include "low/low.h"' >"$tree/src/new/new.c"
catches layers 'no line for new' 'a folder it does not know'
echo '#include "low.h"' >>"$tree/src/low/low.c"
catches layers 'without its folder' 'an include without its folder'
printf 'low   sums\n' >"$tree/ARCHITECTURE.md"
catches layers 'no line for high' 'a folder that ARCHITECTURE.md does not have'
# shellcheck disable=SC2016 # backticks of Markdown
printf 'low   sums\nhigh  sums of sums, `high/sum.c`\n' >"$tree/ARCHITECTURE.md"
catches layers 'high/sum.c, which does not exist' 'a path in ARCHITECTURE.md that is not there'

git init -q "$tree/history" && mkdir "$tree/history/check"
commit() { git -C "$tree/history" -c user.name=n -c user.email=e commit -q --allow-empty -m "$1"; }
subject() { # SUBJECT WORD SENTENCE: the check fails over a commit with this subject, and says WORD
    commit 'low: begin'
    git -C "$tree/history" rev-parse HEAD >"$tree/history/check/subjects.txt"
    commit "$1"
    ! "$here/subjects.sh" "$tree/history" >"$tree/said" 2>&1 && grep -q -- "$2" "$tree/said"
    tap $? "subjects catches $3"
}
subject 'low: sums' imperative 'a noun in place of a verb'
subject 'low: added a sum' imperative 'a past tense'
subject 'low: the sum is right' imperative 'a sentence that is not imperative'
subject 'Add a sum' 'area and a colon' 'a subject without an area'
subject 'low: add a sum.' 'full stop' 'a full stop'
subject "low: add $(yes a | head -n 40 | tr '\n' ' ')b" '72 are the most' 'a subject of 89 columns'
git -C "$tree/history" rev-parse HEAD >"$tree/history/check/subjects.txt"
commit 'low, high: process two sums'
commit 'low: pass a sum'
"$here/subjects.sh" "$tree/history" >"$tree/said" 2>&1
tap $? 'subjects passes commits that say what they do'

yes 'int x;' | head -n 801 >"$tree/src/low/low.h"
catches sizes '801 lines' 'a long file'
{ printf 'void f(void)\n{\n' && yes '    x();' | head -n 61 && echo '}'; } >"$tree/src/low/low.c"
catches sizes 'low.c:2: a function of 61 lines' 'a long function'
mkdir "$tree/src/wide" && (cd "$tree/src/wide" && seq -f 'f%g.c' 41 | xargs touch)
catches sizes 'src/wide: 41 files' 'a folder of too many files'
(cd "$tree/src" && seq -f 'wing%g' 17 | xargs mkdir)
catches sizes 'src: 19 wings' 'too many wings'

for call in 'strcpy(a, b)' 'sprintf (a, b)' 'atoi(a)' 'system(a)' 'alloca(9)' 'strtok(a, b)' \
    'gets(a)' 'popen(a, b)' 'tmpnam(a)' 'strcat(a, "/* " b)'; do
    echo "$call;" >>"$tree/src/low/low.c"
    catches banned 'low.c:9' "${call%%(*}"
done
printf '/* system(x) and\n * strcpy(x) */\nmy_system(x); x->gets = "atoi(x)"; snprintf(x); // popen(x)\n' \
    >>"$tree/src/low/low.c"
passes banned
echo 'fz_try (ctx) x();' >>"$tree/src/low/low.c"
catches banned 'low.c:12' 'fz_try outside of the folders that use MuPDF'
mkdir -p "$tree/src/engine/mupdf" && echo 'fz_try (ctx) x();' >"$tree/src/engine/mupdf/x.c"
passes banned
rm -r "$tree/src/engine"
mkdir -p "$tree/src/server/http" && echo 'void *next = dlsym(RTLD_NEXT, "MHD_x");' >"$tree/src/server/http/x.c"
catches banned 'http/x.c:1' 'a reach into libmicrohttpd whatever its version'
mkdir -p "$tree/src/server/http" && echo 'if (internals_use(X)) madvise(page, n, MADV_DONTNEED);' >"$tree/src/server/http/x.c"
passes banned
rm -r "$tree/src/server"
mkdir -p "$tree/src/layout" && echo 'if (word->claimed_by == X) word->claimed_by = Y;' >"$tree/src/layout/x.c"
catches banned 'layout/x.c:1' 'an owner of a word that claim.c did not set'
mkdir -p "$tree/src/layout" && echo 'if (word->claimed_by == X) word->claimed_by = Y;' >"$tree/src/layout/claim.c"
passes banned
rm -r "$tree/src/layout"
sed -i 's/-Wvla//' "$tree/meson.build"
catches banned Wvla 'a build that allows arrays of variable length'

echo 'int  x;' >>"$tree/src/low/low.c"
catches format 'should be clang-formatted' 'what clang-format would change'

mkdir -p "$tree/build/src"
for file in one two; do
    echo "int low_$file(void);int low_$file(void) { return 0; }" >"$tree/$file.c"
    cc -c "$tree/$file.c" -o "$tree/$file.o"
done
ar rc "$tree/build/src/libone.a" "$tree/one.o" && ar rc "$tree/build/src/libtwo.a" "$tree/two.o"
passes symbols
echo 'int low_one(int a, int b);int low_one(int a, int b) { return a + b; }' >>"$tree/two.c"
cc -c "$tree/two.c" -o "$tree/two.o" && ar rc "$tree/build/src/libtwo.a" "$tree/two.o"
catches symbols 'low_one is defined in' 'a global function that two files define'
rm -r "$tree/build" && mkdir -p "$tree/build/src" && cp "$tree/one.o" "$tree/same.o"
ar rc "$tree/build/src/libone.a" "$tree/same.o"
cp "$tree/two.o" "$tree/same.o" && ar rc "$tree/build/src/libtwo.a" "$tree/same.o"
catches symbols 'low_one is defined in' 'one that two objects of the same name define'

rm -rf "$tree/build" && mkdir -p "$tree/build/src/low"
echo 'int low_two(void); int low_one(void); int low_one(void) { return low_two(); }' >"$tree/one.c"
echo 'int low_two(void); int low_two(void) { return 2; }' >"$tree/two.c"
cc -c "$tree/one.c" -o "$tree/one.o" && cc -c "$tree/two.c" -o "$tree/two.o"
ar rc "$tree/build/src/low/liblow.a" "$tree/one.o" "$tree/two.o"
passes cycles
echo 'int low_one(void); int low_two(void); int low_two(void) { return low_one(); }' >"$tree/two.c"
cc -c "$tree/two.c" -o "$tree/two.o" && ar rc "$tree/build/src/low/liblow.a" "$tree/two.o"
catches cycles 'low: need each other: one.* two' 'two files that need each other'
echo '#include "low/low.h"' >"$tree/src/low/list.h" && echo '#include "low/list.h"' >>"$tree/src/low/low.h"
catches cycles 'headers: need each other: low/list.h low/low.h' 'two headers that include each other'
# low.h lends a function to two.c, and low.c calls one of two.c.
echo 'int low_two(void); int low_sum(void); int low_sum(void) { return low_two(); }' >"$tree/one.c"
echo 'int low_two(void); int low_two(void) { return 2; }' >"$tree/two.c"
cc -c "$tree/one.c" -o "$tree/low.o" && cc -c "$tree/two.c" -o "$tree/two.o"
rm -r "$tree/build" && mkdir -p "$tree/build/src/low"
ar rc "$tree/build/src/low/liblow.a" "$tree/low.o" "$tree/two.o"
passes cycles
echo 'static inline int low_half(int a) { return a / 2; }' >>"$tree/src/low/low.h"
printf '#include "low/low.h"\nint low_two(void) { return low_half(4); }\n' >"$tree/src/low/two.c"
catches cycles 'low: need each other: low two' 'a circle by an inline function of a header'

mkdir -p "$tree/build/src/low" && : >"$tree/check/prefixes.txt"
echo 'int low_sum(void); int low_sum(void) { return 2; }' >"$tree/one.c"
cc -c "$tree/one.c" -o "$tree/one.o" && ar rc "$tree/build/src/low/liblow.a" "$tree/one.o"
passes prefixes
echo 'int sum(void); int sum(void) { return 2; }' >"$tree/one.c"
cc -c "$tree/one.c" -o "$tree/one.o" && ar rc "$tree/build/src/low/liblow.a" "$tree/one.o"
catches prefixes 'low/one.c defines sum' 'a global name without a prefix'

echo '/* The room behind the picture. */' >>"$tree/src/low/low.c"
echo 'low 1' >"$tree/check/dialect.txt"
passes dialect
echo 'const char *low_text = "what stands for it";' >>"$tree/src/low/low.c"
catches dialect 'low: 2 words' 'a word of the old dialect'
: >"$tree/check/dialect.txt"
echo 'int low_judge(int told);' >>"$tree/src/low/low.c"
catches dialect 'low: 2 words' 'words of the table among identifiers'

for i in 1 2 3 4; do
    echo 'static int run(int x) { return x; }' >"$tree/src/low/low$i.c"
done
passes statics
printf 'static int run(int x)\n{\n    return x;\n}\n' >"$tree/src/low/low5.c"
catches statics '5 files define a static run' 'a static name in five files'

printf 'rm -rf $%s\n' 1 >>"$tree/x.sh"
catches shell SC2086 'an unquoted variable'
echo 'x = 1' >"$tree/queue.py"
catches python queue.py 'a module with the name of one of Python'"'"'s'
echo 'x = (' >"$tree/x.py"
catches python x.py 'a Python file with a fault'

printf '#!/bin/sh\nread x\n' >"$tree/x.sh" && mv "$tree/x.sh" "$tree/src/x"
catches shell SC2162 'a fault in a script without the suffix'

cat >"$tree/src/low/low.c" <<'END'
#include "low/low.h"

typedef int low_four __attribute__((vector_size(16)));
int low_sum(int a, int b)
{
    low_four four = __builtin_shuffle((low_four){ a, b }, (low_four){ 1, 0 });

    return four[0] + four[1];
}
END
catches clang __builtin_shuffle 'what gcc alone can compile'

printf '#include "low/low.h"\n#include <lib.h>\nint low_sum(int a, int b)\n{\n    int *p = 0;\n    return *p + a / (b - b);\n}\n' \
    >"$tree/src/low/low.c"
catches tidy 'Dereference of null pointer' 'a null pointer that is followed'

mkdir -p "$tree/src/server/config" "$tree/docs" "$tree/packaging"
cp "$top/src/server/config/config.def" "$top/src/server/config/plan.def" "$tree/src/server/config"
"$here/settings.py" "$tree"
passes settings
echo 'LIVE(INT, more, "1", "One more.")' >>"$tree/src/server/config/config.def"
catches settings 'settings.md is not what' 'a setting that the reference lacks'

mkdir -p "$tree/build"
echo 'int main(void) { return 0; }' >"$tree/one.c"
cc "$tree/one.c" -o "$tree/build/platen" && cc "$tree/one.c" -o "$tree/build/platen-low" -Wl,--no-as-needed -lm
printf '    C 1        libc6    LGPL\n        libc: all\n    Math 1     libm0    LGPL\n        libm: low\n' >"$tree/notice"
cp "$tree/notice" "$tree/NOTICE"
passes notice
sed -i 's/libm: low/libm: all/' "$tree/NOTICE"
catches notice 'platen does not load libm' 'a program in NOTICE that does not load a library'
sed 's/: all/: low/' "$tree/notice" >"$tree/NOTICE"
catches notice 'platen loads libc, and NOTICE' 'a program that NOTICE does not name'
grep -v -i math "$tree/notice" | grep -v libm >"$tree/NOTICE"
catches notice 'low loads libm, which NOTICE' 'a library that NOTICE does not list'
cp "$tree/notice" "$tree/NOTICE"
echo 'void *low_open(void) { return dlopen(FOLDER "/libother.so", 1); }' >"$tree/src/low/open.c"
catches notice 'libother is opened' 'a library that the source opens by name'
rm -r "$tree/build" "$tree/NOTICE"

mkdir -p "$tree/packaging/helm/platen" "$tree/packaging/debian"
version_tree() {
    echo "project('platen', 'c', version: '1.2.3')" >"$tree/meson.build"
    printf 'version: 1.2.3\nappVersion: 1.2.3\n' >"$tree/packaging/helm/platen/Chart.yaml"
    echo '  server: platen:1.2.3' >"$tree/packaging/helm/platen/values.yaml"
    echo '{ "version": "1.2.3" }' >"$tree/src/openapi_base.json"
    printf '## [Unreleased]\n\n## [1.2.3] - 2026-01-01\n\n## [1.2.2] - 2025-01-01\n' >"$tree/CHANGELOG.md"
    echo 'platen (1.2.3) stable; urgency=medium' >"$tree/packaging/debian/changelog"
}
version_tree
passes version
for file in packaging/helm/platen/Chart.yaml packaging/helm/platen/values.yaml src/openapi_base.json CHANGELOG.md \
    packaging/debian/changelog; do
    version_tree
    sed -i 's/1\.2\.3/1.2.2/' "$tree/$file"
    catches version "$(basename "$file")" "$file with another version than meson.build"
done
version_tree
sed -i 's/1\.2\.3/1.3.0/' "$tree/packaging/helm/platen/Chart.yaml"
"$here/version.sh" --write "$tree" >"$tree/said" 2>&1
tap $? 'version --write brings the files to date'
fresh

grep -v '^TOOL(reverse' "$top/CONTRIBUTING.md" >"$tree/page.md"
! "$here/example.sh" "$tree/page.md" >"$tree/said" 2>&1 && grep -q '^not ok 1 - reverse works' "$tree/said"
tap $? 'example catches a page that lacks a step'

tally() { # SENTENCE WANT LOG-LINE...
    what=$1
    want=$2
    shift 2
    printf '%s\n' "$@" >"$tree/log"
    got=$("$here/tally.py" meson "$tree/log" stage 2>"$tree/said")
    echo "got $got" >>"$tree/said"
    [ "$got" = "$want" ]
    tap $? "tally counts $what"
}
test_log() { # RESULT STATUS TAP
    printf '{"name": "a / b", "result": "%s", "returncode": %s, "stdout": "%s"}' "$1" "$2" "$3"
}
tally 'what passed, failed and was skipped' '1 1 1' \
    "$(test_log FAIL 1 'ok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP d\n1..3\n')"
tally 'a test that crashed' '1 1 0' "$(test_log ERROR -11 'ok 1 - a\n')"
tally 'a test that ended early as if all were well' '1 1 0' "$(test_log OK 0 'ok 1 - a\n1..2\n')"
tally 'a test without a plan' '1 1 0' "$(test_log OK 0 'ok 1 - a\n')"
tally 'a test that is skipped as a whole' '0 0 1' "$(test_log SKIP 0 '1..0 # SKIP why\n')"
tally 'no test at all as a failure' '0 1 0'
tally 'one that failed' '0 1 0' "$(test_log FAIL 1 'not ok 1 - a\n# ../test/a.c:7\n#   got: b\n1..1\n')"
[ "$(tr -s ' \n' ' ' <"$tree/said")" = "stage: b: a test/a.c:7 got: b The log: $tree/log.txt got 0 1 0 " ]
tap $? 'tally prints what a failed test says, and where the log is'

two_logs() { # FIRST SECOND: counts the lines of both logs
    printf '%s\n' "$1" >"$tree/log"
    printf '%s\n' "$2" >"$tree/again"
    "$here/tally.py" meson "$tree/log" "$tree/again" stage 2>"$tree/said"
}
bad=$(test_log FAIL 1 'not ok 1 - a\n1..1\n')
good=$(test_log OK 0 'ok 1 - a\n1..1\n')
[ "$(two_logs "$bad" "$good")" = '1 0 0' ]
tap $? 'tally counts a test that ran again by what it said then'
[ "$(two_logs "$bad" "$bad")" = '0 1 0' ]
tap $? 'tally counts a test that failed twice as one failure'
[ "$("$here/tally.py" failed "$tree/again")" = b ]
tap $? 'tally names the tests that failed'

echo "1..$n"
exit $failed
