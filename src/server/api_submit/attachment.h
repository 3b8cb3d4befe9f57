/*
 * attachment: a file that is the value of a parameter: an upload in a staging file, or an earlier
 * result that is copied into one after the whole request was checked.
 */
#pragma once

#include "base/digest.h"
#include "declare/tool/param.h"
#include "declare/tool_run/run.h"
#include "server/api_submit/reference.h"

#define UPLOAD_FIELDS 64 /* limit of the parameters of one request */

struct attachment {
    /* The first member, because a parameter's value points to it. An earlier result has no
     * descriptor before attachment_list_fetch. */
    struct tool_input file;
    char digest[DIGEST_TEXT];      /* of its bytes, or of the text that names it */
    bool named;                    /* an earlier result, or a file that was uploaded before */
    bool charged;                  /* its bytes count as uploaded (struct references) */
    struct reference_later *later; /* how to open `source`; NULL: it is open, or not needed */
    int source;                    /* descriptor to copy its bytes from; -1: they were uploaded */
    int64_t offset;                /* of its bytes in `source` */
    /* for pipelines: declares the file as a parameter, under the name by which steps refer to it */
    struct param part;
    char name[41];
    char file_name[201]; /* the name that the client gave the file, sanitised; or "" */
};

#define ATTACHMENT_NONE ((struct attachment){ .file = { -1, "", "", 0 }, .source = -1 })

/* Declares an attachment as the file of a part with this name, of at most `max` bytes, to which a
 * step of a pipeline may refer. `field` is the name for messages. NULL: ERR_INVALID_REQUEST. */
const struct param *attachment_name(struct attachment *attachment, const char *name,
                                    const char *field, int64_t max, struct err *err);
/* Notes the client's name of the file. */
void attachment_call(struct attachment *attachment, const char *filename);
/* Makes the attachment the file that `text` names in a field, and takes ownership of the descriptor
 * in `named`. `named` NULL: the file is gone. The attachment keeps its digest, by which a replay
 * (Idempotency-Key) is still recognised. */
int attachment_refer(struct attachment *attachment, const char *text, const char *field,
                     struct references *named, struct err *err);
/* Gives an attachment with `later` the source that was opened. Takes ownership of the descriptor in
 * `named`. */
void attachment_arrive(struct attachment *attachment, struct references *named);
/* Copies the files whose bytes are still to be copied from `source`. ERR_STORAGE_FULL if less than
 * `min_free` bytes of storage would be left. Blocks on the disk. */
int attachment_list_fetch(struct attachment *list, size_t n, struct blob_store *blobs,
                          int64_t min_free, struct err *err);
/* Fills `out` with the n files as inputs, under their names. */
void attachment_list_inputs(const struct attachment *list, size_t n, struct param_input *out);
/* The bytes of all files, named ones included. */
int64_t attachment_list_bytes(const struct attachment *list, size_t n);
/* The bytes of named files that are not charged. */
int64_t attachment_list_reused(const struct attachment *list, size_t n);
void attachment_list_close(struct attachment *list, size_t n);
/* Adds the parameters of a request to a digest, in the order of their names, by their values or, of
 * files that are the first members of attachments, their contents. At most UPLOAD_FIELDS. */
void attachment_digest_params(const struct param_input *params, size_t n, struct digest *digest);
