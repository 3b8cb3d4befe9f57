/*
 * seal: a key and the certificates that go with it, which sign for the server. An installation has
 * one of its own, made when it is first needed and certified by itself; an operator may give a
 * better one. P-256 in either case. This stands in platen-signer, never in the server.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

struct seal;

#define SEAL_NAME_MAX 64 /* characters of a common name (RFC 5280, A.1) */

/* A new one, in memory only. `name`: the certificate's common name, 1 to 64 characters of UTF-8. */
struct seal *seal_make(const char *name, struct err *err);
/* The installation's: FOLDER/seal.pem, made if it is not there (mode 0600; the folder too, 0700).
 * What several processes that come at once get is the same one. */
struct seal *seal_open(const char *folder, const char *name, struct err *err);
/* An operator's: a PKCS #12 or PEM file with a P-256 key, its certificate, and those above it. */
struct seal *seal_open_file(const char *path, const char *password, struct err *err);
void seal_free(struct seal *seal);
#define AUTO_SEAL __attribute__((cleanup(seal_drop)))
static inline void seal_drop(struct seal **seal)
{
    seal_free(*seal);
}

/* As tool_seal_chain and tool_seal_sign (tool/service.h). */
int seal_chain(const struct seal *seal, struct buf *der_chain, struct err *err);
int seal_sign(const struct seal *seal, const unsigned char digest[static 32], struct buf *signature,
              struct err *err);
