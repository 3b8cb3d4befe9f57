/*
 * session: an API key that a browser keeps for the page for people. GET, POST and DELETE
 * /api/v1/session; api_call/session_cookie.h reads it.
 *
 * The key is in a cookie that no script can read (HttpOnly) and that no other site's requests carry
 * (SameSite=Strict); nothing of it is kept here. It counts for requests that change nothing, and
 * for others only beside the header Platen-Page, which a page of another origin cannot send
 * without being allowed to (Fetch standard, CORS-preflight): a forged request fails twice. Where
 * web = open, whoever has no key gets an account as a visitor (api_call/visitors.h), by a request
 * with that header only.
 */
#pragma once

#include "http/server.h"

/* Needs no key: says whether the request has one. */
enum http_next session_show(struct http_request *req, struct http_response *resp);
enum http_next session_begin(struct http_request *req, struct http_response *resp);
enum http_next session_open(struct http_request *req, struct http_response *resp);
/* Needs no key: a browser can always be made to forget. */
enum http_next session_end(struct http_request *req, struct http_response *resp);
void session_done(struct http_request *req);
