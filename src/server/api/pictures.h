/* pictures: pages of uploads and results as images for browsers, where their words are, and the
 * outline. */
#pragma once

#include "server/http/server.h"

/* The `begin` of all routes below: authorizes the request. */
enum http_next pictures_begin(struct http_request *req, struct http_response *resp);
/* GET /api/v1/uploads/{id}/document, /api/v1/jobs/{id}/document: the number of pages and their
 * sizes, as JSON. */
enum http_next pictures_upload_document(struct http_request *req, struct http_response *resp);
enum http_next pictures_job_document(struct http_request *req, struct http_response *resp);
/* GET /api/v1/uploads/{id}/pages/{page}, /api/v1/jobs/{id}/pages/{page}: page "N.webp", N from 1;
 * or "N.json": its words and links. */
enum http_next pictures_upload_page(struct http_request *req, struct http_response *resp);
enum http_next pictures_job_page(struct http_request *req, struct http_response *resp);
/* GET /api/v1/uploads/{id}/outline, /api/v1/jobs/{id}/outline: the outline, as JSON. */
enum http_next pictures_upload_outline(struct http_request *req, struct http_response *resp);
enum http_next pictures_job_outline(struct http_request *req, struct http_response *resp);
/* The `done` of these routes: frees the request's state. */
void pictures_done(struct http_request *req);
