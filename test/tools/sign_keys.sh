# sign_keys: signers for sign.sh, which sources this: NAME.key, .pem and .p12 in $work, below a root
# and an authority between.
certificate() { # NAME SUBJECT-OPTIONS...
    name=$1
    shift
    openssl req -nodes -keyout "$work/$name.key" -out "$work/$name.csr" -subj "/CN=Signer $name" \
        -newkey "$@"
    openssl x509 -req -in "$work/$name.csr" -CA "$work/mid.pem" -CAkey "$work/mid.key" \
        -extfile "$work/usage" -days "${days:-365}" -out "$work/$name.pem"
    # shellcheck disable=SC2086 # a list of options
    openssl pkcs12 -export $export -inkey "$work/$name.key" -in "$work/$name.pem" \
        -certfile "$work/cas.pem" -passout pass:secret -out "$work/$name.p12"
}
certificates() {
    export=
    printf 'basicConstraints=critical,CA:TRUE\n' >"$work/authority"
    printf 'basicConstraints=CA:FALSE\nkeyUsage=digitalSignature,nonRepudiation\n' >"$work/usage"
    openssl req -x509 -nodes -newkey rsa:2048 -keyout "$work/ca.key" -out "$work/ca.pem" \
        -subj '/CN=Root' -days 3650
    openssl req -nodes -newkey rsa:2048 -keyout "$work/mid.key" -out "$work/mid.csr" \
        -subj '/CN=Middle'
    openssl x509 -req -in "$work/mid.csr" -CA "$work/ca.pem" -CAkey "$work/ca.key" -days 3650 \
        -extfile "$work/authority" -out "$work/mid.pem"
    cat "$work/ca.pem" "$work/mid.pem" >"$work/cas.pem"
    certificate rsa rsa:2048
    certificate p256 ec -pkeyopt ec_paramgen_curve:P-256
    certificate p384 ec -pkeyopt ec_paramgen_curve:P-384
    export=-legacy certificate old rsa:2048
    certificate weak rsa:1024
    days=-1 certificate late rsa:2048
    certificate edwards ed25519
    printf 'keyUsage=keyAgreement\n' >"$work/usage"
    certificate other ec -pkeyopt ec_paramgen_curve:P-256
    openssl pkcs12 -export -inkey "$work/rsa.key" -in "$work/rsa.pem" -passout pass: \
        -out "$work/open.p12"
    openssl pkcs12 -export -nokeys -in "$work/rsa.pem" -passout pass:secret -out "$work/nokey.p12"
    echo no certificate >"$work/junk.p12"
}
