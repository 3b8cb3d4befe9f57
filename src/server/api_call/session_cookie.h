/* session_cookie: the cookie that carries a browser's API key (server/api/session.h). */
#pragma once

#include "data/account/key.h"
#include "server/http/server.h"

/* The name of the cookie. By https it is one that browsers accept from this host alone, and only
 * with Secure (RFC 6265bis, 4.1.3.2): a neighbouring host cannot set it. */
const char *session_cookie_name(const struct http_request *req);

/* Whether the server has the web page, and so accepts the cookie. */
bool session_cookie_is_offered(const struct http_request *req);
/* Copies the key in the request's cookie to `out` and returns it; NULL if there is none, or two, or
 * if the request changes something and does not have the header Platen-Page, which pages of other
 * origins cannot send. The key is not checked. */
const char *session_cookie_key(const struct http_request *req, char out[static KEY_TEXT]);
