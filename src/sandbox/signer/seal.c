#include "sandbox/signer/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "sandbox/signer/certificate.h"
#include "sandbox/signer/key_file.h"

#define FILE_NAME  "seal.pem"
#define FILE_BYTES ((size_t) 1000 * 1000) /* limit of a file with a key and its certificates */
#define TRIES      3

struct seal {
    EVP_PKEY *key;
    STACK_OF(X509) * chain; /* the signer's certificate first */
};

void seal_free(struct seal *seal)
{
    if (!seal)
        return;
    EVP_PKEY_free(seal->key);
    sk_X509_pop_free(seal->chain, X509_free);
    free(seal);
}

static struct seal *seal_new(struct err *err)
{
    struct seal *seal = calloc(1, sizeof *seal);

    if (seal)
        seal->chain = sk_X509_new_null();
    if (!seal || !seal->chain) {
        seal_free(seal);
        err_set(err, ERR_INTERNAL, "out of memory");
        return NULL;
    }
    return seal;
}

struct seal *seal_make(const char *name, struct err *err)
{
    AUTO_SEAL struct seal *seal = seal_new(err);
    X509 *certificate;

    if (!seal)
        return NULL;
    seal->key = EVP_EC_gen("P-256");
    if (!seal->key) {
        err_set(err, ERR_INTERNAL, "no key could be made");
        return NULL;
    }
    certificate = certificate_make(seal->key, name, err);
    if (!certificate)
        return NULL;
    if (!sk_X509_push(seal->chain, certificate)) {
        X509_free(certificate);
        err_set(err, ERR_INTERNAL, "out of memory");
        return NULL;
    }
    return scope_take_ptr(&seal);
}

/* Parses the key and its certificates from the text of a file. */
static struct seal *parse(struct buf *text, const char *password, struct err *err)
{
    AUTO_SEAL struct seal *seal = seal_new(err);

    if (!seal || key_file_parse(text->data, text->len, password, &seal->key, seal->chain, err) < 0)
        return NULL;
    return scope_take_ptr(&seal);
}

static struct seal *read_seal(int fd, const char *password, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct seal *seal = NULL;

    if (fdio_read_all(fd, FILE_BYTES, &text, err) == 0)
        seal = parse(&text, password, err);
    if (text.data)
        explicit_bzero(text.data, text.len);
    return seal;
}

struct seal *seal_open_file(const char *path, const char *password, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct seal *seal = NULL;

    if (fd < 0)
        err_sys(err, "open it");
    else
        seal = read_seal(fd, password, err);
    if (!seal)
        err_wrap(err, "the seal %s", path);
    return seal;
}

/* Names a new seal. Returns 1, 0 if another process was first, or -1. The file is written
 * without a name and then linked: a name always refers to a complete file, and is never
 * replaced. */
static int name_new(int folder, const struct seal *seal, struct err *err)
{
    AUTO_CLOSE int fd = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    AUTO_BUF struct buf text = BUF_EMPTY;
    char from[40];
    int done;

    if (fd < 0)
        return err_sys(err, "make a file");
    if (key_file_write(seal->key, sk_X509_value(seal->chain, 0), &text, err) < 0)
        return -1;
    done = fdio_write(fd, text.data, text.len, err);
    explicit_bzero(text.data, text.len);
    if (done < 0)
        return -1;
    if (fsync(fd) < 0)
        return err_sys(err, "write it to the disk");
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    if (linkat(AT_FDCWD, from, folder, FILE_NAME, AT_SYMLINK_FOLLOW) < 0)
        return errno == EEXIST ? 0 : err_sys(err, "name it");
    return fsync(folder) < 0 ? err_sys(err, "write the folder to the disk") : 1;
}

static struct seal *open_or_make(int folder, const char *name, struct err *err)
{
    for (int i = 0; i < TRIES; i++) {
        AUTO_CLOSE int fd = openat(folder, FILE_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        AUTO_SEAL struct seal *made = NULL;
        int put;

        if (fd >= 0)
            return read_seal(fd, "", err);
        if (errno != ENOENT) {
            err_sys(err, "read it");
            return NULL;
        }
        made = seal_make(name, err);
        put = made ? name_new(folder, made, err) : -1;
        if (put < 0)
            return NULL;
        if (put > 0)
            return scope_take_ptr(&made);
    }
    err_set(err, ERR_INTERNAL, "another program creates and removes it again and again");
    return NULL;
}

struct seal *seal_open(const char *folder, const char *name, struct err *err)
{
    AUTO_CLOSE int fd = -1;
    struct seal *seal;

    if (mkdir(folder, 0700) < 0 && errno != EEXIST) {
        err_sys(err, "make the data folder %s", folder);
        return NULL;
    }
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        err_sys(err, "open the data folder %s", folder);
        return NULL;
    }
    seal = open_or_make(fd, name, err);
    if (!seal)
        err_wrap(err, "the seal %s/" FILE_NAME, folder);
    return seal;
}

int seal_chain(const struct seal *seal, struct buf *der_chain, struct err *err)
{
    for (int i = 0; i < sk_X509_num(seal->chain); i++) {
        unsigned char *der = NULL;
        int n = i2d_X509(sk_X509_value(seal->chain, i), &der);

        if (n < 0)
            return err_set(err, ERR_INTERNAL, "a certificate cannot be encoded");
        buf_put(der_chain, der, (size_t) n);
        OPENSSL_free(der);
    }
    return der_chain->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int seal_sign(const struct seal *seal, const unsigned char digest[static 32], struct buf *signature,
              struct err *err)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(seal->key, NULL);
    unsigned char der[128];
    size_t n = sizeof der;
    bool done = ctx && EVP_PKEY_sign_init(ctx) > 0 &&
                EVP_PKEY_CTX_set_signature_md(ctx, EVP_sha256()) > 0 &&
                EVP_PKEY_sign(ctx, der, &n, digest, 32) > 0;

    EVP_PKEY_CTX_free(ctx);
    if (!done)
        return err_set(err, ERR_INTERNAL, "the seal could not sign");
    buf_put(signature, der, n);
    return signature->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}
