#include "server/http/framing.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "server/http/connection.h"
#include "server/http/internals.h"
#include "server/multipart/header_param.h"

#define HEADER_LIMIT ((size_t) 20 * 1024)
/* part of FRAMING_MEMORY that the response's headers need */
#define ANSWER_ROOM   ((size_t) 3 * 1024)
#define HEADER_RECORD 64 /* libmicrohttpd's memory for a header besides its text */
#define COOKIE_COPIES 2

/* libmicrohttpd keeps trailing blanks of a value, so the few values that have some are copied. */
struct framing_value {
    struct framing_value *next;
    const char *name;
    char value[];
};

struct scan {
    struct framing *framing;
    bool in_place;    /* see INTERNALS_LINES */
    const char *next; /* where the next header line must begin */
    const char *broken;
    size_t cost;
    size_t hosts, lengths, encodings;
    const char *host, *length, *encoding, *expect;
};

static const char *trim(struct framing *framing, const char *name, const char *value, size_t n)
{
    struct framing_value *copy;

    if (n == 0 || (value[n - 1] != ' ' && value[n - 1] != '\t'))
        return value;
    while (n && (value[n - 1] == ' ' || value[n - 1] == '\t'))
        n--;
    copy = malloc(sizeof(*copy) + n + 1);
    if (!copy)
        return value;
    copy->name = name;
    memcpy(copy->value, value, n);
    copy->value[n] = '\0';
    copy->next = framing->trimmed;
    framing->trimmed = copy;
    return copy->value;
}

const char *framing_header(struct MHD_Connection *mhd, const struct framing *framing,
                           const char *name)
{
    const char *value = MHD_lookup_connection_value(mhd, MHD_HEADER_KIND, name);
    size_t n = value ? strlen(value) : 0;

    if (n == 0 || (value[n - 1] != ' ' && value[n - 1] != '\t'))
        return value;
    for (const struct framing_value *copy = framing->trimmed; copy; copy = copy->next)
        if (strcasecmp(copy->name, name) == 0)
            return copy->value;
    return value;
}

struct listing {
    const char *name;
    struct buf *out;
    size_t n;
};

static enum MHD_Result list_header(void *arg, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    struct listing *listing = arg;

    (void) kind;
    if (strcasecmp(name, listing->name) == 0 && value) {
        buf_puts(listing->out, listing->n++ ? ", " : "");
        buf_puts(listing->out, value);
    }
    return MHD_YES;
}

size_t framing_list(struct MHD_Connection *mhd, const char *name, struct buf *out)
{
    struct listing listing = { name, out, 0 };

    MHD_get_connection_values(mhd, MHD_HEADER_KIND, list_header, &listing);
    return listing.n;
}

void framing_free(struct framing *framing)
{
    for (struct framing_value *copy = framing->trimmed, *next; copy; copy = next) {
        next = copy->next;
        free(copy);
    }
    framing->trimmed = NULL;
}

static bool is_text(const char *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (((unsigned char) value[i] < ' ' && value[i] != '\t') || value[i] == 0x7f)
            return false;
    return true;
}

/*
 * libmicrohttpd leaves the header section where it received it, with NULs in place of line ends and
 * colons. So the lines must follow each other without a gap: a line that ended in LF alone, was
 * folded, contained a NUL or was skipped leaves one (INTERNALS_LINES).
 */
static enum MHD_Result scan_header(void *arg, enum MHD_ValueKind kind, const char *name,
                                   size_t name_len, const char *value, size_t value_len)
{
    struct scan *scan = arg;

    (void) kind;
    if (name_len == 0 || (scan->in_place && (name != scan->next || value <= name)))
        scan->broken = "the request's header section is malformed";
    for (size_t i = 0; i < name_len; i++)
        if (!header_param_is_token((unsigned char) name[i]))
            scan->broken = "a header's name holds a character it must not";
    if (!is_text(value, value_len))
        scan->broken = "a header's value holds a control character";
    if (scan->broken)
        return MHD_NO;
    scan->next = value + value_len + 2;
    scan->cost += HEADER_RECORD;
    value = trim(scan->framing, name, value, value_len);

    if (strcasecmp(name, "Host") == 0) {
        scan->hosts++;
        scan->host = value;
    } else if (strcasecmp(name, "Content-Length") == 0) {
        scan->lengths++;
        scan->length = value;
    } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
        scan->encodings++;
        scan->encoding = value;
    } else if (strcasecmp(name, "Expect") == 0) {
        scan->expect = value;
    } else if (strcasecmp(name, "Cookie") == 0) {
        scan->cost += COOKIE_COPIES * value_len;
    }
    return MHD_YES;
}

static int check_line(const struct framing_line *line, bool in_place, struct err *err)
{
    size_t n = strlen(line->method);

    for (size_t i = 0; i < n; i++)
        if (!header_param_is_token((unsigned char) line->method[i]))
            return err_set(err, ERR_INVALID_REQUEST, "the request's method is not a token");
    if (in_place && (line->target != line->method + n + 1 ||
                     line->version != line->target + line->target_len + 1))
        return err_set(err, ERR_INVALID_REQUEST, "the request's first line is malformed");
    return 0;
}

static int check_body(const struct scan *scan, bool http_1_1, struct framing *framing,
                      struct err *err)
{
    if (scan->lengths > 1)
        return err_set(err, ERR_INVALID_REQUEST, "the request has two Content-Length headers");
    if (scan->encodings > 0 && scan->lengths > 0)
        return err_set(err, ERR_INVALID_REQUEST,
                       "the request has a Content-Length and a Transfer-Encoding");
    if (scan->encodings > 0) {
        framing->content_length = -1;
        if (scan->encodings > 1 || strcasecmp(scan->encoding, "chunked") != 0 || !http_1_1)
            return err_set(err, ERR_INVALID_REQUEST,
                           "the only Transfer-Encoding that is accepted is chunked");
    }
    if (scan->lengths > 0 &&
        !num_parse_i64(scan->length, strlen(scan->length), 0, INT64_MAX, &framing->content_length))
        return err_set(err, ERR_INVALID_REQUEST, "the request's Content-Length is not a number");
    return 0;
}

/* RFC 3986, section 3.2.2, with or without a port: a name, an IPv4 address, or an address in
 * brackets. */
static bool is_host(const char *host)
{
    const char *port = host + strcspn(host, ":");

    if (*host == '[') {
        size_t n = strspn(host + 1, "0123456789abcdefABCDEF:.");

        if (n == 0 || host[n + 1] != ']')
            return false;
        port = host + n + 2;
    }
    if (port == host || host[strcspn(host, " \t,/?#@\\<>\"")] != '\0')
        return false;
    if (*port == '\0')
        return true;
    return *port == ':' && port[1 + strspn(port + 1, "0123456789")] == '\0';
}

int framing_check(struct MHD_Connection *mhd, const struct framing_line *line,
                  struct framing *framing, struct err *err)
{
    bool http_1_1 = strcmp(line->version, "HTTP/1.0") != 0;
    struct scan scan = { .next = line->version + strlen("HTTP/1.1") + 2 };
    const union MHD_ConnectionInfo *info;

    *framing = (struct framing){ 0 };
    scan.framing = framing;
    scan.in_place = internals_use(INTERNALS_LINES);
    framing->last = !scan.in_place && !internals_strict();
    MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, scan_header, &scan);
    framing->has_body = scan.lengths || scan.encodings || scan.broken;
    framing->waits = http_1_1 && scan.expect && strcasecmp(scan.expect, "100-continue") == 0;

    info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    if (!info)
        return err_set(err, ERR_INTERNAL, "the size of the headers is not known");
    framing->header_size = info->header_size;
    if (info->header_size > HEADER_LIMIT ||
        info->header_size + scan.cost + ANSWER_ROOM >
            (connection_tls(mhd) ? FRAMING_MEMORY_TLS : FRAMING_MEMORY)) {
        framing->too_long = true;
        return err_set(err, ERR_INVALID_REQUEST, "the request's headers are too long");
    }
    if (check_line(line, scan.in_place, err) < 0)
        return -1;
    if (!scan.broken && scan.in_place && scan.next + 2 != line->method + info->header_size)
        scan.broken = "the request's header section is malformed";
    if (scan.broken)
        return err_set(err, ERR_INVALID_REQUEST, "%s", scan.broken);
    if (scan.hosts > 1 || (scan.hosts == 0 && http_1_1))
        return err_set(err, ERR_INVALID_REQUEST, "the request must have one Host header");
    if (scan.hosts && !is_host(scan.host))
        return err_set(err, ERR_INVALID_REQUEST, "the request's Host is malformed");
    if (check_body(&scan, http_1_1, framing, err) < 0)
        return -1;
    framing->has_body = framing->content_length != 0;
    return 0;
}
