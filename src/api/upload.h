/*
 * upload: a multipart body on its way to storage. Files go to staging files as they come, fields
 * to memory; each is judged against the tool as soon as it is whole, so that a wrong field is
 * answered before a gigabyte of file was sent.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "blob/blob.h"
#include "config/config.h"
#include "dispatch/intake.h"
#include "tool/tool.h"

struct upload;

/* `fingerprint`: digest the content, for an idempotency key. The tool and the store outlive it. */
struct upload *upload_new(const struct tool *tool, struct blob_store *blobs,
                          const struct config *config, const char *boundary, bool fingerprint,
                          struct err *err);
/* The next piece of the body; any error of CONTRACT section 4 that a field or a file can cause. */
int upload_feed(struct upload *upload, const void *data, size_t n, struct err *err);
/* The body is over: judges what only the whole can tell. */
int upload_finish(struct upload *upload, struct err *err);
void upload_free(struct upload *upload);

/* After upload_finish: what came, borrowed. */
const struct intake_file *upload_files(const struct upload *upload, size_t *n);
/* Canonical values and files, and which of them are secrets. */
const struct param_input *upload_params(const struct upload *upload, const bool **secret,
                                        size_t *n);
/* Of all files, those of parameters included. */
int64_t upload_bytes(const struct upload *upload);
/* The value of the field outputName, or NULL. */
const char *upload_output_name(const struct upload *upload);
/* SHA-256 over tool, fields (in any order) and files (in order): the same content, the same text.
 */
void upload_fingerprint(const struct upload *upload, char out[static DIGEST_TEXT]);
