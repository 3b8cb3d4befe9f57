#include "engine/browser/requests.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/scope.h"
#include "engine/browser/response.h"

#define MISSING 1000 /* limit of what is kept */

void requests_free(struct requests *requests)
{
    for (size_t i = 0; i < requests->n_missing; i++) {
        free(requests->missing[i].address);
        free(requests->missing[i].why);
    }
    free(requests->missing);
    free(requests->fault);
    parts_free(&requests->parts);
}

void requests_miss(struct requests *requests, const char *address, const char *why, bool font)
{
    struct missing one = { .font = font };

    for (size_t i = 0; i < requests->n_missing; i++)
        if (strcmp(requests->missing[i].address, address) == 0)
            return;
    if (requests->n_missing == requests->cap) {
        size_t cap = requests->cap ? requests->cap * 2 : 16;
        struct missing *more =
            cap <= MISSING ? realloc(requests->missing, cap * sizeof *more) : NULL;

        if (!more)
            return;
        requests->missing = more;
        requests->cap = cap;
    }
    one.address = strdup(address);
    one.why = strdup(why);
    if (one.address && one.why) {
        requests->missing[requests->n_missing++] = one;
    } else {
        free(one.address);
        free(one.why);
    }
}

/* The parts that a page shows, or is shown with. What a script asks for besides is its own affair.
 */
static bool is_part(const char *type)
{
    static const char *const parts[] = { "Document", "Stylesheet", "Image", "Media",
                                         "Font",     "Script",     NULL };

    for (size_t i = 0; parts[i]; i++)
        if (strcmp(type, parts[i]) == 0)
            return true;
    return false;
}

static void fail_request(struct requests *requests, const char *session, const char *id)
{
    devtools_send(requests->devtools, session, "Fetch.failRequest",
                  json_pack("{ss ss}", "requestId", id, "errorReason", "AccessDenied"));
}

static void fulfil(struct requests *requests, const char *session, const char *id, const char *type,
                   const struct buf *body)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    base64_put(body->data, body->len, &text);
    devtools_send(requests->devtools, session, "Fetch.fulfillRequest",
                  json_pack("{ss si s[{ss ss} {ss ss}] so}", "requestId", id, "responseCode", 200,
                            "responseHeaders", "name", "Content-Type", "value", type, "name",
                            "Cache-Control", "value", "no-store", "body",
                            json_stringn_nocheck(buf_text(&text), text.len)));
}

/* A part that did not come, or came with a status that is not a success. */
static void miss_part(struct requests *requests, const struct part *part, const char *why)
{
    if (part->main && !requests->fault)
        requests->fault = strdup(why);
    else if (!part->main && is_part(part->type))
        requests_miss(requests, part->address, why, strcmp(part->type, "Font") == 0);
}

/* Chromium gets the response as it is, with its status, by which scripts of the page may go on. */
static void forward(struct requests *requests, const struct part *part,
                    const struct response *response)
{
    AUTO_BUF struct buf headers = BUF_EMPTY, body = BUF_EMPTY;

    base64_put(response->headers.data, response->headers.len, &headers);
    if (!response->redirect)
        base64_put(response->body, response->n_body, &body);
    devtools_send(requests->devtools, part->session, "Fetch.fulfillRequest",
                  json_pack("{ss si so so}", "requestId", part->id, "responseCode",
                            response->status, "binaryResponseHeaders",
                            json_stringn_nocheck(buf_text(&headers), headers.len), "body",
                            json_stringn_nocheck(buf_text(&body), body.len)));
}

static void on_arrival(void *arg, const struct part *part, const char *why)
{
    struct requests *requests = arg;
    AUTO_RESPONSE struct response response = { .headers = BUF_EMPTY };
    char status[60];

    requests->answered++;
    if (!why && !response_read(&response, &part->response))
        why = "its host does not speak HTTP";
    if (why) {
        fail_request(requests, part->session, part->id);
        miss_part(requests, part, why);
        return;
    }
    snprintf(status, sizeof status, "its host answered with status %d", response.status);
    if (!response.redirect && (response.status < 200 || response.status > 299))
        miss_part(requests, part, status);
    forward(requests, part, &response);
}

void requests_fetch(struct requests *requests, int sock)
{
    requests->parts = (struct parts){ .sock = sock, .arrived = on_arrival, .arg = requests };
}

static char *header_lines(const json_t *headers)
{
    AUTO_BUF struct buf lines = BUF_EMPTY;
    const char *name;
    json_t *value;

    json_object_foreach((json_t *) (uintptr_t) headers, name, value)
    {
        const char *text = json_string_value(value);

        if (text && !strpbrk(text, "\r\n") && !strpbrk(name, "\r\n:"))
            buf_printf(&lines, "%s: %s\n", name, text);
    }
    return strdup(buf_text(&lines));
}

static bool is_web(const char *address)
{
    return strncmp(address, "https://", 8) == 0 || strncmp(address, "http://", 7) == 0;
}

/* Why the server is not asked for it; NULL: it is. */
static const char *ask_for_part(struct requests *requests, const char *session,
                                const json_t *params)
{
    const json_t *request = json_object_get(params, "request");
    const char *method = devtools_text(request, "method");
    const char *address = devtools_text(request, "url");
    const char *type = devtools_text(params, "resourceType");
    bool stream = strcmp(type, "EventSource") == 0;
    struct part part;

    if (!is_web(address))
        return "only addresses of the web are fetched";
    if (stream || (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)) {
        if (requests->refused++ == 0)
            snprintf(requests->first_refused, sizeof requests->first_refused, "%s %.150s",
                     stream ? type : method, address);
        return "only GET and HEAD are sent";
    }
    part = (struct part){ .id = strdup(devtools_text(params, "requestId")),
                          .session = strdup(session),
                          .address = strdup(address),
                          .type = strdup(type),
                          .headers = header_lines(json_object_get(request, "headers")),
                          .head = strcmp(method, "HEAD") == 0,
                          .main = strcmp(type, "Document") == 0 &&
                                  strcmp(devtools_text(params, "frameId"), requests->frame) == 0,
                          .response = BUF_EMPTY };
    if (part.id && part.session && part.address && part.type && part.headers) {
        parts_add(&requests->parts, &part);
        return NULL;
    }
    parts_forget(&part);
    return "there is no memory for it";
}

/* Why there is no such file; NULL: it was sent. */
static const char *answer_from_files(struct requests *requests, const char *session, const char *id,
                                     const char *address)
{
    AUTO_BUF struct buf body = BUF_EMPTY;
    const char *type;

    if (!assets_owns(address))
        return "nothing is fetched from other addresses";
    switch (assets_read(requests->assets, address, &body, &type)) {
    case ASSETS_FOUND:
        fulfil(requests, session, id, type, &body);
        return NULL;
    case ASSETS_BROKEN:
        return "the file cannot be unpacked";
    case ASSETS_TOO_LARGE:
        return "the files are too large";
    case ASSETS_ABSENT:
        break;
    }
    return "it is not among the files";
}

void requests_answer(struct requests *requests, const char *session, const json_t *params)
{
    const char *id = devtools_text(params, "requestId");
    const char *type = devtools_text(params, "resourceType");
    const char *address = devtools_text(json_object_get(params, "request"), "url");
    const char *why = requests->assets ? answer_from_files(requests, session, id, address)
                                       : ask_for_part(requests, session, params);

    if (!why) {
        requests->answered += requests->assets != NULL;
        return;
    }
    requests->answered++;
    fail_request(requests, session, id);
    if (is_part(type))
        requests_miss(requests, address, why, strcmp(type, "Font") == 0);
}
