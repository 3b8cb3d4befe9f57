#include "sandbox/signer/http_post.h"
#include "base/version.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stdio.h>

struct taking {
    struct buf *response;
    size_t max;
    bool too_long;
};

static size_t receive_response(char *data, size_t one, size_t n, void *cls)
{
    struct taking *taking = cls;

    if (n > taking->max - taking->response->len) {
        taking->too_long = true;
        return 0; /* ends it */
    }
    buf_put(taking->response, data, one * n);
    return n;
}

static struct curl_slist *make_headers(const struct http_post *post)
{
    char type[100], accept[100];
    struct curl_slist *first, *both;

    snprintf(type, sizeof type, "Content-Type: %s", post->content_type);
    snprintf(accept, sizeof accept, "Accept: %s", post->accept);
    first = curl_slist_append(NULL, type);
    both = first ? curl_slist_append(first, accept) : NULL;
    if (!both)
        curl_slist_free_all(first);
    return both;
}

static bool set_up(CURL *curl, const struct http_post *post, const struct buf *body,
                   struct curl_slist *headers, struct taking *taking)
{
    return headers && curl_easy_setopt(curl, CURLOPT_URL, post->url) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_USERAGENT, "platen/" PLATEN_VERSION) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body->data) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long) body->len) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long) post->timeout_ms) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive_response) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEDATA, taking) == CURLE_OK;
}

static int perform(CURL *curl, const struct taking *taking, struct err *err)
{
    CURLcode done = curl_easy_perform(curl);
    long status = 0;

    if (taking->too_long)
        return err_set(err, ERR_INTERNAL, "its response is longer than %zu bytes", taking->max);
    if (done != CURLE_OK)
        return err_set(err, ERR_INTERNAL, "it cannot be reached: %s", curl_easy_strerror(done));
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200)
        return err_set(err, ERR_INTERNAL, "it answers with HTTP status %ld", status);
    return taking->response->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int http_post_send(const struct http_post *post, const struct buf *body, struct buf *response,
                   struct err *err)
{
    struct taking taking = { response, post->max, false };
    struct curl_slist *headers = make_headers(post);
    CURL *curl = curl_easy_init();
    int done = -1;

    if (!curl || !set_up(curl, post, body, headers, &taking))
        err_set(err, ERR_INTERNAL, "its address cannot be used");
    else
        done = perform(curl, &taking, err);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return done;
}
