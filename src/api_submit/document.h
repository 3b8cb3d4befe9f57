/*
 * document: the documents of a request in their order: uploads in staging files, and earlier
 * results that are copied into staging files once all of the request was judged.
 */
#pragma once

#include <stdbool.h>

#include "api_submit/reference.h"
#include "base/digest.h"
#include "dispatch/intake.h"
#include "tool/file_kind.h"
#include "tool/tool.h"

struct document {
    char digest[DIGEST_TEXT]; /* of its bytes, or of the text that named it */
    const char *kind;         /* tool/file_kind.h; NULL if not known */
    int source;               /* where its bytes are to be copied from; -1: they came */
    bool named;               /* an earlier result */
    bool charged;             /* its bytes count as sent (struct references) */
    bool shared;              /* the source is that of the document before */
    int64_t offset;
};

struct documents {
    struct intake_file *files;
    struct document *more; /* one for each */
    size_t n;
};

/* Adds a document whose file begins in memory (blob_append); what comes goes to the last one.
 * `filename` may be NULL. */
int documents_begin(struct documents *documents, const char *filename, struct err *err);
/* Instead of the last one: what was named by `text`. Takes its descriptor over. `named` NULL: it is
 * gone, and has a place all the same. */
int documents_refer(struct documents *documents, const char *text, struct references *named,
                    struct err *err);
/* Whether `tool` takes document i. ERR_UNSUPPORTED_FILE_TYPE. */
int documents_judge(const struct documents *documents, size_t i, const struct tool *tool,
                    struct err *err);
/* Copies what is not here yet. Blocks on the disk. */
int documents_fetch(struct documents *documents, struct blob_store *blobs, int64_t min_free,
                    struct err *err);
/* Adds what tells these documents from others: bytes and names of those that came, the texts that
 * name the others. */
void documents_digest(const struct documents *documents, struct digest *digest);
int64_t documents_bytes(const struct documents *documents);
/* Of those that were named and are not charged. */
int64_t documents_reused(const struct documents *documents);
void documents_free(struct documents *documents);
