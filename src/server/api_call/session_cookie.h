/* session_cookie: the cookie that carries a browser's API key (server/api/session.h). */
#pragma once

#include "data/account/key.h"
#include "server/http/server.h"

#define SESSION_COOKIE "platen_session"

/* Whether the server has the web page, and so accepts the cookie. */
bool session_cookie_is_offered(const struct http_request *req);
/* Copies the key in the request's cookie to `out` and returns it; NULL if there is none, or two, or
 * if the request changes something and does not have the header Platen-Page, which pages of other
 * origins cannot send. The key is not checked. */
const char *session_cookie_key(const struct http_request *req, char out[static KEY_TEXT]);
