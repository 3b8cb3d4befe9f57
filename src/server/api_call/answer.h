/* answer: responses in the forms of this API. */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "server/http/request.h"
#include "server/http/response.h"
#include "server/http/server.h"

/* Answers with JSON and takes ownership of the reference. NULL means out of memory: 500. Always
 * returns HTTP_ANSWER. */
enum http_next answer_json(struct http_response *resp, int status, json_t *json);

/*
 * Answers with the error body of docs/guide.md ("Errors"). ERR_INTERNAL is logged with the
 * request's id and shown without details. ERR_STORAGE_FULL is logged once until there is space
 * again. A browser that shows it to its reader gets a page (html.h). Always returns HTTP_ANSWER.
 */
enum http_next answer_error(struct http_request *req, struct http_response *resp,
                            const struct err *err);

struct api;
/* Must be called when files were stored: the first call after an ERR_STORAGE_FULL logs that there
 * is space again. */
void answer_has_room(struct api *api);

/* Adds a time in RFC 3339 form; nothing for 0. */
void answer_set_time(json_t *object, const char *name, int64_t wall_ms);

/* "http://host:port": the configured base_url, or the address that the request was sent to. */
#define API_BASE_URL 600
void answer_base_url(const struct http_request *req, char *out, size_t cap);
