/*
 * documents: the documents of a request in their order: uploads in staging files, and earlier
 * results that are copied into staging files after the whole request was checked.
 */
#pragma once

#include <stdbool.h>

#include "api_submit/reference.h"
#include "base/digest.h"
#include "dispatch/intake.h"
#include "tool/file_kind.h"
#include "tool/tool.h"

struct document {
    char digest[DIGEST_TEXT];      /* of its bytes, or of the text that names it */
    const char *kind;              /* tool/file_kind.h; NULL if not known */
    struct reference_later *later; /* its source and that of those that share it is to be opened */
    int source;   /* where its bytes are to be copied from; -1: they were uploaded */
    bool named;   /* an earlier result */
    bool charged; /* its bytes count as uploaded (struct references) */
    bool shared;  /* the source is that of the document before */
    int64_t offset;
};

struct documents {
    struct intake_file *files;
    struct document *more; /* one for each document */
    size_t n;
};

/* Adds a document whose file begins in memory (blob_append); data that arrives is appended to
 * the last one. `filename` may be NULL. */
int documents_begin(struct documents *documents, const char *filename, struct err *err);
/* Replaces the last one by the files that `text` names in a field. Takes ownership of the
 * descriptor. `named` NULL: they do not exist any more; a document stays, for comparison with an
 * earlier request. */
int documents_refer(struct documents *documents, const char *text, const char *field,
                    struct references *named, struct err *err);
/* Whether the source of document i, and what kind it is, is not known yet. */
bool documents_is_later(const struct documents *documents, size_t i);
/* Opens the source of document i, the first with `later`, and of those that share it. Takes
 * ownership of the descriptor. */
int documents_arrive(struct documents *documents, size_t i, struct references *named,
                     struct err *err);
/* Checks whether `tool` accepts document i. ERR_UNSUPPORTED_FILE_TYPE. */
int documents_judge(const struct documents *documents, size_t i, const struct tool *tool,
                    struct err *err);
/* Copies files that are not here yet. Blocks on the disk. */
int documents_fetch(struct documents *documents, struct blob_store *blobs, int64_t min_free,
                    struct err *err);
/* Adds what identifies the documents to a digest: bytes and names of uploads, texts that name
 * the others. */
void documents_digest(const struct documents *documents, struct digest *digest);
int64_t documents_bytes(const struct documents *documents);
/* The bytes of named files that are not charged. */
int64_t documents_reused(const struct documents *documents);
void documents_free(struct documents *documents);
