/*
 * remote: the files of a job that are fetched from addresses which its client named (fileUrl). The
 * addresses, and the headers that are sent to them, are kept with the job's secrets, because they
 * often allow whoever knows them to read the file. inputs_json (data/job/job.h) marks each such
 * file until it is here.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "data/job/job.h"

/* The name under which the secrets of a job have its files to fetch. */
#define REMOTE_SECRET "fileUrl"

/* One file. Texts are borrowed. */
struct remote_file {
    size_t input;        /* its place among the inputs of the job, from 0 */
    const char *url;     /* in normal form (server/webhook/callback.h) */
    const char *headers; /* lines, separated by line feeds; "": none */
    const char *sha256;  /* hexadecimal digits; "": any file will do */
};

/* Files as the text of a secret, which the caller frees; each may have `max_file` bytes, and all
 * together `max_bytes`. NULL without memory. */
char *remote_write(const struct remote_file *files, size_t n, int64_t max_file, int64_t max_bytes);

/* What remote_write wrote. */
struct remote_plan {
    json_t *json; /* owns the texts */
    struct remote_file *files;
    size_t n;
    int64_t max_file, max_bytes;
};

/* ERR_INTERNAL for a text that is malformed. remote_free is needed in any case. */
int remote_read(const char *text, struct remote_plan *plan, struct err *err);
void remote_free(struct remote_plan *plan);
#define AUTO_REMOTE __attribute__((cleanup(remote_free)))

/* Whether files of the job have still to be fetched. */
bool remote_is_waiting(const struct job *job);
/* The member of inputs_json for a file that is to be fetched. A new reference. */
json_t *remote_waiting_input(const char *name);
/* inputs_json of the job after its files came: file i has bytes[i] bytes. The caller frees the
 * text. NULL without memory. */
char *remote_arrived_inputs(const struct job *job, const struct remote_plan *plan,
                            const int64_t *bytes);
