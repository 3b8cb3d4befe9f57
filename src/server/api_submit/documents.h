/*
 * documents: the documents of a request in their order: uploads in staging files, earlier results
 * that are copied into staging files after the whole request was checked, and files that are
 * fetched from addresses once the job was accepted.
 */
#pragma once

#include <stdbool.h>

#include "base/digest.h"
#include "declare/tool/tool.h"
#include "declare/value/file_kind.h"
#include "server/api_submit/reference.h"
#include "server/dispatch/intake.h"

struct document {
    char digest[DIGEST_TEXT];      /* of its bytes, or of the text that names it */
    const char *kind;              /* declare/value/file_kind.h; NULL if not known */
    struct reference_later *later; /* how to open `source`; NULL: it is open, or not needed */
    int source;                    /* descriptor to copy its bytes from; -1: they were uploaded */
    int64_t offset;                /* of its bytes in `source` */
    bool shared;                   /* it has the source of the document before */
    bool named;                    /* an earlier result */
    char *url;                     /* it is to be fetched from this address; NULL: it is not */
    bool charged;                  /* its bytes count as uploaded (struct references) */
};

struct documents {
    struct intake_file *files;
    struct document *more; /* what is known of each file besides; the same order and number */
    size_t n;
};

/* Whether a field with this name has a document. Some clients can name the files of a list only
 * files[] or files[0], files[1] and so on. */
bool documents_has_field(const char *name);
/* Adds a document that is uploaded. Its file begins in memory; data that arrives is appended to the
 * last document (blob_append). `filename` may be NULL.
 * ERR_OVERLOADED if the process lacks descriptors for requests of many files. */
int documents_begin(struct documents *documents, const char *filename, struct err *err);
/* Adds a document that is fetched later; its name is the last part of the address's path. */
int documents_add_remote(struct documents *documents, const char *url, struct err *err);
/* Removes the last document, which turned out to be an address, and appends it to *text; what is
 * too long for an address is cut. */
int documents_pop_text(struct documents *documents, struct buf *text, struct err *err);
/* Replaces the last document by those that `text` names in a field, and takes ownership of the
 * descriptor in `named`. `named` NULL: they are gone. One document keeps their digest, by which a
 * replay (Idempotency-Key) is still recognised. */
int documents_refer(struct documents *documents, const char *text, const char *field,
                    struct references *named, struct err *err);
/* Whether the source of document i must still be opened; its kind is not known before. */
bool documents_is_later(const struct documents *documents, size_t i);
/* Gives document i, and those that share its source, the source that was opened. Takes ownership of
 * the descriptor in `named`. */
int documents_arrive(struct documents *documents, size_t i, struct references *named,
                     struct err *err);
/* Checks whether `tool` accepts the kind of document i. ERR_UNSUPPORTED_FILE_TYPE. */
int documents_check_kind(const struct documents *documents, size_t i, const struct tool *tool,
                         struct err *err);
/* The same for all of them. */
int documents_check_kinds(const struct documents *documents, const struct tool *tool,
                          struct err *err);
/* Copies the files whose bytes are still to be copied from `source`. ERR_STORAGE_FULL if less than
 * `min_free` bytes of storage would be left. Blocks on the disk. */
int documents_fetch(struct documents *documents, struct blob_store *blobs, int64_t min_free,
                    struct err *err);
/* Adds what identifies the documents to a digest: bytes and names of uploads, texts that name
 * the others. */
void documents_digest(const struct documents *documents, struct digest *digest);
int64_t documents_bytes(const struct documents *documents);
/* The bytes of named files that are not charged. */
int64_t documents_reused(const struct documents *documents);
void documents_free(struct documents *documents);
