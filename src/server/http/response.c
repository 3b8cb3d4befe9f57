#include "server/http/response.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"

void http_response_header(struct http_response *resp, const char *name, const char *fmt, ...)
{
    char *value = NULL;
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vasprintf(&value, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    for (const char *p = value; *p; p++)
        if ((unsigned char) *p < ' ' || *p == 0x7f) {
            free(value);
            return;
        }
    if (resp->n_headers == COUNT(resp->headers)) {
        free(value);
        return;
    }
    resp->headers[resp->n_headers++] = (struct http_header_line){ name, value };
}

void http_response_file(struct http_response *resp, int fd, int64_t offset, int64_t bytes)
{
    if (resp->has_file)
        close(resp->file);
    resp->has_file = true;
    resp->file = fd;
    resp->file_offset = offset;
    resp->file_bytes = bytes;
}

void http_response_shared(struct http_response *resp, const void *bytes, size_t n)
{
    resp->shared = bytes;
    resp->shared_bytes = n;
}

void http_response_clear(struct http_response *resp)
{
    for (size_t i = 0; i < resp->n_headers; i++)
        free(resp->headers[i].value);
    if (resp->has_file)
        close(resp->file);
    buf_free(&resp->body);
    *resp = (struct http_response){ 0 };
}
