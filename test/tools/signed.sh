# signed: for shell tests, sourced after tap.sh. What a tool that rewrites documents says of signed
# ones: warns_of_signatures COMMAND, which is called with a file and prints what the tool says.
warns_of_signatures() {
    for name in signed unlisted rights; do
        "$1" "$SAMPLES/$name.pdf" >"$work/$name.said" || echo failed >>"$work/$name.said"
    done
    ok 'a signature that the rewrite breaks is told' \
        grep -q signature_invalidated "$work/signed.said"
    ok 'also one that only its page knows of' grep -q signature_invalidated "$work/unlisted.said"
    is 'a usage-rights dictionary is no signature' \
        "$(grep -c 'signature_invalidated\|failed' "$work/rights.said")" 0
}
