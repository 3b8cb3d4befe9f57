/* upload_parts: handles the parts of an upload as they arrive: documents, files for parameters,
 * values. Shared by upload.c and upload_parts.c. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "api_submit/attachment.h"
#include "api_submit/upload.h"
#include "http/multipart.h"
#include "tool/run.h"

#define UPLOAD_PARTS 10 /* limit of files that are parameters of a pipeline's steps */

struct upload {
    const struct tool *tool;
    const struct api *api;
    const struct config *config; /* held: the settings when the upload began */
    const struct call *call;
    struct pipeline *pipeline; /* the steps, once all have arrived */
    struct multipart *multipart;
    bool fingerprint;
    int64_t since_look; /* bytes that arrived since the free space was checked */

    /* The part that is being read: a document, a file for a parameter, or a value. */
    bool in_file, named;       /* in_file: it is a document; named: it has a file name */
    bool idle;                 /* a file without a name, of which nothing has arrived yet */
    const struct param *param; /* the parameter of such a file; else NULL */
    char field[64];
    struct buf value;
    unsigned char head[FILE_KIND_HEAD];
    size_t n_head;
    struct digest digest;

    struct documents documents;
    bool missing; /* a named file is gone */
    struct err why_missing;
    struct param_input params[UPLOAD_FIELDS];
    bool secret[UPLOAD_FIELDS];
    size_t n_params;
    struct submission_fields submission;
    struct attachment *attachments; /* room for UPLOAD_PARTS, or one for each parameter */
    size_t n_attachments;
};

/* Callbacks of the parser; `cls` is the struct upload. */
extern const struct multipart_events upload_events;

static inline bool upload_is_pipeline(const struct upload *upload)
{
    return upload->tool == &pipeline_tool;
}

static inline void upload_free_value(char *value, bool secret)
{
    if (value && secret)
        explicit_bzero(value, strlen(value));
    free(value);
}
