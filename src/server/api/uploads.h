/*
 * uploads: files that clients upload in pieces and may use for several jobs. POST /api/v1/uploads,
 * then PATCH /api/v1/uploads/{id} with the header Upload-Offset for each piece; GET returns the
 * offset, DELETE removes the upload. A piece that was answered 200 is on disk.
 */
#pragma once

#include "server/api_call/api.h"
#include "server/http/server.h"

/* Deletes an upload of an account with its files. 1: done; 0: there is none. Blocks on the disk. */
int uploads_erase(struct api *api, int64_t key_id, const char *id, struct err *err);

/* The `begin` and `end` of the POST, and of the PATCH; `body` and `done` of both. */
enum http_next uploads_begin_new(struct http_request *req, struct http_response *resp);
enum http_next uploads_new(struct http_request *req, struct http_response *resp);
enum http_next uploads_begin_piece(struct http_request *req, struct http_response *resp);
enum http_next uploads_piece(struct http_request *req, struct http_response *resp);
enum http_next uploads_body(struct http_request *req, const void *data, size_t n,
                            struct http_response *resp);
void uploads_done(struct http_request *req);
/* The `end` of the GET. */
enum http_next uploads_show(struct http_request *req, struct http_response *resp);
/* The `begin` and `end` of the DELETE, whose `done` is uploads_done. */
enum http_next uploads_begin_any(struct http_request *req, struct http_response *resp);
enum http_next uploads_delete(struct http_request *req, struct http_response *resp);
