#include "base/http_client/http_client.h"

#include "base/scope.h"
#include "base/version.h"

#define STALL_SECONDS 30L

struct response {
    struct buf *out;
    size_t left;
    bool too_long;
};

bool http_client_prepare(CURL *easy, const char *url, const struct http_client_limits *limits)
{
    int64_t connect_ms = limits->timeout_ms && limits->timeout_ms < limits->connect_ms
                             ? limits->timeout_ms
                             : limits->connect_ms;

    return curl_easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, limits->http ? "http,https" : "https") ==
               CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long) CURL_HTTP_VERSION_1_1) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_USERAGENT, "platen/" PLATEN_VERSION) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_NOPROXY, "*") == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long) connect_ms) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long) limits->timeout_ms) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, limits->timeout_ms ? 0L : 1L) ==
               CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, STALL_SECONDS) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           /* Prevents libcurl from waiting for a thread that asks a name server that does not
            * answer. */
           curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L) == CURLE_OK;
}

bool http_client_header(struct curl_slist **list, const char *line)
{
    struct curl_slist *longer = curl_slist_append(*list, line);

    if (longer)
        *list = longer;
    return longer != NULL;
}

static size_t keep_body(char *data, size_t one, size_t n, void *arg)
{
    struct response *response = arg;

    if (n > response->left) {
        response->too_long = true;
        return 0; /* ends it */
    }
    response->left -= n;
    buf_put(response->out, data, one * n);
    return n;
}

static bool set_request(CURL *easy, const struct http_client_request *request,
                        struct curl_slist **headers, struct response *response)
{
    const struct buf *body = request->body;

    for (size_t i = 0; i < COUNT(request->headers); i++)
        if (request->headers[i] && !http_client_header(headers, request->headers[i]))
            return false;
    return http_client_prepare(easy, request->url, &request->limits) &&
           (!body ||
            (curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body->data) == CURLE_OK &&
             curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long) body->len) == CURLE_OK)) &&
           curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HTTPHEADER, *headers) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep_body) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEDATA, response) == CURLE_OK;
}

static int perform_request(CURL *easy, const struct http_client_request *request,
                           const struct response *response, struct err *err)
{
    CURLcode done = curl_easy_perform(easy);
    long status = 0;

    if (response->too_long)
        return err_set(err, ERR_INTERNAL, "its response is longer than %zu bytes", request->most);
    if (done != CURLE_OK)
        return err_set(err, ERR_INTERNAL, "it cannot be reached: %s", curl_easy_strerror(done));
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200)
        return err_set(err, ERR_INTERNAL, "it answers with HTTP status %ld", status);
    return response->out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int http_client_ask(const struct http_client_request *request, struct buf *out, struct err *err)
{
    struct response response = { out, request->most, false };
    struct curl_slist *headers = NULL;
    CURL *easy = curl_easy_init();
    int done = -1;

    if (!easy || !set_request(easy, request, &headers, &response))
        err_set(err, ERR_INTERNAL, "its address cannot be used");
    else
        done = perform_request(easy, request, &response, err);
    curl_slist_free_all(headers);
    curl_easy_cleanup(easy);
    return done;
}
