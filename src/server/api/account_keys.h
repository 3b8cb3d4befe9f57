/*
 * account_keys: the API keys of the caller's own account. GET and POST /api/v1/account/keys, POST
 * .../{key}/roll, DELETE .../{key}. A key is identified by its prefix, which is not a secret.
 * Visitors (server/api_call/visitors.h) have no keys: ERR_FORBIDDEN.
 */
#pragma once

#include "server/http/server.h"

/* Limit of an account's keys: those that work without end, that are about to end, and that have
 * ended. */
#define ACCOUNT_KEYS 100

enum http_next account_keys_begin(struct http_request *req, struct http_response *resp);
/* The `begin` of the route that makes a key, whose body is JSON. */
enum http_next account_keys_begin_new(struct http_request *req, struct http_response *resp);
enum http_next account_keys_body(struct http_request *req, const void *data, size_t n,
                                 struct http_response *resp);
/* GET /api/v1/account/keys */
enum http_next account_keys_list(struct http_request *req, struct http_response *resp);
/* POST /api/v1/account/keys */
enum http_next account_keys_create(struct http_request *req, struct http_response *resp);
/* Makes a new key to replace the old one, which stays valid for the time of the setting
 * key_grace. */
enum http_next account_keys_roll(struct http_request *req, struct http_response *resp);
/* Ends a key at once. The account's last valid key can only be rolled. */
enum http_next account_keys_revoke(struct http_request *req, struct http_response *resp);
void account_keys_done(struct http_request *req);
