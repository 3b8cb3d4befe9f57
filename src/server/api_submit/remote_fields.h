/*
 * remote_fields: the fields of a submission that name files by their addresses: fileUrl, in the
 * place of a file; fileDigest, the SHA-256 that the file of the fileUrl at the same place among
 * them must have; fileHeaders, what is sent to their hosts. The files are fetched when the job was
 * accepted (server/dispatch/fetcher.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "declare/tool/tool.h"
#include "server/api_submit/documents.h"
#include "server/config/config.h"

struct remote_fields {
    char (*digests)[DIGEST_TEXT]; /* in the order in which they came */
    size_t n_digests;
    char *headers; /* lines, separated by line feeds; NULL: none. A secret */
    size_t n_urls;
};

/* On what the answer depends besides the fields. */
struct remote_terms {
    const struct config *config;
    const struct tool *tool;
    bool visitor; /* the client has no key: nothing is fetched for it */
};

/* Whether the field with this name is one of them. */
bool remote_fields_has(const char *name);
/* Whether the value of a field for files is an address: it begins with https:// or http://. */
bool remote_fields_is_url(const void *value, size_t n);
/* Checks a value and keeps it; an address becomes a document. ERR_INVALID_PARAMETER of the field,
 * ERR_TOO_MANY_FILES. */
int remote_fields_read(struct remote_fields *fields, struct documents *documents,
                       const struct remote_terms *terms, const char *name, const char *value,
                       size_t n, struct err *err);
/* Checks what depends on all of them. ERR_INVALID_PARAMETER. */
int remote_fields_finish(const struct remote_fields *fields, struct err *err);
/* The addresses of the documents as a secret of the job (server/dispatch/remote.h), or NULL with
 * *err set. The caller frees it. `bytes`: of the files that were sent; `left`: of the account's
 * data volume. */
char *remote_fields_secret(const struct remote_fields *fields, const struct documents *documents,
                           const struct config *config, int64_t bytes, int64_t left,
                           struct err *err);
/* Adds digests and headers to the digest of the request's content; addresses are documents. */
void remote_fields_digest(const struct remote_fields *fields, struct digest *digest);
void remote_fields_free(struct remote_fields *fields);
