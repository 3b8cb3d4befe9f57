/*
 * tls: the server's certificate, by GnuTLS. A process has one, because libmicrohttpd's callback
 * gets nothing but the session. It can be replaced while handshakes run.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>

#include "base/err.h"

/* TLS 1.2 (RFC 5246) and 1.3 (RFC 8446), nothing older. */
#define TLS_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-AES-128-CBC:-AES-256-CBC"

/* Reads both files (PEM; the certificate first, then its chain up to the authority) and uses
 * them from the next handshake on. On failure the previous certificate stays. */
int tls_use(const char *certificate, const char *key, struct err *err);
/* Only reads the files: checks that they can be used, and returns when they expire (Unix
 * seconds). */
int tls_examine(const char *certificate, const char *key, int64_t *expires, struct err *err);
/* Frees the certificate. No handshake may be running. */
void tls_end(void);

/*
 * Reads a session's bytes from `fd` and calls ended(arg) when they end, from within the read. A
 * response can be sent only there: GnuTLS sends nothing any more once it has seen an end without an
 * alert. Does nothing if INTERNALS_TLS is off.
 */
struct tls_tap {
    int fd;
    void (*ended)(void *arg); /* NULL: not called */
    void *arg;
};
void tls_tap(gnutls_session_t session, struct tls_tap *tap);

/* Hands the certificate to GnuTLS, as MHD_OPTION_HTTPS_CERT_CALLBACK. */
int tls_retrieve(gnutls_session_t session, const gnutls_datum_t *authorities, int n_authorities,
                 const gnutls_pk_algorithm_t *algorithms, int n_algorithms,
                 gnutls_pcert_st **certificates, unsigned int *n_certificates,
                 gnutls_privkey_t *key);
