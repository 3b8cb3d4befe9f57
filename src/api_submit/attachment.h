/*
 * attachment: a file that is the value of a parameter: an upload in a staging file, or an earlier
 * result that is copied into one after the whole request was checked.
 */
#pragma once

#include "api_submit/reference.h"
#include "base/digest.h"
#include "tool/param.h"
#include "tool/run.h"

struct attachment {
    /* must be the first member: a parameter points to it; without a descriptor until
     * attachment_list_fetch if it is an earlier result */
    struct tool_input file;
    char digest[DIGEST_TEXT]; /* of its bytes, or of the text that names it */
    bool named;               /* an earlier result, or a file that was uploaded before */
    bool charged;             /* its bytes count as uploaded (struct references) */
    int source;               /* where its bytes are to be copied from; -1: they were uploaded */
    struct reference_later *later; /* the source is to be opened */
    int64_t offset;
    /* for pipelines: declares the file as a parameter, under the name by which steps refer to it */
    struct param part;
    char name[41];
};

#define ATTACHMENT_NONE ((struct attachment){ .file = { -1, "", "", 0 }, .source = -1 })

/* Makes the attachment the file that `text` names in a field, and takes ownership of the descriptor
 * in `named`. `named` NULL: the file does not exist any more; the attachment stays, for comparison
 * with an earlier request. */
int attachment_refer(struct attachment *attachment, const char *text, const char *field,
                     struct references *named, struct err *err);
/* Opens the source of one with `later`. Takes ownership of the descriptor. */
void attachment_arrive(struct attachment *attachment, struct references *named);
/* Copies files that are not here yet. ERR_STORAGE_FULL. Blocks on the disk. */
int attachment_list_fetch(struct attachment *list, size_t n, struct blob_store *blobs,
                          int64_t min_free, struct err *err);
int64_t attachment_list_bytes(const struct attachment *list, size_t n);
/* The bytes of named files that are not charged. */
int64_t attachment_list_reused(const struct attachment *list, size_t n);
void attachment_list_close(struct attachment *list, size_t n);
