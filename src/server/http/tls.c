#include "server/http/tls.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <gnutls/x509.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "server/http/internals.h"

#define CHAIN      16
#define FILE_BYTES 200000
/* How long a replaced pair is kept for handshakes that began with it: much longer than
 * header_timeout, which ends them. */
#define RETIRED_MS 3600000
/* seconds before its end from which a certificate is warned about */
#define SOON (14LL * 86400)

struct pair {
    gnutls_pcert_st certificates[CHAIN];
    unsigned int n;
    gnutls_privkey_t key;
    int64_t expires;
    struct pair *older;
    int64_t retired_at;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pair *shown; /* under lock; replaced pairs follow it */

static void free_pair(struct pair *pair)
{
    if (!pair)
        return;
    for (unsigned int i = 0; i < pair->n; i++)
        gnutls_pcert_deinit(&pair->certificates[i]);
    if (pair->key)
        gnutls_privkey_deinit(pair->key);
    free(pair);
}

static int fail(const char *what, const char *path, int code, struct err *err)
{
    return err_set(err, ERR_INVALID_PARAMETER, "%s %s: %s", what, path, gnutls_strerror(code));
}

static int read_all(const char *path, gnutls_datum_t *out, struct err *err)
{
    AUTO_FCLOSE FILE *file = fopen(path, "re");
    size_t n;

    if (!file)
        return err_sys(err, "open %s", path);
    out->data = calloc(1, FILE_BYTES);
    if (!out->data)
        return err_sys(err, "read %s", path);
    n = fread(out->data, 1, FILE_BYTES, file);
    out->size = (unsigned int) n;
    if (ferror(file) || n == 0 || n == FILE_BYTES)
        return err_set(err, ERR_INVALID_PARAMETER, "%s is empty, too long or not readable", path);
    return 0;
}

static void wipe(gnutls_datum_t *data)
{
    if (data->data)
        explicit_bzero(data->data, data->size);
    free(data->data);
}
#define AUTO_DATUM __attribute__((cleanup(wipe)))

static int read_chain(const char *path, struct pair *pair, struct err *err)
{
    AUTO_DATUM gnutls_datum_t text = { 0 };
    gnutls_x509_crt_t first;
    unsigned int n = CHAIN;
    int code;

    if (read_all(path, &text, err) < 0)
        return -1;
    code = gnutls_pcert_list_import_x509_raw(pair->certificates, &n, &text, GNUTLS_X509_FMT_PEM, 0);
    if (code < 0)
        return fail("the certificate", path, code, err);
    pair->n = n;
    code = n ? gnutls_pcert_export_x509(&pair->certificates[0], &first)
             : GNUTLS_E_NO_CERTIFICATE_FOUND;
    if (code < 0)
        return fail("the certificate", path, code, err);
    pair->expires = gnutls_x509_crt_get_expiration_time(first);
    gnutls_x509_crt_deinit(first);
    return 0;
}

static int read_key(const char *path, struct pair *pair, struct err *err)
{
    AUTO_DATUM gnutls_datum_t text = { 0 };
    int code = gnutls_privkey_init(&pair->key);

    if (code < 0)
        return fail("the key", path, code, err);
    if (read_all(path, &text, err) < 0)
        return -1;
    code = gnutls_privkey_import_x509_raw(pair->key, &text, GNUTLS_X509_FMT_PEM, NULL, 0);
    return code < 0 ? fail("the key", path, code, err) : 0;
}

static int check_match(const struct pair *pair, const char *path, struct err *err)
{
    unsigned char ids[2][64] = { { 0 } };
    size_t sizes[2] = { sizeof ids[0], sizeof ids[1] };
    gnutls_pubkey_t public;
    int code = gnutls_pubkey_init(&public);

    if (code < 0)
        return fail("the key", path, code, err);
    code = gnutls_pubkey_import_privkey(public, pair->key, 0, 0);
    if (code >= 0)
        code = gnutls_pubkey_get_key_id(public, GNUTLS_KEYID_USE_SHA256, ids[0], &sizes[0]);
    if (code >= 0)
        code = gnutls_pubkey_get_key_id(pair->certificates[0].pubkey, GNUTLS_KEYID_USE_SHA256,
                                        ids[1], &sizes[1]);
    gnutls_pubkey_deinit(public);
    if (code < 0)
        return fail("the key", path, code, err);
    if (memcmp(ids[0], ids[1], sizeof ids[0]) != 0)
        return err_set(err, ERR_INVALID_PARAMETER, "%s is not the key of the certificate", path);
    return 0;
}

static struct pair *read_pair(const char *certificate, const char *key, struct err *err)
{
    struct pair *pair = calloc(1, sizeof *pair);

    if (!pair) {
        err_sys(err, "certificate");
        return NULL;
    }
    if (read_chain(certificate, pair, err) < 0 || read_key(key, pair, err) < 0 ||
        check_match(pair, key, err) < 0) {
        free_pair(pair);
        return NULL;
    }
    return pair;
}

int tls_examine(const char *certificate, const char *key, int64_t *expires, struct err *err)
{
    struct pair *pair = read_pair(certificate, key, err);

    if (!pair)
        return -1;
    *expires = pair->expires;
    free_pair(pair);
    return 0;
}

/* Frees pairs after `pair` that no handshake can be using any more (under lock). */
static void forget_older(struct pair *pair, int64_t now)
{
    struct pair **link = &pair->older;

    while (*link) {
        struct pair *old = *link;

        if (now - old->retired_at < RETIRED_MS) {
            link = &old->older;
            continue;
        }
        *link = old->older;
        free_pair(old);
    }
}

int tls_use(const char *certificate, const char *key, struct err *err)
{
    struct pair *pair = read_pair(certificate, key, err);
    int64_t left;

    if (!pair)
        return -1;
    left = pair->expires - clock_wall_ms() / 1000;
    if (left < SOON)
        log_warn(left < 0 ? "tls.expired" : "tls.expires_soon", KV("certificate", certificate),
                 KV("days", left / 86400));
    metric_set(METRIC_TLS_EXPIRES, (double) pair->expires);
    pthread_mutex_lock(&lock);
    if (shown)
        shown->retired_at = clock_mono_ms();
    pair->older = shown;
    shown = pair;
    forget_older(pair, clock_mono_ms());
    pthread_mutex_unlock(&lock);
    return 0;
}

void tls_end(void)
{
    pthread_mutex_lock(&lock);
    for (struct pair *older; shown; shown = older) {
        older = shown->older;
        free_pair(shown);
    }
    pthread_mutex_unlock(&lock);
}

static ssize_t pull(gnutls_transport_ptr_t from, void *data, size_t n)
{
    struct tls_tap *tap = from;
    ssize_t got = recv(tap->fd, data, n, 0);

    if (got == 0 && tap->ended)
        tap->ended(tap->arg);
    return got;
}

void tls_tap(gnutls_session_t session, struct tls_tap *tap)
{
    gnutls_transport_ptr_t in, out;

    if (!internals_use(INTERNALS_TLS))
        return;
    gnutls_transport_get_ptr2(session, &in, &out);
    if (in == tap)
        return;
    gnutls_transport_set_ptr2(session, tap, out);
    gnutls_transport_set_pull_function(session, pull);
}

int tls_retrieve(gnutls_session_t session, const gnutls_datum_t *authorities, int n_authorities,
                 const gnutls_pk_algorithm_t *algorithms, int n_algorithms,
                 gnutls_pcert_st **certificates, unsigned int *n_certificates,
                 gnutls_privkey_t *key)
{
    struct pair *pair;

    (void) session;
    (void) authorities;
    (void) n_authorities;
    (void) algorithms;
    (void) n_algorithms;
    pthread_mutex_lock(&lock);
    pair = shown;
    pthread_mutex_unlock(&lock);
    if (!pair)
        return -1;
    *certificates = pair->certificates;
    *n_certificates = pair->n;
    *key = pair->key;
    return 0;
}
