/*
 * upload: receives a multipart body. Files are written to staging files as they arrive, fields to
 * memory; each is checked against the tool as soon as it is complete, so that a wrong field is
 * answered before a gigabyte of file was sent.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "declare/tool/pipeline.h"
#include "server/api_call/call.h"
#include "server/api_submit/attachment.h"
#include "server/api_submit/documents.h"
#include "server/api_submit/submission.h"

struct upload;

/* Limit of the bytes of a request to the tool besides its files: fields, and headers of parts. */
int64_t upload_overhead(const struct tool *tool);

/* Begins to receive a body. `fingerprint`: compute a digest of the content, for an idempotency key.
 * The tool (pipeline_tool for several steps), the server and the caller must outlive it. */
struct upload *upload_new(const struct tool *tool, const struct api *api, const struct call *call,
                          const char *boundary, bool fingerprint, struct err *err);
/* Handles the next piece of the body. Fails with the error that the reference lists for a faulty
 * field or file. */
int upload_feed(struct upload *upload, const void *data, size_t n, struct err *err);
/* Whether files that the body named are to be fetched over a network, which may take seconds:
 * upload_finish does it. */
bool upload_is_slow(const struct upload *upload);
/* Ends the body: checks what depends on the whole request. */
int upload_finish(struct upload *upload, struct err *err);
void upload_free(struct upload *upload);
/* Whether files are to be fetched from addresses (fileUrl) once the job was accepted. */
bool upload_has_remote(const struct upload *upload);
/* After upload_finish: whether the job shows a page that is fetched from an address. */
bool upload_has_page(const struct upload *upload);

/*
 * After upload_finish: fills *order but for job_id and callback_base, with what the upload owns,
 * and copies earlier results that are not here yet (ERR_STORAGE_FULL). Returns 1 if the request can
 * only be a replay, because an earlier result that it names is gone, as *err then says. Blocks on
 * the disk.
 */
int upload_order(struct upload *upload, struct intake_order *order, struct err *err);
/* After upload_finish: the documents, borrowed. Their files are complete after upload_order. */
const struct documents *upload_documents(const struct upload *upload);
/* The steps; NULL for a single tool. */
const struct pipeline *upload_pipeline(const struct upload *upload);
/* The bytes of all files, including those of parameters. */
int64_t upload_bytes(const struct upload *upload);
/* SHA-256 over tool, fields (in any order) and files (in order): equal content gives equal
 * texts. */
void upload_fingerprint(const struct upload *upload, char out[static DIGEST_TEXT]);
