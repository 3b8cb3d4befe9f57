#!/bin/sh
# subjects.sh [ROOT]: the subject of each commit since the one in check/subjects.txt has at most 72
# columns and the form "area: imperative sentence", without a full stop. Passes without looking
# where the history is absent, as in an archive of the source or in a shallow clone.
set -eu
cd "${1:-$(dirname "$0")/..}"
base=$(grep -v '^#' check/subjects.txt)

git merge-base --is-ancestor "$base" HEAD 2>/dev/null || {
    echo "subjects: the history since $base is not here; nothing to check"
    exit 0
}
git log --no-merges --format='%h %s' "$base..HEAD" | awk '
    function fault(text) { print "subjects: " commit " \"" subject "\": " text; faults++ }
    BEGIN {
        split("a an the this that it its what who how where when which every each all no none one " \
              "is are was were now also never not only", words, " ")
        for (i in words) no_verb[words[i]] = 1
        # Verbs that look like another form.
        split("address bypass canvass compress cross discuss embed express feed focus guess harness " \
              "miss need pass press process seed speed suppress toss bring string", words, " ")
        for (i in words) verb[words[i]] = 1
    }
    {
        commit = $1
        subject = substr($0, length(commit) + 2)
        if (length(subject) > 72) fault(length(subject) " columns; 72 are the most")
        if (subject !~ /^[A-Za-z0-9_.\/, -]+: [^ ]/) {
            fault("it does not begin with an area and a colon")
            next
        }
        text = subject
        sub(/^[^:]*: /, "", text)
        split(text, word, /[ ,:]/)
        if (text ~ /\.$/) fault("it ends with a full stop")
        if (text ~ /^[A-Z][a-z]/) fault("the sentence begins with a capital")
        if (word[1] in verb) next
        if (word[1] in no_verb || word[1] ~ /([^s]s|ed|ing)$/)
            fault("\"" word[1] "\" is not an imperative: say what the commit does, as in \"add\"")
    }
    END {
        if (faults) exit 1
        print "subjects: each commit says what it does in at most 72 columns"
    }'
