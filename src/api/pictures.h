/* pictures: pages of uploads and results as images for browsers: GET .../document,
 * .../pages/N.webp. */
#pragma once

#include "http/server.h"

enum http_next pictures_begin(struct http_request *req, struct http_response *resp);
enum http_next pictures_upload_document(struct http_request *req, struct http_response *resp);
enum http_next pictures_job_document(struct http_request *req, struct http_response *resp);
enum http_next pictures_upload_page(struct http_request *req, struct http_response *resp);
enum http_next pictures_job_page(struct http_request *req, struct http_response *resp);
void pictures_done(struct http_request *req);
