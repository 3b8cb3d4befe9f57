/*
 * workflows: the saved workflows of the caller's account (data/store/store_workflows.h). GET and
 * POST /api/v1/workflows, GET, PUT and DELETE /api/v1/workflows/{id}. Visitors
 * (server/api_call/visitors.h) have none: ERR_FORBIDDEN.
 */
#pragma once

#include "server/http/server.h"

enum http_next workflows_begin(struct http_request *req, struct http_response *resp);
/* The `begin` of the routes whose body is JSON. */
enum http_next workflows_begin_form(struct http_request *req, struct http_response *resp);
enum http_next workflows_body(struct http_request *req, const void *data, size_t n,
                              struct http_response *resp);
enum http_next workflows_list(struct http_request *req, struct http_response *resp);
enum http_next workflows_create(struct http_request *req, struct http_response *resp);
enum http_next workflows_show(struct http_request *req, struct http_response *resp);
/* With the header If-Match only if the workflow still has that ETag: ERR_WORKFLOW_CHANGED. */
enum http_next workflows_replace(struct http_request *req, struct http_response *resp);
enum http_next workflows_delete(struct http_request *req, struct http_response *resp);
void workflows_done(struct http_request *req);
