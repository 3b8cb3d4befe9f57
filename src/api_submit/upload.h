/*
 * upload: a multipart body on its way to storage. Files go to staging files as they come, fields
 * to memory; each is judged against the tool as soon as it is whole, so that a wrong field is
 * answered before a gigabyte of file was sent.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "api_call/call.h"
#include "api_submit/document.h"
#include "api_submit/submission.h"
#include "tool/pipeline.h"

#define UPLOAD_FIELDS 64 /* parameters of one request */

struct upload;

/* The most bytes of a request to the tool that are not its files': fields, and headers of parts. */
int64_t upload_overhead(const struct tool *tool);

/* `fingerprint`: digest the content, for an idempotency key. The tool (pipeline_tool: steps of
 * several), the server and the caller outlive it. */
struct upload *upload_new(const struct tool *tool, const struct api *api, const struct call *call,
                          const char *boundary, bool fingerprint, struct err *err);
/* The next piece of the body; any error of docs/api.md that a field or a file can cause. */
int upload_feed(struct upload *upload, const void *data, size_t n, struct err *err);
/* The body is over: judges what only the whole can tell. */
int upload_finish(struct upload *upload, struct err *err);
void upload_free(struct upload *upload);

/* After upload_finish: what came, borrowed. Those that are earlier results must be fetched. */
struct documents *upload_documents(struct upload *upload);
/* Canonical values and files, and which of them are secrets. */
const struct param_input *upload_params(const struct upload *upload, const bool **secret,
                                        size_t *n);
/* Why the request can be no more than a replay: an earlier result it names is gone. NULL: it can.
 */
const struct err *upload_missing(const struct upload *upload);
/* The steps; NULL if it is one tool. */
const struct pipeline *upload_pipeline(const struct upload *upload);
/* Of all files, those of parameters included. */
int64_t upload_bytes(const struct upload *upload);
/* Of those that are earlier results. */
int64_t upload_reused(const struct upload *upload);
/* Copies earlier results that are not here yet, once all was judged. ERR_STORAGE_FULL. Blocks on
 * the disk. */
int upload_fetch(struct upload *upload, struct err *err);
/* The value of a field, or NULL. */
const char *upload_value(const struct upload *upload, const char *name);
const struct submission_fields *upload_submission(const struct upload *upload);
/* SHA-256 over tool, fields (in any order) and files (in order): the same content, the same text.
 */
void upload_fingerprint(const struct upload *upload, char out[static DIGEST_TEXT]);
