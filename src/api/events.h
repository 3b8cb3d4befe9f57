/*
 * events: GET /api/v1/jobs/{id}/events, a job's progress as server-sent events (WHATWG HTML,
 * section 9.2): `progress`, then one of `completed` and `failed` with what GET of the job answers,
 * or `deleted` or `expired`; then the stream ends.
 *
 * An event's id is made of the attempt and how far it is, so that it is the same before and after a
 * restart of the server: Last-Event-ID leaves out what the client has seen. A client that has seen
 * the end gets 204, after which an EventSource does not come again.
 */
#pragma once

#include "http/server.h"

enum http_next events_begin(struct http_request *req, struct http_response *resp);
enum http_next events_open(struct http_request *req, struct http_response *resp);
void events_done(struct http_request *req);
