/*
 * session: an API key that a browser keeps for the page for people. POST and DELETE
 * /api/v1/session.
 *
 * The key is in a cookie that no script can read (HttpOnly) and that no other site's requests carry
 * (SameSite=Strict); nothing of it is kept here. It counts for requests that change nothing, and
 * for others only beside the header Platen-Page, which a page of another origin cannot send
 * without being allowed to (Fetch standard, CORS-preflight): a forged request fails twice.
 */
#pragma once

#include "account/key.h"
#include "http/server.h"

#define SESSION_COOKIE "platen_session"

/* The key that a request brings in the cookie, or NULL; lives in `out`. */
const char *session_key(const struct http_request *req, char out[static KEY_TEXT]);

/* Both need a struct call of a request that named its key by a header. */
enum http_next session_open(struct http_request *req, struct http_response *resp);
/* Needs no key: a browser can always be made to forget. */
enum http_next session_end(struct http_request *req, struct http_response *resp);
