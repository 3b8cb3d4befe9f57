/*
 * tickets: addresses that take one file without a key for a short time, for whoever has the file
 * but should not have a key: an agent, a web shop's customer, a phone. POST /api/v1/uploads/tickets
 * makes one together with an upload, which counts for the account from then on and is used, looked
 * at and deleted (that revokes the ticket) as any other (uploads.h). PUT takes the file as it is,
 * POST the multipart form of a browser. A file that was answered 201 is on disk.
 */
#pragma once

#include <stdint.h>

#include "server/http/server.h"

struct store_upload;

/* When an upload expires; while its ticket waits for the file: when that ends. */
int64_t tickets_expiry(const struct store_upload *upload);

/* The `begin` and `end` of the POST that makes a ticket; `body` and `done` of all of these. */
enum http_next tickets_begin_new(struct http_request *req, struct http_response *resp);
enum http_next tickets_new(struct http_request *req, struct http_response *resp);
enum http_next tickets_body(struct http_request *req, const void *data, size_t n,
                            struct http_response *resp);
void tickets_done(struct http_request *req);
/* The `begin` of the PUT and of the POST to an address, and the `end` of both. */
enum http_next tickets_begin_file(struct http_request *req, struct http_response *resp);
enum http_next tickets_begin_form(struct http_request *req, struct http_response *resp);
enum http_next tickets_file(struct http_request *req, struct http_response *resp);
/* The `end` of the GET. */
enum http_next tickets_list(struct http_request *req, struct http_response *resp);
