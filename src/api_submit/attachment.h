/*
 * attachment: a file that is the value of a parameter: an upload in a staging file, or an earlier
 * result that is copied into one once all of the request was judged.
 */
#pragma once

#include "api_submit/reference.h"
#include "base/digest.h"
#include "tool/param.h"
#include "tool/run.h"

struct attachment {
    struct tool_input file;   /* first: what a parameter points to; without a descriptor until
                                 attachments_fetch if it is an earlier result */
    char digest[DIGEST_TEXT]; /* of its bytes, or of the text that named it */
    bool named;               /* an earlier result, or a file sent before */
    bool charged;             /* its bytes count as sent (struct references) */
    int source;               /* where its bytes are to be copied from; -1: they came */
    int64_t offset;
    struct param part; /* of a pipeline: stands for the parameters of steps that name it */
    char name[41];
};

#define ATTACHMENT_NONE ((struct attachment){ .file = { -1, "", "", 0 }, .source = -1 })

/* Makes it what `text` names; takes the descriptor over. NULL: it is gone, and has its place all
 * the same. */
void attachment_refer(struct attachment *attachment, const char *text, struct references *named);
/* Copies what is not here yet. ERR_STORAGE_FULL. Blocks on the disk. */
int attachments_fetch(struct attachment *list, size_t n, struct blob_store *blobs, int64_t min_free,
                      struct err *err);
int64_t attachments_bytes(const struct attachment *list, size_t n);
/* Of those that were named and are not charged. */
int64_t attachments_reused(const struct attachment *list, size_t n);
void attachments_close(struct attachment *list, size_t n);
