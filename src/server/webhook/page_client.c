#include "server/webhook/page_client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/value/header_lines.h"
#include "sandbox/process/program.h"
#include "server/webhook/callback.h"

struct page_session {
    struct program helper;
    bool http;
    struct net_list allowed;
    char origin[CALLBACK_URL]; /* of the page: scheme, host and port */
    char *headers, *cookies;   /* for it; NULL: none */
    struct {
        uint64_t ticket;
        int fd; /* -1: this place is free */
    } flights[PAGE_AT_ONCE];
};

static const char *const faults[WEBHOOK_ENDS] = {
    [WEBHOOK_TIMEOUT] = "its host did not send it in time",
    [WEBHOOK_NO_HOST] = "its host was not found, or may not be reached",
    [WEBHOOK_UNREACHABLE] = "its host does not accept connections",
    [WEBHOOK_TLS] = "the certificate or the TLS of its host is not acceptable",
    [WEBHOOK_BROKEN] = "its host broke off, or does not speak HTTP",
    [WEBHOOK_LARGE] = "it is too large",
    [WEBHOOK_CODED] = "it cannot be decoded",
    [WEBHOOK_UNKEPT] = "the server has no room for it",
};

/* Browsers send some characters as they are that addresses cannot have (RFC 3986, 2). */
static bool encode_address(const char *url, char out[static CALLBACK_URL])
{
    static const char hex[] = "0123456789ABCDEF";
    size_t n = 0;

    for (; *url && *url != '#' && n + 4 < CALLBACK_URL; url++) {
        if (strchr("\"<>\\^`{|}", *url)) {
            out[n++] = '%';
            out[n++] = hex[(unsigned char) *url >> 4];
            out[n++] = hex[*url & 15];
        } else {
            out[n++] = *url;
        }
    }
    out[n] = '\0';
    return !*url || *url == '#';
}

int page_client_check(const struct callback_rules *rules, const char *url, char *out,
                      struct err *err)
{
    char encoded[CALLBACK_URL];

    if (!encode_address(url, encoded))
        return err_field(err, rules->code, rules->field, "%s may have at most 2000 characters",
                         rules->field);
    return callback_check(rules, encoded, out, err);
}

/* The length of scheme, host and port of an address in normal form. */
static size_t origin_length(const char *url)
{
    const char *host = strstr(url, "://") + 3;

    return (size_t) (host - url) + strcspn(host, "/?");
}

static int set_page(struct page_session *session, const struct webhook_terms *terms,
                    const struct page_address *page, struct err *err)
{
    const struct callback_rules rules = { terms->http, &session->allowed, "url",
                                          ERR_INVALID_PARAMETER };

    session->http = terms->http;
    if (net_list_read(terms->allowed, &session->allowed, err) < 0 ||
        page_client_check(&rules, page->url, session->origin, err) < 0)
        return -1;
    session->origin[origin_length(session->origin)] = '\0';
    if (page->headers && !(session->headers = header_lines_read("headers", ERR_INVALID_PARAMETER,
                                                                page->headers, err)))
        return -1;
    if (page->cookies && header_lines_check_cookies("cookies", page->cookies, err) < 0)
        return -1;
    if (page->cookies && !(session->cookies = strdup(page->cookies)))
        return err_sys(err, "cookies");
    return 0;
}

static int start_helper(struct page_session *session, const char *program,
                        const struct webhook_terms *terms, struct err *err)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;

    if (webhook_terms_pack(terms, &packed, err) < 0 ||
        program_start(program, PROGRAM_APART, &session->helper, err) < 0)
        return -1;
    return message_send(session->helper.control, packed.data, packed.len, NULL, 0, err);
}

struct page_session *page_client_begin(const char *program, const struct webhook_terms *terms,
                                       const struct page_address *page, struct err *err)
{
    struct page_session *session = calloc(1, sizeof *session);

    if (!session) {
        err_sys(err, "page");
        return NULL;
    }
    session->helper = PROGRAM_NONE;
    for (size_t i = 0; i < PAGE_AT_ONCE; i++)
        session->flights[i].fd = -1;
    if (set_page(session, terms, page, err) == 0 && start_helper(session, program, terms, err) == 0)
        return session;
    page_client_end(session);
    return NULL;
}

static void free_secret(char *text)
{
    if (text)
        explicit_bzero(text, strlen(text));
    free(text);
}

void page_client_end(struct page_session *session)
{
    if (session->helper.pid >= 0)
        program_end(&session->helper);
    for (size_t i = 0; i < PAGE_AT_ONCE; i++)
        scope_close(&session->flights[i].fd);
    free_secret(session->headers);
    free_secret(session->cookies);
    free(session);
}

int page_client_fd(const struct page_session *session)
{
    return session->helper.control;
}

/* Whether lines have one with this name. */
static bool has_line(const char *lines, const char *name, size_t n)
{
    for (; lines && *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
        if (strncasecmp(lines, name, n) == 0 && lines[n] == ':')
            return true;
    return false;
}

static bool is_cookie_line(const char *line, size_t n)
{
    return n > 7 && strncasecmp(line, "Cookie:", 7) == 0;
}

/* Whether a list of cookies has one with the name of another cookie. */
static bool has_cookie(const char *list, const char *cookie, size_t n_name)
{
    const char *one;
    size_t n, n_one;

    while (header_lines_next_cookie(&list, &one, &n, &n_one))
        if (n_one == n_name && memcmp(one, cookie, n_name) == 0)
            return true;
    return false;
}

/* What responses of the page have set has precedence over the cookies of the client, which it
 * replaces. `set`: the former, of a line of the browser. */
static void put_cookies(const struct page_session *session, const char *set, bool own,
                        struct buf *out)
{
    const char *at = own ? session->cookies : NULL, *cookie;
    bool any = *set;
    size_t n, n_name;

    buf_printf(out, "%s%s", any ? "Cookie: " : "", set);
    while (at && header_lines_next_cookie(&at, &cookie, &n, &n_name)) {
        if (has_cookie(set, cookie, n_name))
            continue;
        buf_printf(out, "%s%.*s", any ? "; " : "Cookie: ", (int) n, cookie);
        any = true;
    }
    buf_puts(out, any ? "\n" : "");
}

/* The lines of the browser that are its to set, and those of the client if the address is of the
 * origin that the client named. */
static void put_headers(const struct page_session *session, const struct page_question *question,
                        const char *url, struct buf *out)
{
    size_t origin = origin_length(url);
    bool own = strlen(session->origin) == origin && memcmp(session->origin, url, origin) == 0;
    const char *lines = own ? session->headers : NULL;
    AUTO_BUF struct buf cookies = BUF_EMPTY;

    for (const char *line = question->headers; *line;) {
        size_t n = strcspn(line, "\n"), blanks = strspn(line + (n < 7 ? n : 7), " ");

        if (is_cookie_line(line, n) && header_lines_is_free(line, n) && cookies.len == 0)
            buf_put(&cookies, line + 7 + blanks, n > 7 + blanks ? n - 7 - blanks : 0);
        else if (!is_cookie_line(line, n) && header_lines_is_free(line, n) &&
                 !has_line(lines, line, strcspn(line, ":")))
            buf_printf(out, "%.*s\n", (int) n, line);
        line += n + (line[n] == '\n');
    }
    put_cookies(session, buf_text(&cookies), own, out);
    buf_puts(out, lines ? lines : "");
}

static int send_request(struct page_session *session, struct webhook_request *request, int fd,
                        struct err *err)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    int done;

    if (webhook_request_pack(request, &packed, err) < 0)
        return -1;
    done = message_send(session->helper.control, packed.data, packed.len, &fd, 1, err);
    explicit_bzero(packed.data, packed.len);
    return done;
}

/* Frees the place of a request, with what came for it. */
static void drop_flight(int *fd)
{
    scope_close(fd);
    *fd = -1;
}

int page_client_ask(struct page_session *session, const struct page_question *question,
                    int64_t max_bytes, struct err *err)
{
    const struct callback_rules rules = { session->http, &session->allowed, "its address",
                                          ERR_INVALID_PARAMETER };
    AUTO_BUF struct buf headers = BUF_EMPTY;
    char url[CALLBACK_URL];
    struct webhook_request request = { .ticket = question->number,
                                       .max_bytes = max_bytes,
                                       .page = true,
                                       .head = question->head,
                                       .url = url,
                                       .body = "" };
    size_t i = 0;
    int done;

    while (i < PAGE_AT_ONCE && session->flights[i].fd >= 0)
        i++;
    if (i == PAGE_AT_ONCE)
        return err_set(err, ERR_INTERNAL, "too many requests are in flight");
    if (page_client_check(&rules, question->url, url, err) < 0)
        return -1;
    put_headers(session, question, url, &headers);
    if (headers.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    request.headers = buf_text(&headers);
    session->flights[i].ticket = request.ticket;
    session->flights[i].fd = fdio_memory_file(err);
    done = session->flights[i].fd < 0
               ? -1
               : send_request(session, &request, session->flights[i].fd, err);
    if (headers.data)
        explicit_bzero(headers.data, headers.len);
    if (done < 0)
        drop_flight(&session->flights[i].fd);
    return done;
}

static int *find_flight(struct page_session *session, uint64_t ticket)
{
    for (size_t i = 0; i < PAGE_AT_ONCE; i++)
        if (session->flights[i].fd >= 0 && session->flights[i].ticket == ticket)
            return &session->flights[i].fd;
    return NULL;
}

int page_client_receive(struct page_session *session, struct page_answer *answer, struct err *err)
{
    struct webhook_response response;
    char packet[sizeof response + 1]; /* one byte more, to detect responses that are too long */
    ssize_t got = recv(session->helper.control, packet, sizeof packet, MSG_DONTWAIT);
    int *fd;

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (got <= 0)
        return err_set(err, ERR_INTERNAL, "platen-webhook has ended");
    fd = webhook_response_read(packet, (size_t) got, &response)
             ? find_flight(session, response.ticket)
             : NULL;
    if (!fd)
        return err_set(err, ERR_INTERNAL, "platen-webhook answers what was not asked");
    *answer = (struct page_answer){ .number = (uint32_t) response.ticket,
                                    .fd = -1,
                                    .bytes = response.bytes,
                                    .forbidden = response.forbidden != 0 };
    if (response.end == WEBHOOK_ANSWERED) {
        answer->fd = *fd;
        *fd = -1;
    } else {
        answer->why = faults[response.end] ? faults[response.end] : faults[WEBHOOK_BROKEN];
        drop_flight(fd);
    }
    return 1;
}
