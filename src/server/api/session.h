/*
 * session: what a browser keeps for the web page in the place of an API key. GET, POST and DELETE
 * /api/v1/session; server/api_call/session_cookie.h reads it.
 *
 * A random token is in a cookie that no script can read (HttpOnly) and that other sites' requests
 * do not carry (SameSite=Strict); the store has its digest. It represents the key with which it was
 * made, for 30 days, until the browser signs out or the key ends. It is valid for requests that
 * change nothing, and for others only together with the header Platen-Page, which a page of another
 * origin cannot send without permission (Fetch standard, CORS-preflight): a forged request fails
 * for both reasons. With web = open, a request with that header and without a key makes an account
 * for a visitor (server/api_call/visitors.h).
 */
#pragma once

#include "base/buf.h"
#include "server/http/server.h"

/* The GET: says whether the request has a key; it needs none. */
enum http_next session_show(struct http_request *req, struct http_response *resp);
/* Appends what the page would ask first, as JSON: the same, and how long results of the caller, or
 * of a visitor to come, are kept. Nothing if the store does not answer. */
void session_put(struct http_request *req, struct buf *out);
/* The POST, in two steps. session_begin, its `begin`, checks the key that the request carries,
 * which only a visitor may lack. session_open makes a session for it on another thread; for a
 * visitor it first makes an account. A browser that has a session and sends no key keeps it. */
enum http_next session_begin(struct http_request *req, struct http_response *resp);
enum http_next session_open(struct http_request *req, struct http_response *resp);
/* The DELETE, in two steps; session_prepare_end is its `begin`. It needs no key: a browser can
 * always remove its cookie. A session that is valid ends in the store. A visitor's account is
 * erased with all of its jobs, uploads and their files before the response; files that are being
 * received meanwhile are left to the janitor. */
enum http_next session_prepare_end(struct http_request *req, struct http_response *resp);
enum http_next session_end(struct http_request *req, struct http_response *resp);
/* Frees the state of POST and DELETE (the routes' `done`). */
void session_done(struct http_request *req);
