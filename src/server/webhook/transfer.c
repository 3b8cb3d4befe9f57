#include "server/webhook/transfer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/http_client/http_client.h"
#include "base/scope.h"
#include "server/webhook/callback.h"
#include "server/webhook/network.h"

/* Limit for name resolution, connection and TLS together; a reachable receiver needs far less. */
#define CONNECT_MS 5000
/* limit of a response's headers; a longer one is not read to its end */
#define MAX_HEAD      ((size_t) 64 * 1024)
#define MAX_BODY      ((size_t) 64 * 1024)
#define LINE_BYTES    ((size_t) 16 * 1024) /* of a header line that is sent */
#define MAX_REDIRECTS 5                    /* of a file */

struct transfer {
    const struct transfer_rules *rules;
    struct message message; /* `request` points into it */
    struct webhook_request request;
    CURL *easy;
    struct curl_slist *headers;
    size_t n_head, n_body, n_excerpt;
    char excerpt[WEBHOOK_EXCERPT];
    bool forbidden; /* an address was refused */

    /* Of a file. */
    int64_t written; /* or sent */
    int redirects;
    bool in_body;           /* of a page: what still comes of its head is left out */
    enum webhook_end fault; /* why it was stopped; WEBHOOK_ANSWERED: it was not */
    char url[CALLBACK_URL]; /* after a redirect */
};

static bool is_file(const struct transfer *transfer)
{
    return transfer->request.max_bytes > 0;
}

static bool is_page(const struct transfer *transfer)
{
    return transfer->request.page;
}

/* Of what is sent, the response to a redirect is not needed, as of a file. */
static bool may_redirect(const struct transfer *transfer)
{
    return (is_file(transfer) && !is_page(transfer)) || transfer->request.put;
}

/* Called for every connection: checks the address that is actually connected to, after all name
 * resolution. Earlier or later results for the same name do not matter. */
static curl_socket_t open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct transfer *transfer = arg;
    struct net_address peer = net_of_socket(&address->addr);

    if (purpose != CURLSOCKTYPE_IPCXN ||
        (address->family != AF_INET && address->family != AF_INET6) ||
        address->family != address->addr.sa_family ||
        !network_may_reach(&transfer->rules->allowed, &peer)) {
        transfer->forbidden = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Stops a file's transfer. */
static size_t stop_for(struct transfer *transfer, enum webhook_end fault)
{
    transfer->fault = fault;
    return 0;
}

/* Whether a header line says that the body is coded: libcurl does not decode it, because a small
 * one may become very large. */
static bool is_coded(const char *line, size_t n)
{
    static const char name[] = "content-encoding:";

    if (n < sizeof name - 1 || strncasecmp(line, name, sizeof name - 1) != 0)
        return false;
    for (line += sizeof name - 1, n -= sizeof name - 1; n && strchr(" \t\r\n", *line); line++)
        n--;
    while (n && strchr(" \t\r\n", line[n - 1]))
        n--;
    return n > 0 && (n != 8 || strncasecmp(line, "identity", 8) != 0);
}

static size_t keep_file(struct transfer *transfer, const char *data, size_t n)
{
    struct err ignored;

    if ((int64_t) n > transfer->request.max_bytes - transfer->written)
        return stop_for(transfer, WEBHOOK_LARGE);
    if (fdio_write(transfer->message.fds[0], data, n, &ignored) < 0)
        return stop_for(transfer, WEBHOOK_UNKEPT);
    transfer->written += (int64_t) n;
    return n;
}

/* Of several heads, the last one counts: others are interim responses (RFC 9110, 15.2). */
static size_t keep_head(struct transfer *transfer, const char *data, size_t n)
{
    int fd = transfer->message.fds[0];

    if (transfer->in_body) /* a trailer */
        return n;
    if (n > 5 && memcmp(data, "HTTP/", 5) == 0) {
        if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0)
            return stop_for(transfer, WEBHOOK_UNKEPT);
        transfer->written = 0;
    }
    return keep_file(transfer, data, n);
}

static size_t receive_head(const void *data, size_t one, size_t n, void *arg)
{
    struct transfer *transfer = arg;

    n *= one;
    transfer->n_head += n;
    if (is_file(transfer) && !is_page(transfer) && is_coded(data, n))
        return stop_for(transfer, WEBHOOK_CODED);
    if (transfer->n_head > MAX_HEAD)
        return 0;
    return is_page(transfer) ? keep_head(transfer, data, n) : n;
}

/* Only the body of a success is the file. */
static size_t receive_file(char *data, size_t one, size_t n, void *arg)
{
    struct transfer *transfer = arg;
    long status = 0;

    n *= one;
    transfer->in_body = true;
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200 && !is_page(transfer)) {
        transfer->n_body += n;
        return transfer->n_body > MAX_BODY ? 0 : n;
    }
    return keep_file(transfer, data, n);
}

static size_t receive_body(char *data, size_t one, size_t n, void *arg)
{
    struct transfer *transfer = arg;
    size_t room = WEBHOOK_EXCERPT - transfer->n_excerpt;

    n *= one;
    memcpy(transfer->excerpt + transfer->n_excerpt, data, n < room ? n : room);
    transfer->n_excerpt += n < room ? n : room;
    transfer->n_body += n;
    return transfer->n_body > MAX_BODY ? 0 : n;
}

/* Makes the list of a request's header lines, without libcurl's default Expect and Accept. */
static struct curl_slist *list_headers(const char *lines)
{
    struct curl_slist *list = NULL;
    bool good = http_client_header(&list, "Expect:");
    char line[LINE_BYTES];

    while (good && *lines) {
        size_t n = strcspn(lines, "\n");

        good = n < sizeof line;
        if (good) {
            memcpy(line, lines, n);
            line[n] = '\0';
            lines += n + (lines[n] == '\n');
            good = http_client_header(&list, line);
        }
    }
    if (good)
        return list;
    curl_slist_free_all(list);
    return NULL;
}

static bool set_ca(CURL *easy, const struct transfer_rules *rules)
{
    struct curl_blob ca = { rules->ca.data, rules->ca.len, CURL_BLOB_NOCOPY };

    return ca.len == 0 || curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &ca) == CURLE_OK;
}

static bool set_post(struct transfer *t)
{
    curl_off_t bytes = (curl_off_t) t->request.body_bytes;

    return curl_easy_setopt(t->easy, CURLOPT_POST, 1L) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_POSTFIELDS, t->request.body) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE_LARGE, bytes) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, receive_body) == CURLE_OK;
}

/* A server that sends too slowly is given up: 1 kB a second, measured over 20 seconds. */
static bool set_get(struct transfer *t)
{
    curl_off_t most = (curl_off_t) t->request.max_bytes;

    return curl_easy_setopt(t->easy, CURLOPT_HTTPGET, 1L) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_MAXFILESIZE_LARGE, most) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_LIMIT, 1000L) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_TIME, 20L) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, receive_file) == CURLE_OK;
}

/* Decoded by libcurl piece by piece, so that the limit is that of the decoded bytes. */
static bool set_page(struct transfer *t)
{
    return set_get(t) && curl_easy_setopt(t->easy, CURLOPT_ACCEPT_ENCODING, "") == CURLE_OK &&
           (!t->request.head || curl_easy_setopt(t->easy, CURLOPT_NOBODY, 1L) == CURLE_OK);
}

static size_t send_file(char *out, size_t one, size_t n, void *arg)
{
    struct transfer *transfer = arg;
    const struct webhook_request *request = &transfer->request;
    int64_t left = request->bytes - transfer->written;
    struct err ignored;
    ssize_t got;

    n *= one;
    got = fdio_read_at(transfer->message.fds[0], out, (int64_t) n < left ? n : (size_t) left,
                       request->from + transfer->written, &ignored);
    if (got < 0 || (got == 0 && left > 0)) {
        transfer->fault = WEBHOOK_UNKEPT;
        return CURL_READFUNC_ABORT;
    }
    transfer->written += got;
    return (size_t) got;
}

/* libcurl sends a file again whose connection was closed before it was used. */
static int rewind_file(void *arg, curl_off_t offset, int origin)
{
    struct transfer *transfer = arg;

    if (origin != SEEK_SET || offset < 0 || offset > transfer->request.bytes)
        return CURL_SEEKFUNC_FAIL;
    transfer->written = offset;
    return CURL_SEEKFUNC_OK;
}

static bool set_put(struct transfer *t)
{
    curl_off_t bytes = (curl_off_t) t->request.bytes;

    return curl_easy_setopt(t->easy, CURLOPT_UPLOAD, 1L) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_INFILESIZE_LARGE, bytes) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_READFUNCTION, send_file) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_READDATA, t) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_SEEKFUNCTION, rewind_file) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_SEEKDATA, t) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_LIMIT, 1000L) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_TIME, 20L) == CURLE_OK &&
           curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, receive_body) == CURLE_OK;
}

static bool set_method(struct transfer *t)
{
    if (is_page(t))
        return set_page(t);
    return t->request.put ? set_put(t) : is_file(t) ? set_get(t) : set_post(t);
}

static bool set_up(struct transfer *t)
{
    const struct http_client_limits limits = { t->rules->http, CONNECT_MS, t->rules->timeout_ms };
    CURL *easy = t->easy;

    return http_client_prepare(easy, t->request.url, &limits) && set_ca(easy, t->rules) &&
           set_method(t) &&
           curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HTTPHEADER, t->headers) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, t) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_head) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HEADERDATA, t) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEDATA, t) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PRIVATE, t) == CURLE_OK;
}

struct transfer *transfer_new(const struct transfer_rules *rules, struct message *message,
                              uint64_t *ticket)
{
    struct transfer *t = calloc(1, sizeof *t);
    struct err ignored;

    *ticket = 0;
    if (!t) {
        message_wipe(message);
        return NULL;
    }
    t->rules = rules;
    t->message = *message;
    if (webhook_request_unpack(&t->message, &t->request, &ignored) == 0 && t->request.headers) {
        *ticket = t->request.ticket;
        t->easy = curl_easy_init();
        t->headers = list_headers(t->request.headers);
    }
    if (t->easy && t->headers && set_up(t))
        return t;
    transfer_free(t);
    return NULL;
}

void transfer_free(struct transfer *transfer)
{
    curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->headers);
    message_wipe(&transfer->message);
    free(transfer);
}

CURL *transfer_easy(const struct transfer *transfer)
{
    return transfer->easy;
}

/* The scheme, host and port of an address in normal form. */
static size_t origin_length(const char *url)
{
    const char *host = strstr(url, "://");

    return host ? (size_t) (host - url) + 3 + strcspn(host + 3, "/?") : 0;
}

/* What says of a file that is sent what it is. */
static void put_content_headers(const struct transfer *t, struct buf *out)
{
    static const char *const names[] = { "Content-Type:", "Repr-Digest:" };

    for (const char *line = t->request.headers; t->request.put && *line;) {
        size_t n = strcspn(line, "\n");

        for (size_t i = 0; i < COUNT(names); i++)
            if (strncasecmp(line, names[i], strlen(names[i])) == 0)
                buf_printf(out, "%.*s\n", (int) n, line);
        line += n + (line[n] == '\n');
    }
}

/* The headers of the client may be secrets for the host that it named: another one gets none. */
static bool drop_headers(struct transfer *t, const char *from)
{
    AUTO_BUF struct buf rest = BUF_EMPTY;
    size_t n = origin_length(from);

    put_content_headers(t, &rest);
    if (n == origin_length(t->url) && strncmp(from, t->url, n) == 0)
        return true;
    curl_slist_free_all(t->headers);
    t->headers = list_headers(buf_text(&rest));
    return t->headers && curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->headers) == CURLE_OK;
}

/* Only two of the redirects mean that a file is to be sent again. */
static bool is_redirect(const struct transfer *t, long status)
{
    return status == 307 || status == 308 ||
           (!t->request.put && (status == 301 || status == 302 || status == 303));
}

int transfer_redirect(struct transfer *t)
{
    const struct callback_rules rules = { t->rules->http, &t->rules->allowed, "the address",
                                          ERR_INVALID_PARAMETER };
    char from[CALLBACK_URL];
    char *to = NULL;
    long status = 0;
    struct err ignored;

    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    if (!may_redirect(t) || t->fault || t->forbidden || !is_redirect(t, status))
        return 0;
    snprintf(from, sizeof from, "%s", t->redirects ? t->url : t->request.url);
    if (++t->redirects > MAX_REDIRECTS ||
        curl_easy_getinfo(t->easy, CURLINFO_REDIRECT_URL, &to) != CURLE_OK || !to ||
        callback_check(&rules, to, t->url, &ignored) < 0 || !drop_headers(t, from) ||
        curl_easy_setopt(t->easy, CURLOPT_URL, t->url) != CURLE_OK) {
        t->fault = WEBHOOK_LOST;
        return 0;
    }
    t->n_head = t->n_body = t->n_excerpt = 0;
    t->written = 0;
    return 1;
}

static enum webhook_end end_of(const struct transfer *transfer, CURLcode done)
{
    if (transfer->forbidden)
        return WEBHOOK_NO_HOST;
    if (transfer->fault)
        return transfer->fault;
    switch ((int) done) {
    case CURLE_OPERATION_TIMEDOUT:
        return WEBHOOK_TIMEOUT;
    case CURLE_COULDNT_RESOLVE_HOST:
        return WEBHOOK_NO_HOST;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
        return WEBHOOK_TLS;
    case CURLE_GOT_NOTHING:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL: /* HTTP/0.9 */
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_WRITE_ERROR:
        return WEBHOOK_BROKEN;
    case CURLE_BAD_CONTENT_ENCODING:
        return WEBHOOK_CODED;
    case CURLE_FILESIZE_EXCEEDED:
        return WEBHOOK_LARGE;
    default:
        return WEBHOOK_UNREACHABLE;
    }
}

static int32_t bounded(curl_off_t value, curl_off_t factor)
{
    value = value < 0 ? 0 : value / factor;
    return value > INT32_MAX ? INT32_MAX : (int32_t) value;
}

void transfer_result(const struct transfer *transfer, CURLcode done,
                     struct webhook_response *response)
{
    curl_off_t took = 0, after = 0;
    long status = 0;

    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(transfer->easy, CURLINFO_TOTAL_TIME_T, &took);
    curl_easy_getinfo(transfer->easy, CURLINFO_RETRY_AFTER, &after);
    memset(response, 0, sizeof *response);
    response->ticket = transfer->request.ticket;
    response->duration_ms = bounded(took, 1000);
    response->after_s = bounded(after, 1);
    response->forbidden = transfer->forbidden;
    response->excerpt_bytes = (uint32_t) transfer->n_excerpt;
    memcpy(response->excerpt, transfer->excerpt, transfer->n_excerpt);
    response->bytes = transfer->written;
    /* A receiver that responded 200 has accepted the webhook, even if the rest of the response
     * failed. A file must be whole. */
    if (transfer->request.put && (transfer->fault || transfer->forbidden))
        response->end = end_of(transfer, done);
    else if (transfer->request.put && status >= 200 && status <= 299 &&
             transfer->written < transfer->request.bytes)
        response->end = WEBHOOK_BROKEN; /* it cannot have all of it */
    else if (is_file(transfer) && (done != CURLE_OK || transfer->fault || transfer->forbidden) &&
             (status == 200 || transfer->fault || is_page(transfer)))
        response->end = end_of(transfer, done);
    else
        response->end = status >= 200 && status <= 999 ? WEBHOOK_ANSWERED : end_of(transfer, done);
    if (response->end == WEBHOOK_ANSWERED)
        response->http_status = (int32_t) status;
}
