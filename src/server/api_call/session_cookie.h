/* session_cookie: the cookie that carries the token of a browser's session (server/api/session.h).
 */
#pragma once

#include "data/account/key.h"
#include "data/account/session_token.h"
#include "server/http/server.h"

/* Whether the server has the web page, and so accepts the cookie. */
bool session_cookie_is_offered(const struct http_request *req);
/* Copies the token in the request's cookie to `out` and returns it; NULL if there is none, or two,
 * or if the request changes something and does not have the header Platen-Page, which pages of
 * other origins cannot send. The token is not checked. */
const char *session_cookie_token(const struct http_request *req, char out[static SESSION_TOKEN]);
/* Answers 204 with the cookie. */
void session_cookie_set(const struct http_request *req, struct http_response *resp,
                        const char *token, int64_t seconds);
/* Makes a session for a key, for 30 days or as long as the key lasts, and answers with its cookie;
 * the session that the browser had ends. Blocks on the store. */
int session_cookie_begin(const struct http_request *req, struct http_response *resp,
                         const struct key *key, struct err *err);
/* Ends the session of the cookie, if there is one. Blocks on the store. */
int session_cookie_end(const struct http_request *req, struct err *err);
