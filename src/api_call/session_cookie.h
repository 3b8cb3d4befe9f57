/* session_cookie: the cookie that carries a browser's API key (api/session.h). */
#pragma once

#include "account/key.h"
#include "http/server.h"

#define SESSION_COOKIE "platen_session"

/* Whether the server has a page for people, and so takes the cookie. */
bool session_cookie_is_offered(const struct http_request *req);
/* The key that a request brings in the cookie and may use, or NULL; lives in `out`. */
const char *session_cookie_key(const struct http_request *req, char out[static KEY_TEXT]);
