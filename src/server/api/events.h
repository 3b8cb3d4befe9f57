/*
 * events: GET /api/v1/jobs/{id}/events, a job's progress as server-sent events (WHATWG HTML,
 * section 9.2): `progress`, then `completed` or `failed` with the JSON that GET of the job returns,
 * or `deleted` or `expired`; then the stream ends.
 *
 * An event's id consists of the attempt and its progress, so that it is the same before and after a
 * restart of the server: with Last-Event-ID, events that the client has seen are skipped. A client
 * that has seen the end gets 204, after which an EventSource does not reconnect.
 */
#pragma once

#include "server/http/server.h"

enum http_next events_begin(struct http_request *req, struct http_response *resp);
enum http_next events_open(struct http_request *req, struct http_response *resp);
void events_done(struct http_request *req);
