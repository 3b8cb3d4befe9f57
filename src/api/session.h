/*
 * session: an API key that a browser keeps for the web page. GET, POST and DELETE /api/v1/session;
 * api_call/session_cookie.h reads it.
 *
 * The key is in a cookie that no script can read (HttpOnly) and that other sites' requests do not
 * carry (SameSite=Strict); the server stores nothing of it. The cookie is valid for requests that
 * change nothing, and for others only together with the header Platen-Page, which a page of another
 * origin cannot send without permission (Fetch standard, CORS-preflight): a forged request fails
 * for both reasons. With web = open, a request with that header and without a key makes an account
 * for a visitor (api_call/visitors.h).
 */
#pragma once

#include "http/server.h"

/* The GET: says whether the request has a key; it needs none. */
enum http_next session_show(struct http_request *req, struct http_response *resp);
/* The POST: puts the key that the request carries into the cookie; for a request without a key it
 * makes an account for a visitor, on another thread. */
enum http_next session_begin(struct http_request *req, struct http_response *resp);
enum http_next session_open(struct http_request *req, struct http_response *resp);
/* The DELETE needs no key: a browser can always remove its key. A visitor's account is erased with
 * all of its jobs, uploads and their files before the answer; what is being received meanwhile is
 * left to the janitor. */
enum http_next session_begin_end(struct http_request *req, struct http_response *resp);
enum http_next session_end(struct http_request *req, struct http_response *resp);
void session_done(struct http_request *req);
