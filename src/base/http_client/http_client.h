/*
 * http_client: HTTP requests to other servers, by libcurl, as all programs make them: HTTP/1.1
 * without redirects, cookies and proxies, also none of the environment; every wait is limited.
 * Which addresses may be connected to is the caller's to check (CURLOPT_OPENSOCKETFUNCTION).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <curl/curl.h>

#include "base/buf.h"
#include "base/err.h"

struct http_client_limits {
    bool http;          /* addresses with http: are allowed in addition to https: */
    int64_t connect_ms; /* of name resolution, connection and TLS together */
    int64_t timeout_ms; /* of the whole request; 0: none, but it ends after 30 s without a byte */
};

/* Sets these options of a handle that is new or was reset. False if libcurl refuses one. */
bool http_client_prepare(CURL *easy, const char *url, const struct http_client_limits *limits);

/* Adds a header line ("Name: value"). False without memory; the list stays as it is. */
bool http_client_header(struct curl_slist **list, const char *line);

/* A request whose response is small. */
struct http_client_request {
    const char *method; /* NULL: GET, or POST if there is a body */
    const char *url;
    const char *headers[2]; /* lines; NULL: none */
    const struct buf *body; /* NULL: none */
    size_t most;            /* limit of the response's body in bytes */
    struct http_client_limits limits;
};

/* Appends the body of a response with status 200. ERR_INTERNAL for anything else; the message says
 * why and has no subject, and does not contain the address, which may contain a password. */
int http_client_ask(const struct http_client_request *request, struct buf *out, struct err *err);
