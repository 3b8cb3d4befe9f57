#include "data/s3/client.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/fdio.h"
#include "base/http_client/http_client.h"
#include "base/id.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "data/blob/blob.h"
#include "data/s3/credentials.h"
#include "data/s3/sign.h"

#define TRIES       6
#define PAUSE_MS    100 /* before the second try; doubled before each further one */
#define CONNECT_MS  5000
#define ANSWER_MOST ((size_t) 4 << 20)
#define PARTS_MOST  9000 /* S3 takes 10,000 */
#define IDLE_MOST   16
/* a clock that differs by less than this from the one in use changes nothing */
#define SKEW_MS 60000
#define EMPTY   "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

struct s3_client {
    struct s3_place place;
    atomic_int_fast64_t ahead_ms; /* of the server's clock before that of this machine */
    atomic_llong seen_ahead_ms;   /* by the last answer */
    pthread_mutex_t lock;         /* guards what follows */
    CURL *idle[IDLE_MOST];
    size_t n_idle;
};

/* One request and what came of it. */
struct exchange {
    const char *method, *key, *query;
    /* what is sent: a range of a file, or a text */
    int body;
    int64_t offset, length, sent;
    const char *text;
    /* what comes: into a file if it is a success and there is one, else here */
    int sink;
    int64_t received, most; /* of the sink; more than `most` bytes are not received */
    struct buf answer;
    const char *digest;     /* SHA-256 to keep with the object; NULL: none */
    char kept[DIGEST_TEXT]; /* the digest that the server has of the object; "": none */
    char etag[160];
    int64_t ahead; /* of the server's clock, by which the last try was signed, in milliseconds */
    int64_t date;  /* of the server, in Unix seconds; -1: it says none */
    long status;
    bool write_failed, too_long;
};

struct s3_client *s3_client_new(const struct s3_place *place, struct err *err)
{
    struct s3_credentials credentials;
    struct s3_client *client;

    if (s3_credentials_find(&credentials, err) < 0)
        return NULL;
    explicit_bzero(&credentials, sizeof credentials);
    if (!(client = calloc(1, sizeof *client))) {
        err_sys(err, "s3");
        return NULL;
    }
    client->place = *place;
    pthread_mutex_init(&client->lock, NULL);
    return client;
}

void s3_client_free(struct s3_client *client)
{
    while (client->n_idle)
        curl_easy_cleanup(client->idle[--client->n_idle]);
    pthread_mutex_destroy(&client->lock);
    free(client);
}

int64_t s3_client_ahead_ms(const struct s3_client *client)
{
    return atomic_load(&client->seen_ahead_ms);
}

static CURL *borrow(struct s3_client *client)
{
    CURL *easy = NULL;

    pthread_mutex_lock(&client->lock);
    if (client->n_idle)
        easy = client->idle[--client->n_idle];
    pthread_mutex_unlock(&client->lock);
    return easy ? easy : curl_easy_init();
}

static void give_back(struct s3_client *client, CURL *easy)
{
    pthread_mutex_lock(&client->lock);
    if (client->n_idle < IDLE_MOST) {
        client->idle[client->n_idle++] = easy;
        easy = NULL;
    }
    pthread_mutex_unlock(&client->lock);
    curl_easy_cleanup(easy);
}

static size_t give_body(char *out, size_t size, size_t n, void *arg)
{
    struct exchange *x = arg;
    int64_t left = x->length - x->sent;
    size_t want = size * n < (size_t) left ? size * n : (size_t) left;
    struct err ignored;
    ssize_t got;

    if (x->text) {
        memcpy(out, x->text + x->sent, want);
        got = (ssize_t) want;
    } else {
        got = fdio_read_at(x->body, out, want, x->offset + x->sent, &ignored);
    }
    if (got < 0 || (want && got == 0))
        return CURL_READFUNC_ABORT;
    x->sent += got;
    return (size_t) got;
}

static int rewind_body(void *arg, curl_off_t offset, int origin)
{
    struct exchange *x = arg;

    if (origin != SEEK_SET)
        return CURL_SEEKFUNC_CANTSEEK;
    x->sent = offset;
    return CURL_SEEKFUNC_OK;
}

static size_t receive_header(char *line, size_t size, size_t n, void *arg)
{
    struct exchange *x = arg;
    size_t length = size * n;

    if (length > 9 && strncasecmp(line, "HTTP/", 5) == 0)
        x->status = strtol(line + 9, NULL, 10);
    if (length > 5 && strncasecmp(line, "ETag:", 5) == 0) {
        const char *at = line + 5 + strspn(line + 5, " ");

        snprintf(x->etag, sizeof x->etag, "%.*s", (int) strcspn(at, "\r\n"), at);
    }
    if (length > sizeof S3_DIGEST && strncasecmp(line, S3_DIGEST ":", sizeof S3_DIGEST) == 0) {
        const char *at = line + sizeof S3_DIGEST + strspn(line + sizeof S3_DIGEST, " ");

        snprintf(x->kept, sizeof x->kept, "%.*s", (int) strcspn(at, "\r\n"), at);
    }
    if (length > 5 && length < 100 && strncasecmp(line, "Date:", 5) == 0) {
        char text[100];

        snprintf(text, sizeof text, "%.*s", (int) (length - 5), line + 5);
        x->date = (int64_t) curl_getdate(text, NULL);
    }
    return length;
}

static size_t receive_body(char *data, size_t size, size_t n, void *arg)
{
    struct exchange *x = arg;
    struct err ignored;

    if (x->sink >= 0 && x->status == 200) {
        x->too_long = (int64_t) (size * n) > x->most - x->received;
        if (x->too_long)
            return 0;
        if (fdio_write(x->sink, data, size * n, &ignored) < 0) {
            x->write_failed = true;
            return 0;
        }
        x->received += (int64_t) (size * n);
    } else if (x->answer.len + size * n <= ANSWER_MOST) {
        buf_put(&x->answer, data, size * n);
    }
    return size * n;
}

static int hash_body(const struct exchange *x, char out[static DIGEST_TEXT], struct err *err)
{
    if (x->digest && x->body >= 0) { /* of the same bytes */
        memcpy(out, x->digest, DIGEST_TEXT);
        return 0;
    }
    if (!x->text && x->length > 0)
        return fdio_digest(x->body, x->offset, x->length, out, err);
    digest_text(x->text ? x->text : "", (size_t) x->length, out);
    return 0;
}

static void put_path(const struct s3_client *client, const char *key, struct buf *out)
{
    buf_putc(out, '/');
    if (client->place.path_style)
        buf_printf(out, "%s%s", client->place.bucket, key ? "/" : "");
    if (key) {
        s3_encode(out, client->place.prefix, true);
        s3_encode(out, key, true);
    }
}

static bool add_header(struct curl_slist **list, const char *name, const char *value)
{
    AUTO_BUF struct buf line = BUF_EMPTY;

    buf_printf(&line, "%s: %s", name, value);
    return !line.failed && http_client_header(list, buf_text(&line));
}

/* Each attempt is signed: a signature is valid for minutes only. */
static struct curl_slist *sign_headers(struct s3_client *client, struct exchange *x,
                                       const char *path, const char *payload, struct err *err)
{
    struct s3_credentials credentials;
    const struct s3_scope scope = { &credentials, client->place.region, client->place.host };
    const struct s3_call call = { x->method, path, x->query, payload, x->digest };
    AUTO_BUF struct buf value = BUF_EMPTY;
    struct curl_slist *headers = NULL;
    char date[S3_DATE];
    bool good;

    if (s3_credentials_find(&credentials, err) < 0)
        return NULL;
    x->ahead = atomic_load(&client->ahead_ms);
    s3_date(clock_wall_ms() + x->ahead, date);
    s3_authorize(&scope, &call, date, &value);
    good = !value.failed && add_header(&headers, "Authorization", buf_text(&value)) &&
           add_header(&headers, "x-amz-content-sha256", payload) &&
           add_header(&headers, "x-amz-date", date) && add_header(&headers, "Expect", "") &&
           (!x->digest || add_header(&headers, S3_DIGEST, x->digest)) &&
           (!*credentials.token || add_header(&headers, "x-amz-security-token", credentials.token));
    explicit_bzero(&credentials, sizeof credentials);
    if (good)
        return headers;
    curl_slist_free_all(headers);
    err_set(err, ERR_INTERNAL, "out of memory");
    return NULL;
}

static bool set_options(CURL *easy, const struct s3_client *client, struct exchange *x,
                        const char *url, struct curl_slist *headers)
{
    const struct http_client_limits limits = { .http = true, .connect_ms = CONNECT_MS };
    const bool sends = x->length > 0 || strcmp(x->method, "PUT") == 0;

    curl_easy_reset(easy);
    return http_client_prepare(easy, url, &limits) &&
           curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_UPLOAD, sends ? 1L : 0L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, x->method) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t) x->length) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_READFUNCTION, give_body) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_READDATA, x) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, rewind_body) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_SEEKDATA, x) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_header) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HEADERDATA, x) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_body) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEDATA, x) == CURLE_OK &&
           (!*client->place.ca ||
            curl_easy_setopt(easy, CURLOPT_CAINFO, client->place.ca) == CURLE_OK);
}

/* One try. 0: there was an answer. */
static int perform(struct s3_client *client, struct exchange *x, const char *payload,
                   struct err *err)
{
    AUTO_BUF struct buf path = BUF_EMPTY, url = BUF_EMPTY;
    struct curl_slist *headers;
    CURLcode code = CURLE_OUT_OF_MEMORY;
    CURL *easy;

    put_path(client, x->key, &path);
    buf_printf(&url, "%s%s%s%s", client->place.origin, buf_text(&path), *x->query ? "?" : "",
               x->query);
    headers = sign_headers(client, x, buf_text(&path), payload, err);
    if (!headers)
        return -1;
    easy = borrow(client);
    if (easy && !url.failed && set_options(easy, client, x, buf_text(&url), headers))
        code = curl_easy_perform(easy);
    curl_slist_free_all(headers);
    if (easy)
        give_back(client, easy);
    if (code == CURLE_OK)
        return 0;
    if (x->write_failed)
        return err_sys(err, "keep a file that was fetched");
    if (x->too_long)
        return blob_damaged(x->key, "is longer than it was", err);
    return err_set(err, ERR_UNAVAILABLE, "the S3 server %s does not answer as it should: %s",
                   client->place.host, curl_easy_strerror(code));
}

/* The text between <name> and </name>, of an answer; "" if it is not there. Copied. */
static void element(const char *xml, const char *name, char *out, size_t size)
{
    char open[40], close[40];
    const char *from, *to;

    snprintf(open, sizeof open, "<%s>", name);
    snprintf(close, sizeof close, "</%s>", name);
    from = strstr(xml, open);
    to = from ? strstr(from, close) : NULL;
    *out = '\0';
    if (to)
        snprintf(out, size, "%.*s", (int) (to - from) - (int) strlen(open), from + strlen(open));
}

/* An answer of 200 may hold an error all the same: where it took long, the status came first. */
static bool is_error(const struct exchange *x)
{
    const char *text = x->answer.len ? x->answer.data : "";

    return x->status >= 300 || (x->answer.len && memmem(text, x->answer.len, "<Error>", 7));
}

static bool may_pass(const struct exchange *x, const char *code)
{
    return x->status == 429 || x->status >= 500 || x->status == 200 ||
           strcmp(code, "RequestTimeout") == 0 || strcmp(code, "SlowDown") == 0 ||
           strcmp(code, "InternalError") == 0;
}

/* The server takes no signature whose time is a quarter of an hour off. Whether the next try goes
 * by its clock, and could be taken. */
static bool follow_clock(struct s3_client *client, const struct exchange *x, const char *code)
{
    int64_t ahead, before;

    if (strcmp(code, "RequestTimeTooSkewed") != 0 || x->date <= 0)
        return false;
    ahead = x->date * 1000 - clock_wall_ms();
    before = atomic_exchange(&client->ahead_ms, ahead);
    if (llabs(ahead - x->ahead) < SKEW_MS)
        return false;
    /* Another request, sent before the change was known, was the first to learn of it. */
    if (llabs(ahead - before) < SKEW_MS)
        return true;
    log_warn("s3.clock_differs", KV("ms", ahead),
             KV("why", "the clock of this machine is not that of the S3 server, which is followed: "
                       "set it right"));
    return true;
}

/* What to do about a refusal, where that is known; else what the server says of it. */
static const char *advise(const char *code, const char *why)
{
    static const char *const known[][2] = {
        { "NoSuchBucket", "there is no bucket of this name; make it, or correct the address" },
        { "SignatureDoesNotMatch", "the secret key is wrong, or the region of the address" },
        { "InvalidAccessKeyId", "it does not know the access key" },
        { "ExpiredToken", "the session of the credentials has ended" },
        { "AccessDenied", "the credentials need the rights to list, read, write and delete in it" },
        { "RequestTimeTooSkewed", "the clocks differ too much; set that of this machine right" },
        { "PermanentRedirect", "the bucket is in another region; correct the address" },
        { "AuthorizationHeaderMalformed", "the bucket is in another region; correct the address" },
    };

    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(code, known[i][0]) == 0)
            return known[i][1];
    return why;
}

/* What the server says, or the name of the status. */
static int complain(struct s3_client *client, struct exchange *x, struct err *err)
{
    char code[64] = "", why[128] = "";

    buf_putc(&x->answer, '\0');
    if (!x->answer.failed) {
        element(x->answer.data, "Code", code, sizeof code);
        element(x->answer.data, "Message", why, sizeof why);
    }
    if (x->status == 404 && (strcmp(code, "NoSuchBucket") != 0))
        return err_set(err, ERR_NOT_FOUND, "there is no such file");
    return err_set(
        err, may_pass(x, code) || follow_clock(client, x, code) ? ERR_UNAVAILABLE : ERR_INTERNAL,
        "the S3 server %.60s refuses (%ld %s): %s", client->place.host, x->status, code,
        advise(code, why));
}

static void pause_before(int attempt)
{
    int64_t ms = (int64_t) PAUSE_MS << (attempt - 1);
    unsigned char noise;

    id_random(&noise, 1);
    ms += ms * noise / 512; /* so that those who failed together do not come back together */
    nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

/* Tries until there is an answer that counts. */
static int call(struct s3_client *client, struct exchange *x, struct err *err)
{
    const off_t start = x->sink >= 0 ? lseek(x->sink, 0, SEEK_CUR) : 0;
    char payload[DIGEST_TEXT];
    int done = -1;

    if (hash_body(x, payload, err) < 0)
        return -1;
    for (int attempt = 0; attempt < TRIES; attempt++) {
        if (attempt)
            pause_before(attempt);
        x->sent = x->received = 0;
        x->status = 0;
        x->date = -1;
        x->write_failed = x->too_long = false;
        *x->kept = '\0';
        buf_free(&x->answer);
        if (x->sink >= 0 && (ftruncate(x->sink, start) < 0 || lseek(x->sink, start, SEEK_SET) < 0))
            return err_sys(err, "keep a file that is fetched");
        done = perform(client, x, payload, err);
        if (done == 0 && x->date > 0)
            atomic_store(&client->seen_ahead_ms, x->date * 1000 - clock_wall_ms());
        if (done == 0 && is_error(x))
            done = complain(client, x, err);
        if (done == 0 || err->code != ERR_UNAVAILABLE)
            break;
    }
    return done;
}

static struct exchange request(const char *method, const char *key, const char *query)
{
    return (struct exchange){
        .method = method, .key = key, .query = query, .body = -1, .sink = -1, .answer = BUF_EMPTY
    };
}

/* A request that sends a text, and whose response is not needed. */
static int simple(struct s3_client *client, const char *method, const char *key, const char *query,
                  const char *text, struct err *err)
{
    struct exchange x = request(method, key, query);
    int done;

    x.text = text;
    x.length = text ? (int64_t) strlen(text) : 0;
    done = call(client, &x, err);
    buf_free(&x.answer);
    return done;
}

/* Each attempt uploads all its parts again: S3 keeps the last of each number. */
static int put_parts(struct s3_client *client, const char *key, const char *upload, int fd,
                     int64_t n, struct buf *list, struct err *err)
{
    int64_t size = S3_PART;
    int number = 1;

    if (n / size >= PARTS_MOST)
        size = n / PARTS_MOST + 1;
    for (int64_t at = 0; at < n; at += size, number++) {
        AUTO_BUF struct buf query = BUF_EMPTY;
        struct exchange x = request("PUT", key, "");
        int done;

        buf_printf(&query, "partNumber=%d&uploadId=", number);
        s3_encode(&query, upload, false);
        x.query = buf_text(&query);
        x.body = fd;
        x.offset = at;
        x.length = n - at < size ? n - at : size;
        done = call(client, &x, err);
        buf_free(&x.answer);
        if (done < 0)
            return -1;
        buf_printf(list, "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>", number, x.etag);
    }
    return 0;
}

struct wanted {
    const char *key;
    bool found;
};

static void compare(void *arg, const char *key)
{
    struct wanted *wanted = arg;

    wanted->found = wanted->found || strcmp(key, wanted->key) == 0;
}

static bool is_there(struct s3_client *client, const char *key)
{
    struct wanted wanted = { key, false };
    struct err ignored;

    return s3_list(client, key, 1, compare, &wanted, &ignored) == 0 && wanted.found;
}

static int put_large(struct s3_client *client, const char *key, int fd, int64_t n, struct err *err)
{
    AUTO_BUF struct buf list = BUF_EMPTY, query = BUF_EMPTY;
    struct exchange begin = request("POST", key, "uploads=");
    char upload[1024], digest[DIGEST_TEXT];
    struct err ignored;
    int done = fdio_digest(fd, 0, n, digest, err);

    begin.digest = digest;
    if (done == 0)
        done = call(client, &begin, err);
    buf_putc(&begin.answer, '\0');
    element(begin.answer.failed ? "" : begin.answer.data, "UploadId", upload, sizeof upload);
    buf_free(&begin.answer);
    if (done < 0)
        return -1;
    buf_puts(&query, "uploadId=");
    s3_encode(&query, upload, false);
    buf_puts(&list, "<CompleteMultipartUpload>");
    done = put_parts(client, key, upload, fd, n, &list, err);
    buf_puts(&list, "</CompleteMultipartUpload>");
    if (done == 0)
        done = simple(client, "POST", key, buf_text(&query), buf_text(&list), err);
    /* Where the response to a try was lost, the next one finds an upload that has ended. */
    if (done < 0 && err->code == ERR_NOT_FOUND && is_there(client, key))
        done = 0;
    if (done < 0)
        simple(client, "DELETE", key, buf_text(&query), NULL, &ignored);
    return done;
}

int s3_put(struct s3_client *client, const char *key, int fd, int64_t n, struct err *err)
{
    struct exchange x = request("PUT", key, "");
    char digest[DIGEST_TEXT];
    int done;

    if (n > S3_PART)
        return put_large(client, key, fd, n, err);
    if (fdio_digest(fd, 0, n, digest, err) < 0)
        return -1;
    x.digest = digest;
    x.body = fd;
    x.length = n;
    done = call(client, &x, err);
    buf_free(&x.answer);
    return done;
}

int64_t s3_get(struct s3_client *client, const char *key, int fd, int64_t most, struct err *err)
{
    const off_t start = lseek(fd, 0, SEEK_CUR);
    struct exchange x = request("GET", key, "");
    char digest[DIGEST_TEXT];
    int done;

    x.sink = fd;
    x.most = most;
    done = call(client, &x, err);
    buf_free(&x.answer);
    /* Objects of earlier versions have no digest. */
    if (done == 0 && *x.kept && (done = fdio_digest(fd, start, x.received, digest, err)) == 0 &&
        strcmp(digest, x.kept) != 0)
        done = blob_damaged(key, "has other bytes than it was written with", err);
    return done < 0 ? -1 : x.received;
}

int s3_delete(struct s3_client *client, const char *key, struct err *err)
{
    int done = simple(client, "DELETE", key, "", NULL, err);

    return done < 0 && err->code == ERR_NOT_FOUND ? 0 : done;
}

/* The keys of one answer, without the prefix. */
static void report_keys(const struct s3_client *client, char *xml,
                        void (*found)(void *arg, const char *key), void *arg)
{
    const size_t prefix = strlen(client->place.prefix);
    char *end;

    for (char *at = xml; (at = strstr(at, "<Key>")) != NULL; at = end + 1) {
        at += strlen("<Key>");
        end = strstr(at, "</Key>");
        if (!end)
            return;
        *end = '\0';
        if (strncmp(at, client->place.prefix, prefix) == 0)
            found(arg, at + prefix);
    }
}

static int list_page(struct s3_client *client, const char *query, struct buf *answer,
                     struct err *err)
{
    struct exchange x = request("GET", NULL, query);
    int done = call(client, &x, err);

    *answer = x.answer;
    buf_putc(answer, '\0');
    return done < 0 || !answer->failed ? done : err_set(err, ERR_INTERNAL, "out of memory");
}

int s3_list(struct s3_client *client, const char *start, int most,
            void (*found)(void *arg, const char *key), void *arg, struct err *err)
{
    char token[2048] = "", more[8];

    do {
        AUTO_BUF struct buf query = BUF_EMPTY, answer = BUF_EMPTY;

        if (*token) {
            buf_puts(&query, "continuation-token=");
            s3_encode(&query, token, false);
            buf_putc(&query, '&');
        }
        buf_printf(&query, "list-type=2&max-keys=%d&prefix=", most);
        s3_encode(&query, client->place.prefix, false);
        s3_encode(&query, start, false);
        if (list_page(client, buf_text(&query), &answer, err) < 0)
            return -1;
        element(answer.data, "IsTruncated", more, sizeof more);
        element(answer.data, "NextContinuationToken", token, sizeof token);
        report_keys(client, answer.data, found, arg);
    } while (strcmp(more, "true") == 0 && *token);
    return 0;
}

int s3_address(struct s3_client *client, const char *key, const char *disposition, int64_t seconds,
               struct buf *out, struct err *err)
{
    struct s3_credentials credentials;
    const struct s3_scope scope = { &credentials, client->place.region, client->place.host };
    AUTO_BUF struct buf path = BUF_EMPTY, more = BUF_EMPTY;
    char date[S3_DATE];

    if (s3_credentials_find(&credentials, err) < 0)
        return -1;
    buf_puts(&more, "response-content-disposition=");
    s3_encode(&more, disposition, false);
    put_path(client, key, &path);
    s3_date(clock_wall_ms() + atomic_load(&client->ahead_ms), date);
    buf_printf(out, "%s%s?", client->place.origin, buf_text(&path));
    s3_presign(&scope, buf_text(&path), buf_text(&more), date, seconds, out);
    explicit_bzero(&credentials, sizeof credentials);
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}
