/*
 * webhook_secret: the secret that signs the webhooks of the caller's account. GET
 * /api/v1/account/webhook-secret and POST .../roll, for keys of the scope manage without limits.
 * Visitors have no webhooks: ERR_FORBIDDEN.
 */
#pragma once

#include "server/http/server.h"

enum http_next webhook_secret_begin(struct http_request *req, struct http_response *resp);
/* Answers with the secret; makes one if the account has none. */
enum http_next webhook_secret_show(struct http_request *req, struct http_response *resp);
/* Makes a new secret; for the time of the setting key_grace webhooks are signed with both. */
enum http_next webhook_secret_roll(struct http_request *req, struct http_response *resp);
void webhook_secret_done(struct http_request *req);
