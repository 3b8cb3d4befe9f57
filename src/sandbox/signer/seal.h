/*
 * seal: the key and certificates with which the server signs documents. An installation makes its
 * own key and a self-signed certificate when they are first needed; an operator may configure
 * better ones. The key is on P-256 in both cases. Used in platen-signer only, never in the server.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

struct seal;

#define SEAL_NAME_MAX 64 /* limit of a common name in characters (RFC 5280, A.1) */

/* Makes a key and certificate in memory. `name`: the certificate's common name, 1 to 64
 * characters of UTF-8. */
struct seal *seal_make(const char *name, struct err *err);
/* Opens the installation's seal, FOLDER/seal.pem. A missing file is made with mode 0600, a missing
 * folder with mode 0700. Several processes that do so at the same time get the same seal. */
struct seal *seal_open(const char *folder, const char *name, struct err *err);
/* Opens an operator's seal: a PKCS #12 or PEM file with a P-256 key, its certificate, and the
 * chain. */
struct seal *seal_open_file(const char *path, const char *password, struct err *err);
void seal_free(struct seal *seal);
#define AUTO_SEAL __attribute__((cleanup(seal_drop)))
static inline void seal_drop(struct seal **seal)
{
    seal_free(*seal);
}

/* Like tool_seal_chain and tool_seal_sign (declare/tool_run/service.h). */
int seal_chain(const struct seal *seal, struct buf *der_chain, struct err *err);
int seal_sign(const struct seal *seal, const unsigned char digest[static 32], struct buf *signature,
              struct err *err);
